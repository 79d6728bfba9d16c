import EntiaJSON

/// A database file that a command reads, changes and writes back.
///
/// One process at a time has the file: another one waits, so that no change is lost. A program that
/// changes the file without this lock is noticed when the file is written.
struct DatabaseFile {
  /// The option that refuses to wait.
  static let noWait = OptionDescription(
    "--no-wait", help: "Fail when another entia changes the file, instead of waiting.")

  let name: String
  /// The content as it was before it was read; nil if there was no file.
  private let version: SystemCalls.FileVersion?
  private let lock: FileLock?

  /// Takes the file, and waits for another process that has it unless the arguments forbid that.
  ///
  /// Throws `cannotWrite` if another process has the file, or if it cannot be written, and `badData`
  /// if it is compressed.
  init(_ name: String, _ arguments: ParsedArguments, console: Console) throws(CommandFailure) {
    self.name = name
    let file = InputFile(name: name)
    // What is neither a file nor missing, such as a folder, is refused when it is read.
    guard !arguments.has("--dry-run"), file.version != nil || !file.exists else {
      lock = nil
      version = file.version
      return
    }
    try OutputFile(name: name).check()
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

  /// Writes the database back; a command with `--dry-run` does not call this.
  ///
  /// Throws `cannotWrite`, also if the file is not as it was when it was read.
  func write(_ database: RecordDatabase, console: Console) throws(CommandFailure) {
    try OutputFile(name: name).write(.unchanged(since: version), showing: console) {
      (put) throws(SystemCalls.Failure) in try database.write(to: put)
    }
  }
}
