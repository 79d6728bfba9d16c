import EntiaJSON
import EntiaRecords

/// A database file that a command reads, changes and writes back.
///
/// Only one process at a time uses the file; another one waits, so that no change is lost. If a
/// program without this lock changes the file, writing the file fails.
///
/// A SQLite database that programs share or have saved is not written anew. The rows that differ
/// are written in their tables, in one transaction. If a program changes the file in the meantime,
/// the command reads it again.
struct DatabaseOutput {
  /// The option to fail rather than wait.
  static let noWait = OptionDescription(
    "--no-wait", help: "Fail when another entia changes the file, instead of waiting.")

  let name: String
  /// The version of the content before it was read; `nil` if there was no file.
  private let version: SystemCalls.FileVersion?
  private let lock: FileLock?
  /// The edit that writes only the changed rows of a SQLite file; `nil` if the whole file is
  /// written anew.
  private let edit: SQLiteEdit?
  /// Whether the file is a SQLite database, and not JSON. It is written back in the same format.
  private let isSQLite: Bool
  /// Whether the file has only tables, without the other members of a database. It is written back
  /// with a schema and a result.
  let holdsPlainTables: Bool

  /// Locks the file. Waits if another process holds the lock, unless the arguments forbid it.
  ///
  /// - Throws: A failure with `cannotWrite` if another process holds the lock, if the file cannot
  ///   be written, or if the file is open in a program that does not share it. A failure with
  ///   `badData` if the file is compressed, or if writing it back would remove some of its content.
  init(_ name: String, _ arguments: ParsedArguments, console: Console) throws(CommandFailure) {
    self.name = name
    let file = InputFile(name: name)
    // If the name is not a file but a folder, for example, reading it fails later.
    guard file.version != nil || !file.exists else {
      lock = nil
      edit = nil
      isSQLite = false
      holdsPlainTables = false
      version = nil
      return
    }
    let isDryRun = arguments.has("--dry-run")
    // If the file is a SQLite database, it may be replaced, because the output is then a SQLite
    // database too.
    if !isDryRun { try OutputFile(name: name, replacesDatabases: true).check() }
    isSQLite = try SQLiteFile.isDatabase(file)
    let editsTables = isSQLite && SQLiteEdit.isNeeded(for: name)
    if isSQLite {
      if !isDryRun, !editsTables { try SQLiteFile.check(name) }
      if file.exists, !editsTables { try SQLiteFile.checkRewriting(name) }
      holdsPlainTables = false
    } else {
      holdsPlainTables = file.exists ? try file.stream().holdsPlainTables : false
    }
    if isDryRun {
      lock = nil
      edit = nil
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
    edit = editsTables ? try SQLiteEdit(name) : nil
    version = file.version
    if version != nil, try file.isCompressed() {
      throw CommandFailure(
        .badData,
        "'\(name)' is compressed with gzip and cannot be written back; decompress it with 'gunzip' "
          + "first")
    }
  }

  var exists: Bool { version != nil || InputFile(name: name).exists }

  /// Returns the line about the file in the report.
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

  /// The line of the report if the file is not written, because its database is unchanged.
  var unchangedSentence: String { "'\(name)' stays as it is\n" }

  /// Reads the database.
  ///
  /// - Parameters:
  ///   - holds: Whether to keep other programs from changing the tables until the command has
  ///     written its own change.
  ///   - console: Shows the progress.
  /// - Returns: The database, or `nil` if it has errors; and the report of its problems.
  /// - Throws: The errors of reading the file.
  func read(
    holding holds: Bool, console: Console
  ) throws(CommandFailure) -> (database: RecordDatabase?, report: ImportReport) {
    if let edit { return RecordDatabase.read(try edit.read(holding: holds)) }
    return try InputFile(name: name).reading(console) { source in RecordDatabase.read(source) }
  }

  /// Writes the database back. A command with `--dry-run` does not call this method.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - old: The database that was read; `nil` for none.
  ///   - console: Shows the progress.
  /// - Returns: `false` if nothing was written, because a program has changed the tables since they
  ///   were read.
  /// - Throws: A failure with `cannotWrite`, for example if a file that is written anew has changed
  ///   since it was read; `badData` for rows that the tables of a program cannot have.
  func write(
    _ database: RecordDatabase, since old: RecordDatabase?, console: Console
  ) throws(CommandFailure) -> Bool {
    if let edit { return try edit.write(database, since: old ?? RecordDatabase()) }
    try OutputFile(name: name, replacesDatabases: true)
      .write(database, asSQLite: isSQLite, .unchanged(since: version), showing: console)
    return true
  }

  /// The number of times that a file is read while programs may change it.
  private static let attempts = 3

  /// Calls a closure until it returns a result. After several attempts without a result, the last
  /// attempt makes other programs wait.
  ///
  /// - Parameter edit: Reads the database and writes it back. The closure's argument must be passed
  ///   to the read as `holding`. Returns `nil` if a program has changed the file in the meantime.
  func retrying<Result>(
    _ edit: (Bool) throws(CommandFailure) -> Result?
  ) throws(CommandFailure) -> Result {
    for _ in 0..<Self.attempts {
      if let result = try edit(false) { return result }
    }
    if let result = try edit(true) { return result }
    throw CommandFailure(
      .cannotWrite, "another program changes '\(name)', and nothing was written; try again later")
  }
}

/// A change of a database file, from reading it to writing it back.
enum DatabaseEdit {
  /// Reads the database, changes it, prints the differences and writes it back. A dry run does not
  /// write it.
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
    let (old, new, difference) = try file.retrying {
      holds throws(CommandFailure) -> (RecordDatabase, RecordDatabase, DatabaseDifference)? in
      let old = try DatabaseInput.database(
        name, try file.read(holding: holds, console: console))
      let new: RecordDatabase
      do throws(CommandFailure) {
        new = try change(old)
      } catch {
        throw error.naming(name)
      }
      let difference = new.difference(from: old)
      if !isDryRun, !difference.isEmpty, try !file.write(new, since: old, console: console) {
        return nil
      }
      return (old, new, difference)
    }
    let ending =
      !isDryRun && difference.isEmpty
      ? file.unchangedSentence : file.sentence(isDryRun ? nil : "wrote")
    try console.print(
      difference.text() + ending, afterWriting: isDryRun || difference.isEmpty ? nil : name)
    SystemCalls.keepUntilEnd((old, new))
    return .success
  }
}
