/// The right to read a file, change it and write it back, which one process has at a time.
///
/// The lock is on a hidden file beside the file itself, because the file is replaced when it is
/// written. The system releases the lock when the process ends, however it ends; a lock file that is
/// left behind then is used and removed by the next process.
final class FileLock {
  private let descriptor: Int32
  private let path: String

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - target: The file; it need not exist.
  ///   - waits: Whether to wait for another process that has the lock.
  ///   - onWait: Called once before the wait begins.
  /// - Throws: `SystemCalls.Failure` if the lock file cannot be made.
  /// - Returns: nil if another process has the lock and the call does not wait.
  static func take(
    beside target: String, waits: Bool, onWait: () -> Void
  ) throws(SystemCalls.Failure) -> FileLock? {
    let path = lockPath(for: target)
    var hasWaited = false
    while true {
      let descriptor = try SystemCalls.openToLock(path)
      do {
        var isLocked = try SystemCalls.lock(descriptor, waits: false)
        if !isLocked {
          if !waits {
            try SystemCalls.closeFile(descriptor)
            return nil
          }
          if !hasWaited { onWait() }
          hasWaited = true
          isLocked = try SystemCalls.lock(descriptor, waits: true)
        }
        if try isCurrent(descriptor, path) {
          Interruption.register(path)
          return FileLock(descriptor: descriptor, path: path)
        }
      } catch {
        try SystemCalls.closeFile(descriptor)
        throw error
      }
      // The process that had the lock has removed the file meanwhile.
      try SystemCalls.closeFile(descriptor)
    }
  }

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    Interruption.unregister(path)
    do throws(SystemCalls.Failure) {
      // While it is locked, no other process can have taken it. If it was removed by hand, the file
      // of that name is another process's.
      if try Self.isCurrent(descriptor, path) { SystemCalls.removeIfPossible(path) }
      try SystemCalls.closeFile(descriptor)
    } catch {
      // The lock ends with the process; a file that stays is used by the next one.
    }
  }

  /// Whether the locked file is still the one that other processes find.
  private static func isCurrent(
    _ descriptor: Int32, _ path: String
  ) throws(SystemCalls.Failure) -> Bool {
    let own = try SystemCalls.status(of: descriptor).identity
    do {
      return try SystemCalls.linkStatus(of: path).identity == own
    } catch {
      if error.isMissing { return false }
      throw error
    }
  }

  static func lockPath(for target: String) -> String {
    let folder = SystemCalls.folder(of: target)
    return "\(folder).\(target.dropFirst(folder.count)).entia-lock"
  }
}
