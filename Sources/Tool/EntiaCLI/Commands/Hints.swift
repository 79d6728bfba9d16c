import EntiaJSON
import EntiaRecords

/// Advice for problems that users can solve.
enum Hints {
  /// Returns the failure for inputs that cannot be read with the given options, or `nil` if all can
  /// be read.
  ///
  /// - Parameter schema: The schema for reading the inputs, if any.
  static func usageFailure(
    of problems: [ImportProblem], _ arguments: ParsedArguments, schema: Schema?
  ) throws(CommandFailure) -> CommandFailure? {
    let usage = problems.filter { $0.kind == .usage }
    guard !usage.isEmpty else { return nil }
    var messages = usage.map { "\($0.file): \($0.message)" }
    if schema?.isEmpty ?? true, usage.contains(where: { $0.message.contains("--schema") }) {
      let file = usage[0].file
      var path = path(arguments)
      if path == nil { path = try pathToRecords(in: file)?.description }
      messages.append("no schema yet? \(schemaCommand(for: file, at: path))")
    } else if arguments.value("--root") == nil,
      usage.contains(where: { $0.message.contains("--root") })
    {
      messages.append(
        "--root names the entity of the schema at the top level of the file"
          + (schema.map { ": \(names($0))" } ?? ""))
    }
    return CommandFailure(.usage, messages)
  }

  /// Returns advice about the problems of a refused import.
  static func advice(for report: ImportReport, _ arguments: ParsedArguments) -> [String] {
    guard report.isRefused else { return [] }
    var lines: [String] = []
    if report.problems.contains(where: { $0.kind == .conflict }) {
      lines.append(
        "--on-conflict resolves conflicts: replace uses the later row, keep the earlier one, merge "
          + "the later value of each member")
    }
    let missing = report.problems.first { $0.kind == .missingID && $0.severity == .error }
    if let missing, SQLiteFile.isOpenable(missing.file) {
      lines.append(
        "'\(missing.file)' is a SQLite database, whose primary keys are the IDs: a row needs a value "
          + "in each column of its key; --table imports other tables without this one")
    } else if let missing, !["--schema", "--id", "--into"].contains(where: arguments.has) {
      lines.append("no schema yet? \(schemaCommand(for: missing.file, at: path(arguments)))")
    }
    return lines
  }

  private static func path(_ arguments: ParsedArguments) -> String? {
    arguments.value(ReadingOptions.at.name)
  }

  /// Returns advice about guessing a schema. For standard input, the advice is to save the input
  /// first, because standard input cannot be read a second time.
  ///
  /// - Parameter path: The path of the records; `nil` for the whole file.
  static func schemaCommand(for file: String, at path: String? = nil) -> String {
    let place = path.map { " --at '\($0)'" } ?? ""
    return file == InputFile.standardInput
      ? "save the input to a file, and 'entia schema FILE\(place)' guesses one"
      : "'entia schema \(file)\(place)' guesses one"
  }

  /// Returns the likely path of the records of a file, if its root object contains one array of
  /// objects.
  ///
  /// - Throws: The errors of opening the file.
  static func pathToRecords(in file: String) throws(CommandFailure) -> JSONPath? {
    file == InputFile.standardInput ? nil : try InputFile(name: file).stream().pathToRecords()
  }

  /// Returns the names of a schema's first entities.
  private static func names(_ schema: Schema) -> String {
    let names = schema.entities.map(\.name)
    return names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }

  /// Returns the problems. If an input is not a database, its problem also states that `option` has
  /// to be a database.
  static func explained(_ problems: [ImportProblem], option: String) -> [ImportProblem] {
    problems.map { problem in
      guard [.typeMismatch, .malformedJSON].contains(problem.kind), problem.path == "$" else {
        return problem
      }
      return ImportProblem(
        file: problem.file, path: problem.path, severity: problem.severity, kind: problem.kind,
        message: problem.message + "; \(option) has to be a database, as import -o writes it",
        more: problem.more)
    }
  }
}
