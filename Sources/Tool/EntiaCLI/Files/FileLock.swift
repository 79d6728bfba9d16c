/// The exclusive right to read a file, change it and write it back. One process holds it at a time.
///
/// A hidden file next to the file is locked, because the file itself is replaced when it is
/// written. The system releases the lock when the process ends for any reason. If the lock file
/// still exists then, the next process uses and removes it.
final class FileLock {
  private let descriptor: Int32
  private let path: String

  /// Acquires the lock.
  ///
  /// - Parameters:
  ///   - target: The file, which need not exist.
  ///   - waits: Whether to wait for another process that holds the lock.
  ///   - onWait: A closure that is called once before waiting.
  /// - Returns: The lock, or `nil` if another process holds it and `waits` is `false`.
  /// - Throws: `SystemCalls.Failure` if the lock file cannot be created.
  static func take(
    beside target: String, waits: Bool, onWait: () -> Void
  ) throws(SystemCalls.Failure) -> FileLock? {
    let path = lockPath(for: target)
    var hasWaited = false
    while true {
      // A signal between creating the file and registering it would leave the file behind.
      let (descriptor, isLocked, lock) = try SignalHandling.blockingSignals {
        () throws(SystemCalls.Failure) in
        let descriptor = try SystemCalls.openToLock(path)
        do throws(SystemCalls.Failure) {
          let isLocked = try SystemCalls.lock(descriptor, waits: false)
          return (descriptor, isLocked, isLocked ? try registered(descriptor, path) : nil)
        } catch {
          try SystemCalls.closeFile(descriptor)
          throw error
        }
      }
      if let lock { return lock }
      do throws(SystemCalls.Failure) {
        if !isLocked {
          if !waits {
            try SystemCalls.closeFile(descriptor)
            return nil
          }
          if !hasWaited { onWait() }
          hasWaited = true
          _ = try SystemCalls.lock(descriptor, waits: true)
          if let lock = try registered(descriptor, path) { return lock }
        }
      } catch {
        try SystemCalls.closeFile(descriptor)
        throw error
      }
      // The process that held the lock has removed the file in the meantime.
      try SystemCalls.closeFile(descriptor)
    }
  }

  /// Returns the lock of a locked file, or `nil` if the path does not lead to the file any more.
  private static func registered(
    _ descriptor: Int32, _ path: String
  ) throws(SystemCalls.Failure) -> FileLock? {
    guard try isCurrent(descriptor, path) else { return nil }
    SignalHandling.register(path)
    return FileLock(descriptor: descriptor, path: path)
  }

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    SignalHandling.unregister(path)
    do throws(SystemCalls.Failure) {
      // The user may have removed this lock file, and another process may have created a new lock
      // file at the path. The new file must not be removed.
      if try Self.isCurrent(descriptor, path) { SystemCalls.removeIfPossible(path) }
      try SystemCalls.closeFile(descriptor)
    } catch {
      // The lock ends with the process. The next process uses the remaining file.
    }
  }

  /// Whether the path still leads to the locked file.
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
