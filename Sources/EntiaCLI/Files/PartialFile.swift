/// A file that is written beside its target and then takes the target's place.
///
/// Its writer holds its lock, so that other processes can tell an unfinished file from one that a
/// process left behind when it was killed.
struct PartialFile {
  let descriptor: Int32
  let path: String

  /// Creates a file in the target's folder, because a rename does not cross file systems, and
  /// removes the files that processes which have ended left there.
  static func create(beside target: String) throws(SystemCalls.Failure) -> PartialFile {
    let folder = SystemCalls.folder(of: target)
    removeStale(in: folder)
    while true {
      let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
      let path = folder + prefix + mark + suffix
      do throws(SystemCalls.Failure) {
        let descriptor = try Interruption.blockingSignals { () throws(SystemCalls.Failure) in
          let descriptor = try SystemCalls.create(path)
          Interruption.register(path)
          return descriptor
        }
        let file = PartialFile(descriptor: descriptor, path: path)
        if try file.lock() { return file }
        file.remove()
        try SystemCalls.closeFile(descriptor)
      } catch {
        if !error.isTaken { throw error }
      }
    }
  }

  /// Locks the file; false if another process took it for a stale one before it was locked.
  private func lock() throws(SystemCalls.Failure) -> Bool {
    do throws(SystemCalls.Failure) {
      _ = try SystemCalls.lock(descriptor, waits: true)
      return try SystemCalls.status(of: descriptor).linkCount > 0
    } catch {
      remove()
      try SystemCalls.closeFile(descriptor)
      throw error
    }
  }

  /// Takes the place of the target.
  func move(over target: String) throws(SystemCalls.Failure) {
    try Interruption.blockingSignals { () throws(SystemCalls.Failure) in
      try SystemCalls.move(path, over: target)
      Interruption.unregister(path)
    }
  }

  func remove() {
    SystemCalls.removeIfPossible(path)
    Interruption.unregister(path)
  }

  private static let prefix = ".entia-"
  private static let suffix = ".partial"

  /// Removes unfinished files that no process holds the lock of.
  private static func removeStale(in folder: String) {
    for name in SystemCalls.names(in: folder)
    where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      do throws(SystemCalls.Failure) {
        let descriptor = try SystemCalls.openToProbe(folder + name)
        do throws(SystemCalls.Failure) {
          let isFile = try SystemCalls.status(of: descriptor).isRegularFile
          // Without locks there is no telling whether its writer has ended.
          if isFile, try SystemCalls.lockStrictly(descriptor, waits: false) {
            SystemCalls.removeIfPossible(folder + name)
          }
        } catch {
          try SystemCalls.closeFile(descriptor)
          throw error
        }
        try SystemCalls.closeFile(descriptor)
      } catch {
        // A file that cannot be opened may be another user's; it harms nothing where it is.
      }
    }
  }
}
