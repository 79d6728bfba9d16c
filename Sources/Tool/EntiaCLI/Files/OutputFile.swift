/// A file that is written completely or not at all, or standard output.
struct OutputFile {
  /// The name of standard output on the command line.
  static let standardOutput = "-"

  /// The required state of the file when the new content replaces it.
  enum Expectation: Equatable {
    /// Any state.
    case anything
    /// The version of the file when it was read; `nil` if it did not exist.
    case unchanged(since: SystemCalls.FileVersion?)
  }

  /// The name as given on the command line.
  let name: String
  /// Whether the output may replace a SQLite database. With `nil`, the output may do so only if it
  /// has the name of a SQLite database.
  var replacesDatabases: Bool?

  var isStandardOutput: Bool { name == Self.standardOutput }

  /// Whether a name is that of a compressed file. Outputs are never compressed.
  static func isCompressedName(_ name: String) -> Bool { name.lowercased().hasSuffix(".gz") }

  /// Returns the error message for an output with the name of a compressed file.
  static func compressedNameMessage(_ name: String) -> String {
    "'\(name)' would not be compressed as its name says; name it without '.gz', and compress it "
      + "with 'gzip'"
  }

  /// The path to which the bytes are written, after following all symbolic links.
  private struct Target {
    let path: String
    /// The status of the existing file; `nil` if there is none.
    let status: SystemCalls.Status?
  }

  /// Checks that the output can be written, before any work is done.
  ///
  /// - Throws: A failure with `cannotWrite`.
  func check() throws(CommandFailure) {
    if isStandardOutput { return }
    let reason: String?
    do throws(SystemCalls.Failure) {
      let target = try target()
      if let status = target.status {
        if status.isDirectory { throw SystemCalls.Failure.isDirectory }
      } else {
        let folder = SystemCalls.folder(of: target.path)
        _ = try SystemCalls.status(of: folder.isEmpty ? "." : folder)
      }
      reason = reasonNotToWrite(target) ?? reasonToKeepDatabase
    } catch {
      throw failure(error)
    }
    if let reason { throw CommandFailure(.cannotWrite, "cannot write '\(name)': \(reason)") }
  }

