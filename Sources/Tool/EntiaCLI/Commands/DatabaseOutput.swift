import EntiaJSON
import EntiaRecords

/// A database file that a command reads, changes and writes back.
///
/// Only one process at a time uses the file; another one waits, so that no change is lost. If a
/// program without this lock changes the file, writing the file fails.
struct DatabaseOutput {
  /// The option to fail rather than wait.
  static let noWait = OptionDescription(
    "--no-wait", help: "Fail when another entia changes the file, instead of waiting.")

  let name: String
  /// The version of the content before it was read; `nil` if there was no file.
  private let version: SystemCalls.FileVersion?
  private let lock: FileLock?
  /// Whether the file is a SQLite database, and not JSON. It is written back in the same format.
  private let isSQLite: Bool
  /// Whether the file is an object of tables. It is written back with a schema and a result.
  private let holdsPlainTables: Bool

  /// Locks the file. Waits if another process holds the lock, unless the arguments forbid it.
  ///
  /// - Throws: A failure with `cannotWrite` if another process holds the lock, a program has saved
  ///   the file, or the file cannot be written; `badData` if it is compressed, or has content that
  ///   writing it back would remove.
  init(_ name: String, _ arguments: ParsedArguments, console: Console) throws(CommandFailure) {
    self.name = name
    let file = InputFile(name: name)
    // If the name is not a file but a folder, for example, reading it fails later.
    guard file.version != nil || !file.exists else {
      lock = nil
      isSQLite = false
      holdsPlainTables = false
      version = nil
      return
    }
    let isDryRun = arguments.has("--dry-run")
    if !isDryRun { try OutputFile(name: name).check() }
    isSQLite = try SQLiteFile.isDatabase(file)
    if isSQLite {
      if !isDryRun { try SQLiteFile.check(name) }
      if file.exists { try SQLiteFile.checkRewriting(name) }
      holdsPlainTables = false
    } else {
      holdsPlainTables = file.exists ? try file.stream().holdsPlainTables : false
    }
    if isDryRun {
      lock = nil
      version = file.version
      return
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

  /// Returns the line of the report about the file.
  ///
  /// - Parameters:
  ///   - verb: The change of the file, such as `wrote`; `nil` for a dry run.
  func sentence(_ verb: String?) -> String {
    guard let verb else {
      return "dry run: '\(name)' was not written"
        + (holdsPlainTables ? "; it would be a database with schema and result\n" : "\n")
    }
    return "\(verb) '\(name)'"
      + (holdsPlainTables ? ", which is now a database with schema and result\n" : "\n")
  }

  /// Writes the database back. A command with `--dry-run` does not call this method.
  ///
  /// - Throws: A failure with `cannotWrite`, also if the file changed after it was read.
  func write(_ database: RecordDatabase, console: Console) throws(CommandFailure) {
    try OutputFile(name: name)
      .write(database, asSQLite: isSQLite, .unchanged(since: version), showing: console)
  }
}

/// A change of a database file, from reading it to writing it back.
enum DatabaseEdit {
  /// Reads the database, changes it, prints the differences and writes it back, unless the
  /// arguments specify a dry run.
  static func run(
    _ arguments: ParsedArguments, console: Console,
    _ change: (RecordDatabase) throws(CommandFailure) -> RecordDatabase
  ) throws(CommandFailure) -> ExitCode {
    let name = arguments.operands[0]
    let isDryRun = arguments.has("--dry-run")
    if name == InputFile.standardInput, !isDryRun {
      throw CommandFailure(
        .usage, "standard input cannot be written back; name a file, or see with --dry-run")
    }
    let file = try DatabaseOutput(name, arguments, console: console)
    let old = try DatabaseInput.database(name, console: console)
    let new = try change(old)
    let difference = new.difference(from: old)
    if !isDryRun, !difference.isEmpty { try file.write(new, console: console) }
    let ending =
      !isDryRun && difference.isEmpty
      ? "'\(name)' stays as it is\n" : file.sentence(isDryRun ? nil : "wrote")
    try console.print(
      difference.text() + ending, afterWriting: isDryRun || difference.isEmpty ? nil : name)
    SystemCalls.keepUntilEnd((old, new))
    return .success
  }
}
