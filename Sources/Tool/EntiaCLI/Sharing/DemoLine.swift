/// A line of the demonstration's input.
enum DemoLine: Equatable {
  case add(text: String)
  case edit(note: String, text: String)
  case done(note: String)
  case remove(note: String)
  case list, undo, redo, status, help, quit, empty
  /// A line that is no command, with the reason.
  case invalid(String)

  /// The commands, as users type them.
  static let grammar = [
    "add TEXT", "edit NOTE TEXT", "done NOTE", "remove NOTE", "list", "undo", "redo", "status",
    "help", "quit",
  ]

  /// Parses a line.
  init(_ line: String) {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard let word = words.first else {
      self = .empty
      return
    }
    let rest = Self.trimmed(words.count > 1 ? words[1] : "")
    let parts = rest.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(Self.trimmed)
    switch (word.lowercased(), parts.count) {
    case ("add", 1...): self = .add(text: rest)
    case ("edit", 2): self = .edit(note: parts[0], text: parts[1])
    case ("done", 1): self = .done(note: parts[0])
    case ("remove", 1): self = .remove(note: parts[0])
    case ("list", 0): self = .list
    case ("undo", 0): self = .undo
    case ("redo", 0): self = .redo
    case ("status", 0): self = .status
    case ("help", 0): self = .help
    case ("quit", 0): self = .quit
    case (let name, _): self = .invalid(Self.reason(name))
    }
  }

  private static func reason(_ word: String) -> String {
    let names = grammar.map { String($0.prefix { $0 != " " }) }
    if let index = names.firstIndex(of: word) { return "usage: \(grammar[index])" }
    return "unknown command '\(word)'" + DidYouMean.phrase(for: word, among: names)
      + "; 'help' lists the commands"
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
