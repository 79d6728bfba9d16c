/// The only description of a command's arguments. Parsing, `--help`, usage errors and suggestions
/// use it.
struct CommandDescription: Sendable {
  /// The name of the command.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The paragraphs of the command's description.
  let discussion: [String]
  /// The operands of the command, in order. Only the last one may repeat.
  let operands: [OperandDescription]
  /// The options, in the order of the help.
  let options: [OptionDescription]

  init(
    name: String, summary: String, discussion: [String], operands: [OperandDescription],
    options: [OptionDescription]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
  }

  init(
    name: String, summary: String, discussion: [String], operand: OperandDescription,
    options: [OptionDescription]
  ) {
    self.init(
      name: name, summary: summary, discussion: discussion, operands: [operand], options: options)
  }

  /// Returns the option with a name, or `nil` if the command does not have it.
  func option(named name: String) -> OptionDescription? {
    options.first { $0.name == name }
  }

  /// The option that every command has.
  static let help = OptionDescription("--help", help: "Print this help; -h too.")
}
