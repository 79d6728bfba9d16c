/// What a command accepts, said once: parsing, `--help`, usage errors and suggestions read it.
struct CommandDescription: Sendable {
  /// The word that names the command.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// What the command does, a paragraph an element.
  let discussion: [String]
  /// The files the command takes, in their order; only the last may repeat.
  let operands: [OperandDescription]
  /// The options in the order the help shows them.
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

  /// The option with this spelling, if the command has it.
  func option(named name: String) -> OptionDescription? {
    options.first { $0.name == name }
  }

  /// The option every command has.
  static let help = OptionDescription("--help", help: "Print this help; -h too.")
}

/// The files a command takes, in order and without a name of their own.
struct OperandDescription: Sendable {
  /// How the usage line calls it.
  let placeholder: String
  /// Whether more than one may be given.
  var repeats = false
  /// Whether none need be given.
  var isOptional = false
  /// Whether it names a file that is read; otherwise it is any word.
  var isInput = true
  /// One line of help.
  let help: String
}

/// One option of a command.
struct OptionDescription: Sendable {
  /// What follows an option on the command line.
  enum Argument: Sendable {
    /// Nothing: the option itself is the message.
    case none
    /// Any text, called this in the help.
    case text(String)
    /// One of these words.
    case choice([String])
    /// A whole number from zero, called this in the help.
    case count(String)
    /// A file that is read, called this in the help.
    case input(String)
    /// A file that is written, called this in the help.
    case output(String)
    /// A file that is read if it is there, and then written, called this in the help.
    case inputAndOutput(String)
  }

  /// The spelling, dashes included.
  let name: String
  let argument: Argument
  let isRequired: Bool
  let repeats: Bool
  let help: String

  init(
    _ name: String, _ argument: Argument = .none, isRequired: Bool = false, repeats: Bool = false,
    help: String
  ) {
    self.name = name
    self.argument = argument
    self.isRequired = isRequired
    self.repeats = repeats
    self.help = help
  }

  /// The name of the argument as the help shows it; nil when the option takes none.
  var placeholder: String? {
    switch argument {
    case .none: nil
    case .choice(let words): words.joined(separator: "|")
    case .text(let name), .count(let name), .input(let name), .output(let name),
      .inputAndOutput(let name):
      name
    }
  }

  /// The option and its argument, as one types them.
  var usage: String {
    placeholder.map { "\(name) \($0)" } ?? name
  }
}
