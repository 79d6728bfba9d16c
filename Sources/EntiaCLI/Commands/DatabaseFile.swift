import EntiaJSON

/// A database file that a command reads, changes and writes back.
///
/// Only one process at a time uses the file; another one waits, so that no change is lost. If a
/// program without this lock changes the file, writing the file fails.
struct DatabaseFile {
  /// The option to fail rather than wait.
  static let noWait = OptionDescription(
    "--no-wait", help: "Fail when another entia changes the file, instead of waiting.")

  let name: String
  /// The version of the content before it was read; `nil` if there was no file.
  private let version: SystemCalls.FileVersion?
  private let lock: FileLock?
  /// Whether the file is a SQLite database, and not JSON. It is written back as what it is.
  private let isSQLite: Bool

  /// Locks the file, and waits for another process that holds the lock, unless the arguments forbid
  /// it.
  ///
  /// - Throws: A failure with `cannotWrite` if another process holds the lock, a program has saved
  ///   the file, or the file cannot be written; `badData` if it is compressed.
  init(_ name: String, _ arguments: ParsedArguments, console: Console) throws(CommandFailure) {
    self.name = name
    let file = InputFile(name: name)
    // A name of something other than a file, such as a folder, is refused when it is read.
    guard !arguments.has("--dry-run"), file.version != nil || !file.exists else {
      lock = nil
      isSQLite = false
      version = file.version
      return
    }
    try OutputFile(name: name).check()
    isSQLite = try SQLiteFile.isDatabase(file)
    if isSQLite {
      try SQLiteFile.check(name)
      try SQLiteFile.checkRewriting(name)
    }
    do throws(SystemCalls.Failure) {
      lock = try FileLock.take(
        beside: try SystemCalls.followingLinks(name),
        waits: !arguments.has(Self.noWait.name)
      ) {
        console.complain(["waiting for another entia that changes '\(name)'…"])
      }
    } catch {
      throw CommandFailure(.cannotWrite, "cannot write '\(name)': \(error.message)")
    }
    guard lock != nil else {
      throw CommandFailure(.cannotWrite, "another entia changes '\(name)'; try again later")
    }
    version = file.version
    if version != nil, try file.isCompressed() {
      throw CommandFailure(
        .badData,
        "'\(name)' is compressed with gzip and cannot be written back; decompress it with 'gunzip' "
          + "first")
    }
  }

  var exists: Bool { version != nil || InputFile(name: name).exists }

  /// Writes the database back. A command with `--dry-run` does not call this method.
  ///
  /// - Throws: A failure with `cannotWrite`, also if the file changed after it was read.
  func write(_ database: RecordDatabase, console: Console) throws(CommandFailure) {
    try OutputFile(name: name)
      .write(database, asSQLite: isSQLite, .unchanged(since: version), showing: console)
  }
}
