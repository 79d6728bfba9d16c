/// The help texts of the tool, generated from the commands' descriptions.
enum HelpText {
  /// The maximum width of a line of help.
  static let width = 80

  /// Returns the output of `entia --help`.
  static func overview(of commands: [CommandDescription]) -> String {
    let column = (commands.map(\.name.count).max() ?? 0) + 4
    var lines = ["entia: each thing stored once. JSON in, normalized tables out.", "", "Usage:"]
    for command in commands { lines += usageLines(of: command, firstIndent: "  ") }
    lines += ["  entia --help | --version | COMMAND --help", "", "Commands:"]
    for command in commands { lines += entry(command.name, command.summary, column: column) }
    lines += ["", "Exit codes:"]
    for (code, meaning) in exitCodes { lines += entry("\(code.rawValue)", meaning, column: 6) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the output of `entia COMMAND --help`.
  static func help(of command: CommandDescription) -> String {
    var lines = wrap(command.summary + ".", width: width)
    lines += [""] + usage(of: command).split(separator: "\n").map(String.init)
    for paragraph in command.discussion { lines += [""] + wrap(paragraph, width: width) }
    if !command.operands.isEmpty { lines += ["", "Arguments:"] }
    for operand in command.operands {
      lines += entry(operand.placeholder, operand.help, column: 28)
    }
    lines += ["", "Options:"]
    for option in command.options + [CommandDescription.help] {
      lines += entry(label(of: option), text(of: option), column: 28)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the usage lines. They are wrapped only between options.
  static func usage(of command: CommandDescription) -> String {
    "Usage:\n" + usageLines(of: command, firstIndent: "  ").joined(separator: "\n")
  }

  private static let exitCodes: [(ExitCode, String)] = [
    (.success, "fine"),
    (.different, "diff: the databases differ"),
    (.usage, "wrong usage"),
    (.badData, "bad data: every problem is listed, nothing is written"),
    (.noInput, "no such input"),
    (
      .unavailable,
      "not here: SQLite or PostgreSQL in this build, a server, or a program to open a "
        + "page"
    ),
    (.cannotWrite, "cannot write"),
    (.cannotRead, "cannot read"),
  ]

  private static func usageLines(of command: CommandDescription, firstIndent: String) -> [String] {
    let operands = command.operands.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }
    let words = ["entia", command.name] + operands
    var parts = [words.joined(separator: " ")]
    for option in command.options {
      let ending = option.repeats ? "…" : ""
      parts.append((option.isRequired ? option.usage : "[\(option.usage)]") + ending)
    }
    return fill(parts, width: width, firstIndent: firstIndent, indent: firstIndent + "    ")
  }

  private static func label(of option: OptionDescription) -> String {
    if case .choice = option.argument { return option.name }
    return option.usage
  }

  private static func text(of option: OptionDescription) -> String {
    guard case .choice(let words) = option.argument else { return option.help }
    return option.help + " One of: " + words.joined(separator: ", ") + "."
  }

  private static func entry(_ label: String, _ text: String, column: Int) -> [String] {
    let body = wrap(text, width: width - column)
    let pad = String(repeating: " ", count: column)
    let head = "  " + label
    if head.count + 2 > column { return [head] + body.map { pad + $0 } }
    let first = head + String(repeating: " ", count: column - head.count) + (body.first ?? "")
    return [first] + body.dropFirst().map { pad + $0 }
  }

  private static func wrap(_ text: String, width: Int) -> [String] {
    fill(text.split(separator: " ").map(String.init), width: width, firstIndent: "", indent: "")
  }

  private static func fill(
    _ parts: [String], width: Int, firstIndent: String, indent: String
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    for part in parts {
      if line.isEmpty {
        line = firstIndent + part
      } else if line.count + 1 + part.count <= width {
        line += " " + part
      } else {
        lines.append(line)
        line = indent + part
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
