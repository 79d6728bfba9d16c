/// A temporary file that is written in its target's folder and then replaces the target.
///
/// Its writer holds the lock of the file. An unfinished file without a lock was therefore left by a
/// killed process.
struct PartialFile {
  let descriptor: Int32
  let path: String

  /// Creates a file in the target's folder, because a rename does not work across file systems.
  /// Also removes the files that ended processes left there.
  static func create(beside target: String) throws(SystemCalls.Failure) -> PartialFile {
    let folder = SystemCalls.folder(of: target)
    removeStale(in: folder)
    while true {
      let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
      let path = folder + prefix + mark + suffix
      do throws(SystemCalls.Failure) {
        let descriptor = try SignalHandling.blockingSignals { () throws(SystemCalls.Failure) in
          let descriptor = try SystemCalls.create(path)
          SignalHandling.register(path)
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

  /// Locks the file. Returns `false` if another process removed it as a stale file before it was
  /// locked.
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

  /// Replaces the target.
  func move(over target: String) throws(SystemCalls.Failure) {
    try SignalHandling.blockingSignals { () throws(SystemCalls.Failure) in
      try SystemCalls.move(path, over: target)
      SignalHandling.unregister(path)
    }
  }

  func remove() {
    SystemCalls.removeIfPossible(path)
    SignalHandling.unregister(path)
  }

  private static let prefix = ".entia-"
  private static let suffix = ".partial"

  /// Removes unfinished files whose lock no process holds.
  private static func removeStale(in folder: String) {
    for name in SystemCalls.names(in: folder)
    where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      do throws(SystemCalls.Failure) {
        let descriptor = try SystemCalls.openToProbe(folder + name)
        do throws(SystemCalls.Failure) {
          let isFile = try SystemCalls.status(of: descriptor).isRegularFile
          // Without locks it is unknown whether the writer has ended.
          if isFile, try SystemCalls.lockStrictly(descriptor, waits: false) {
            SystemCalls.removeIfPossible(folder + name)
          }
        } catch {
          try SystemCalls.closeFile(descriptor)
          throw error
        }
        try SystemCalls.closeFile(descriptor)
      } catch {
        // A file that cannot be opened may belong to another user, and is harmless.
      }
    }
  }
}
