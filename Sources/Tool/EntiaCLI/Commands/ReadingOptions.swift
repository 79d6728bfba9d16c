import EntiaJSON
import EntiaRecords

/// The options for reading files that are not databases. Several commands have these options.
enum ReadingOptions {
  static let format = OptionDescription(
    "--format", .choice(ImportFormat.allCases.map(\.rawValue)),
    help: """
      The format of the files. By default, it is recognized and all JSON documents have one; auto \
      recognizes that of each file.
      """)
  static let root = OptionDescription(
    "--root", .text("ENTITY"), help: "The entity of the records at the top level.")
  static let id = OptionDescription(
    "--id", .text("NAME"),
    help: "Without a schema: the member with the ID of the root's records.")
  static let at = OptionDescription(
    "--at", .text("PATH"), help: "Where the records are in each file, such as '$.results'.")

  static let delimiter = OptionDescription(
    "--delimiter", .text("CHAR"),
    help: "What separates the fields of CSV, or tab; default the first of , ; tab | in the header.")

  /// Reads the options and the schema file.
  ///
  /// - Returns: The options, and the problems of the schema.
  /// - Throws: A failure with `usage` if the options contradict each other, and the errors of
  ///   reading the schema.
  static func read(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> (options: ImportOptions, problems: [ImportProblem]) {
    var options = ImportOptions(
      format: arguments.choice(format.name) ?? .auto, root: arguments.value(root.name))
    options.mixesFormats = arguments.has(format.name)
    options.at = try path(arguments)
    options.separator = try separator(arguments)
    if let id = arguments.value(id.name) {
      guard let root = options.root, !arguments.has("--schema") else {
        throw CommandFailure(
          .usage,
          arguments.has("--schema")
            ? "--id is for reading without a schema; set the ID in the schema"
            : "--id needs --root, the name of the entity")
      }
      options.schema = Schema([Schema.Entity(root, idName: id)])
    }
    guard let name = arguments.value("--schema") else { return (options, []) }
    switch Schema.read(try InputFile(name: name).stream()) {
    case .success(let schema):
      options.schema = schema
      return (options, [])
    case .failure(let failure): return (options, failure.problems)
    }
  }

  /// Returns the separator of CSV that the option specifies; `nil` without the option.
  ///
  /// - Throws: A failure with `usage` if the option is not one ASCII character that can separate
  ///   fields.
  private static func separator(_ arguments: ParsedArguments) throws(CommandFailure) -> UInt8? {
    guard let text = arguments.value(delimiter.name) else { return nil }
    if ["tab", "\\t"].contains(text) { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80,
      !"\"\r\n".utf8.contains(byte)
    else {
      throw CommandFailure(
        .usage, "--delimiter takes one character such as ';', or tab, not '\(text)'")
    }
    return byte
  }

  /// Returns the path to the records that the option specifies; `nil` without the option.
  ///
  /// - Throws: A failure with `usage` if the value of the option is no path.
  static func path(_ arguments: ParsedArguments) throws(CommandFailure) -> JSONPath? {
    guard let text = arguments.value(at.name) else { return nil }
    guard let path = JSONPath(text) else {
      throw CommandFailure(.usage, "--at takes a path such as '$.data.items', not '\(text)'")
    }
    return path
  }
}