  /// Writes the bytes.
  ///
  /// The bytes of a regular file are written to a temporary file in the same folder, which is then
  /// renamed over the regular file. Readers therefore see either the old content or the new, and a
  /// failure keeps the old content. Devices and pipes are written directly, because renaming a file
  /// over `/dev/null` would replace the device. A symbolic link is kept, and its target is written,
  /// whether it exists or not.
  ///
  /// - Throws: A failure with `cannotWrite`.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try write { (put) throws(SystemCalls.Failure) in try put(bytes) }
  }

  /// Writes the next piece of the output.
  typealias Put = ([UInt8]) throws(SystemCalls.Failure) -> Void

  /// Writes the pieces that the closure provides, like ``write(_:)``. Meanwhile shows the number of
  /// written bytes.
  func write(
    _ expectation: Expectation = .anything, showing console: Console? = nil,
    _ pieces: (Put) throws(SystemCalls.Failure) -> Void
  ) throws(CommandFailure) {
    // On a terminal, the output itself shows the progress.
    let isShown = !isStandardOutput || !SystemCalls.isTerminal(1)
    let shown = isShown ? console : nil
    let meter = shown.flatMap { ProgressMeter($0, label: "writing", total: 0) }
    defer { meter?.end() }
    let progress = meter?.showBytes
    try check()
    let isWritten: Bool
    do throws(SystemCalls.Failure) {
      if isStandardOutput { return try pieces(Self.putting(into: 1, progress)) }
      let target = try target()
      if let status = target.status, !status.isRegularFile {
        return try overwrite(with: pieces, progress)
      }
      isWritten = try replace(
        target.path, with: pieces, permissions: target.status?.permissions, expectation, progress)
    } catch {
      throw failure(error)
    }
    if isWritten { return }
    throw CommandFailure(
      .cannotWrite,
      "another program changed '\(name)' after it was read, and nothing was written; run the "
        + "command again")
  }

  private func failure(_ error: SystemCalls.Failure) -> CommandFailure {
    // A reader that stops early, such as `head`, is not an error to report.
    if error.isClosedPipe { return CommandFailure(.cannotWrite, []) }
    let place = isStandardOutput ? "standard output" : "'\(name)'"
    return CommandFailure(.cannotWrite, "cannot write \(place): \(error.message)")
  }

  private func target() throws(SystemCalls.Failure) -> Target {
    // The text of a link such as `/dev/stdout` may be no path. Only the system can follow such a
    // link.
    if let status = try SystemCalls.statusIfExists(of: name), !status.isRegularFile {
      return Target(path: name, status: status)
    }
    let path = try SystemCalls.followingLinks(name)
    return Target(path: path, status: try SystemCalls.statusIfExists(of: path))
  }

  /// Returns the reason why the permissions of the file forbid writing it; `nil` if there is none.
  /// The permissions are checked, because renaming another file over the file would ignore them.
  private func reasonNotToWrite(_ target: Target) -> String? {
    guard let status = target.status, status.isRegularFile else { return nil }
    let denial = SystemCalls.denial(ofWriting: target.path)
    // A file without any write permission is not written, even if the user is the superuser, for
    // whom `denial` is `nil`.
    guard denial != nil || status.permissions & 0o222 == 0 else { return nil }
    return Self.reason(
      denial, status.permissions,
      mayChangePermissions: SystemCalls.mayChangePermissions(ownedBy: status.owner))
  }

  /// The reason why a SQLite database is not replaced by a text; `nil` if the file may be replaced.
  private var reasonToKeepDatabase: String? {
    let isReplaced = replacesDatabases ?? SQLiteFile.isName(name)
    guard !isReplaced, SQLiteFile.isOpenable(name) else { return nil }
    return "it is a SQLite database, and the output is text; name another file, or remove it first"
  }

  /// Returns the reason why the permissions of a file forbid writing it. The reason may include
  /// advice on how to change the permissions.
  static func reason(
    _ denial: SystemCalls.Failure?, _ permissions: SystemCalls.Permissions,
    mayChangePermissions: Bool
  ) -> String {
    if !mayChangePermissions {
      return "the file belongs to another user, who does not let you write it"
    }
    if permissions & 0o200 == 0 { return "the file is read-only; 'chmod u+w' makes it writable" }
    return denial?.message ?? "the file is read-only"
  }

  /// The identity of the output file; `nil` if it does not exist yet, and for devices, pipes and
  /// terminals.
  var identity: SystemCalls.FileIdentity? {
    do throws(SystemCalls.Failure) {
      let status =
        isStandardOutput ? try SystemCalls.status(of: Int32(1)) : try target().status
      return status?.isRegularFile == true ? status?.identity : nil
    } catch {
      // Writing the file reports the error.
      return nil
    }
  }

  private static func putting(
    into descriptor: Int32, _ progress: ((Int) -> Void)?
  ) -> Put {
    var count = 0
    return { (bytes) throws(SystemCalls.Failure) in
      try SystemCalls.writeAll(bytes, to: descriptor)
      count += bytes.count
      progress?(count)
    }
  }

  private func overwrite(
    with pieces: (Put) throws(SystemCalls.Failure) -> Void, _ progress: ((Int) -> Void)?
  ) throws(SystemCalls.Failure) {
    let descriptor = try SystemCalls.openToWrite(name)
    let result = Result { () throws(SystemCalls.Failure) in
      try pieces(Self.putting(into: descriptor, progress))
    }
    try SystemCalls.closeFile(descriptor)
    try result.get()
  }

  /// Writes a temporary file in the target's folder and renames it over the target. A failure
  /// removes the temporary file.
  ///
  /// - Returns: `false` if the target was not as expected. The target is then unchanged.
  func replace(
    _ target: String, with pieces: (Put) throws(SystemCalls.Failure) -> Void,
    permissions: SystemCalls.Permissions?, _ expectation: Expectation = .anything,
    _ progress: ((Int) -> Void)? = nil
  ) throws(SystemCalls.Failure) -> Bool {
    let neighbour = try PartialFile.create(beside: target)
    let descriptor = neighbour.descriptor
    do throws(SystemCalls.Failure) {
      let result = Result { () throws(SystemCalls.Failure) in
        if let permissions { try SystemCalls.setPermissions(descriptor, permissions) }
        try pieces(Self.putting(into: descriptor, progress))
        try SystemCalls.synchronize(descriptor)
        return try SQLiteFile.replacing(
          target, by: neighbour.path,
          if: { () throws(SystemCalls.Failure) in try Self.meets(expectation, target) },
          keepsChanges: expectation != .anything
        ) { () throws(SystemCalls.Failure) in try neighbour.move(over: target) }
      }
      // Closing the temporary file releases its lock, so it is closed only after it has replaced
      // the target.
      try SystemCalls.closeFile(descriptor)
      let isReplaced = try result.get()
      neighbour.remove()
      return isReplaced
    } catch {
      neighbour.remove()
      throw error
    }
  }

  private static func meets(
    _ expectation: Expectation, _ target: String
  ) throws(SystemCalls.Failure) -> Bool {
    guard case .unchanged(let version) = expectation else { return true }
    return try SystemCalls.statusIfExists(of: target)?.version == version
  }
}

/// A temporary file that is written in its target's folder and then replaces the target.
///
/// Its writer holds the lock of the file. An unfinished file without a lock was therefore left by a
/// killed process.
struct PartialFile {
  let descriptor: Int32
  let path: String

  /// Creates a file in the target's folder, because a rename does not work across file systems.
  /// Also removes the unfinished files that ended processes left in the folder.
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
          // On a file system without locks, it is unknown whether the writer has ended.
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
