/// One option of a command.
struct OptionDescription: Sendable {
  /// The argument of an option. An associated `String` is the argument's name in the help.
  enum Argument: Sendable {
    /// No argument.
    case none
    /// Any text.
    case text(String)
    /// One of these words.
    case choice([String])
    /// An integer that is not negative.
    case count(String)
    /// A file that is read.
    case input(String)
    /// A file that is written.
    case output(String)
    /// A database that is written. The ending of the file's name decides between SQLite and JSON.
    case database(String)
    /// A file that is read if it exists, and then written.
    case inputAndOutput(String)
  }

  /// The name of the option with its dashes.
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

  /// The name of the argument in the help; `nil` if the option takes none.
  var placeholder: String? {
    switch argument {
    case .none: nil
    case .choice(let words): words.joined(separator: "|")
    case .text(let name), .count(let name), .input(let name), .output(let name),
      .database(let name), .inputAndOutput(let name):
      name
    }
  }

  /// The option and its argument, as on the command line.
  var usage: String {
    placeholder.map { "\(name) \($0)" } ?? name
  }

  /// Returns the option of the output file. `placeholder` is the file's name in the help.
  static func output(_ placeholder: String) -> OptionDescription { output(.output(placeholder)) }

  /// Returns the option of the file of a database. `placeholder` is the file's name in the help.
  static func database(_ placeholder: String) -> OptionDescription {
    output(.database(placeholder))
  }

  private static func output(_ argument: Argument) -> OptionDescription {
    OptionDescription("-o", argument, help: "Write there; '-', the default, is standard output.")
  }
}

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
  var operands: [OperandDescription] = []
  /// The options, in the order of the help.
  let options: [OptionDescription]

  /// Returns the option with a name, or `nil` if the command does not have it.
  func option(named name: String) -> OptionDescription? {
    options.first { $0.name == name }
  }

  /// The option that every command has.
  static let help = OptionDescription("--help", help: "Print this help; -h too.")
}

extension CommandDescription {
  init(
    name: String, summary: String, discussion: [String], operand: OperandDescription,
    options: [OptionDescription]
  ) {
    self.init(
      name: name, summary: summary, discussion: discussion, operands: [operand], options: options)
  }
}

/// An operand of a command: an argument that is identified by its position.
struct OperandDescription: Sendable {
  /// The name in the usage line.
  let placeholder: String
  /// Whether the operand may be given more than once.
  var repeats = false
  /// Whether the operand may be omitted.
  var isOptional = false
  /// Whether the operand is a file that is read. Otherwise it can be any word.
  var isInput = true
  /// One line of help.
  let help: String
}
