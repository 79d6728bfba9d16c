import EntiaDatabase
import EntiaJSON

/// `entia schema`: a schema for people to read.
enum SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema",
    summary: "Print a schema as text or as a diagram",
    discussion: [
      """
      Lists the entities with their ID members, and the relationships between them. With \
      --mermaid it is an erDiagram, which many viewers of Markdown draw.
      """
    ],
    operand: OperandDescription(
      placeholder: "SCHEMA.json", repeats: false,
      help: "What import --schema takes; '-' reads standard input."),
    options: [
      OptionDescription("--mermaid", help: "Print a Mermaid diagram."),
      OptionDescription(
        "-o", .output("OUT"), help: "Write there; '-', the default, is standard output."),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let source = try InputFile(name: arguments.operands[0]).source()
    switch Schema.parse(source.bytes, file: source.name) {
    case .failure(let failure):
      throw CommandFailure(.badData, failure.problems.map(\.description))
    case .success(let schema):
      let schema = schema.storageSchema(name: source.name)
      let text = arguments.has("--mermaid") ? schema.mermaid : schema.description
      let output = OutputFile(name: arguments.value("-o") ?? OutputFile.standardOutput)
      try output.write(Array((text + "\n").utf8))
      return .success
    }
  }
}
