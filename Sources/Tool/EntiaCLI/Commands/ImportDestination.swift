import EntiaJSON
import EntiaRecords

/// The destination of an import's database: the file of `--into`, the file of `-o`, or none.
struct ImportDestination {
  /// The file of `--into` if it is written back; otherwise `nil`.
  private let database: DatabaseOutput?
  private let output: OutputFile?
  private let isDryRun: Bool
  /// The database to which the import adds; `nil` for a new database.
  let base: String?

  /// Creates the destination.
  ///
  /// - Throws: A failure with `noInput` if the import reads the file of `--into` without writing it
  ///   back, and the file does not exist; `usage` if the output would be standard input, or a new
  ///   file with the name of a compressed file; and the errors of locking the database.
  init(_ arguments: ParsedArguments, console: Console) throws(CommandFailure) {
    let into = arguments.value("--into")
    let output = arguments.value("-o")
    isDryRun = arguments.has("--dry-run")
    guard let into, try Self.isWrittenBack(into, output) else {
      self.output = output.map { OutputFile(name: $0) }
      if let output, !isDryRun, SQLiteFile.isName(output) { try SQLiteFile.check(output) }
      database = nil
      base = into
      if let into, !InputFile(name: into).exists { throw InputFile.missing([into]) }
      return
    }
    if into == InputFile.standardInput, !isDryRun {
      throw CommandFailure(
        .usage, "--into - cannot be written back; name the file to write with -o")
    }
    if OutputFile.isCompressedName(into), !InputFile(name: into).exists {
      throw CommandFailure(.usage, OutputFile.compressedNameMessage(into))
    }
    self.output = nil
    let file = try DatabaseOutput(into, arguments, console: console)
    database = file
    base = file.exists ? into : nil
  }

  private static func isWrittenBack(
    _ into: String, _ output: String?
  ) throws(CommandFailure) -> Bool {
    guard let output else { return true }
    do throws(SystemCalls.Failure) {
      return output != OutputFile.standardOutput && into != InputFile.standardInput
        ? try SystemCalls.areSameFile(into, output) : false
    } catch {
      throw CommandFailure(.cannotWrite, "cannot write '\(output)': \(error.message)")
    }
  }

  /// Whether the import adds rows to a database that a program has saved or shares. The values in
  /// such a database have the forms of the program's types.
  var isUsedByProgram: Bool {
    base.map { $0 != InputFile.standardInput && SQLiteEdit.isNeeded(for: $0) } ?? false
  }

  var isStandardOutput: Bool { output?.isStandardOutput == true }

  /// Reads the database to which the import adds.
  ///
  /// - Parameters:
  ///   - holds: Whether to keep other programs from changing the tables until the import is
  ///     written.
  ///   - console: Shows the progress.
  /// - Returns: `database` is the database; `nil` if there is none, or if it has errors. If the
  ///   database has errors, `problems` lists its problems; otherwise `problems` is empty.
  /// - Throws: The errors of reading the file.
  func readBase(
    holding holds: Bool, console: Console
  ) throws(CommandFailure) -> (database: RecordDatabase?, problems: [ImportProblem]) {
    guard let base else { return (nil, []) }
    let (database, report) =
      if let file = self.database {
        try file.read(holding: holds, console: console)
      } else {
        try InputFile(name: base).reading(console) { source in RecordDatabase.read(source) }
      }
    if let database { return (database, []) }
    return (nil, Hints.explained(report.problems, option: "--into"))
  }

  /// Calls a closure that imports, and writes the new database. The file of `--into` is not written
  /// if it already contains the new database. If a program changes the file in the meantime, the
  /// closure is called again.
  ///
  /// - Parameters:
  ///   - importing: A closure that reads the base and imports into it. Its argument is the value
  ///     for `holding` in `readBase(holding:console:)`. It returns the base, the new database and a
  ///     report. The new database is `nil` for a refused import.
  ///   - console: Shows the progress.
  /// - Returns: The new database and the report of the closure's last call, and whether a file was
  ///   written.
  /// - Throws: The errors of the closure and of writing the file.
  func write<Report>(
    console: Console,
    _ importing: (Bool) throws(CommandFailure) -> (
      base: RecordDatabase?, database: RecordDatabase?, report: Report
    )
  ) throws(CommandFailure) -> (database: RecordDatabase?, report: Report, isWritten: Bool) {
    guard !isDryRun, let file = self.database else {
      let (_, database, report) = try importing(false)
      guard let database, !isDryRun, let output else { return (database, report, false) }
      try output.write(database, showing: console)
      return (database, report, true)
    }
    return try file.retrying {
      holds throws(CommandFailure) -> (
        database: RecordDatabase?, report: Report, isWritten: Bool
      )? in
      let (base, database, report) = try importing(holds)
      guard let database, database != base || file.holdsPlainTables else {
        return (database, report, false)
      }
      return try file.write(database, since: base, console: console)
        ? (database, report, true) : nil
    }
  }

  /// Returns the line about the output file in the report, or an empty string if the import has no
  /// output file.
  ///
  /// - Parameter isWritten: Whether ``write(console:_:)`` has written the file.
  func sentence(isWritten: Bool) -> String {
    if let database {
      if !isWritten, !isDryRun { return database.unchangedSentence }
      return database.sentence(isDryRun ? nil : base == nil ? "created" : "wrote")
    }
    guard let output, !isStandardOutput else { return "" }
    return isDryRun ? "dry run: '\(output.name)' was not written\n" : "wrote '\(output.name)'\n"
  }

  /// The file that ``write(console:_:)`` writes; `nil` if it writes no file or writes to standard
  /// output.
  var writtenFile: String? {
    isStandardOutput ? nil : database?.name ?? output?.name
  }
}

/// Refuses outputs that would destroy an input.
enum Overwriting {
  /// Throws a failure with `usage` if an output file is also an input, under any of its names.
  ///
  /// A file that is written back, such as the file of `--into`, may also be the output.
  static func refuse(_ arguments: ParsedArguments) throws(CommandFailure) {
    let inputs = arguments.inputs.map(InputFile.init)
    var problems: [String] = []
    var outputs = arguments.outputs
    if outputs.isEmpty { outputs = arguments.changed }
    for name in outputs where name != OutputFile.standardOutput {
      guard let output = OutputFile(name: name).identity,
        let input = inputs.first(where: { $0.identity == output })
      else { continue }
      let other = input.name == name ? "" : ", named \(input.spokenName)"
      problems.append(
        "'\(name)' would be overwritten, and it is an input\(other); name another file to write")
    }
    if let output = OutputFile(name: OutputFile.standardOutput).identity,
      let input = inputs.first(where: { $0.identity == output })
    {
      problems.append(
        "standard output goes into the input \(input.spokenName); send it to another file")
    }
    if !problems.isEmpty { throw CommandFailure(.usage, problems) }
  }
}
