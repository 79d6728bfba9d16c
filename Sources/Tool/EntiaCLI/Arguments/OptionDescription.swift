/// One option of a command.
struct OptionDescription: Sendable {
  /// The argument of an option.
  enum Argument: Sendable {
    /// No argument.
    case none
    /// Any text, with its name in the help.
    case text(String)
    /// One of these words.
    case choice([String])
    /// An integer from zero, with its name in the help.
    case count(String)
    /// A file that is read, with its name in the help.
    case input(String)
    /// A file that is written, with its name in the help.
    case output(String)
    /// A file that is read if it exists, and then written, with its name in the help.
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
      .inputAndOutput(let name):
      name
    }
  }

  /// The option and its argument, as on the command line.
  var usage: String {
    placeholder.map { "\(name) \($0)" } ?? name
  }

  /// The option of the output file, with its name in the help.
  static func output(_ placeholder: String) -> OptionDescription {
    OptionDescription(
      "-o", .output(placeholder), help: "Write there; '-', the default, is standard output.")
  }
}
