import EntiaJSON

/// Parses a command line according to a command's description.
struct ArgumentParser {
  let description: CommandDescription
  private var parsed = ParsedArguments()
  private var followsUnknownOption = false

  /// Parses the words after the command's name.
  ///
  /// - Complexity: O(*n*), where *n* is the number of words, plus a suggestion for each unknown
  ///   word.
  static func parse(_ words: [String], as description: CommandDescription) -> ParsedArguments {
    var parser = ArgumentParser(description: description)
    parser.parse(words)
    parser.validate()
    return parser.parsed
  }

  private init(description: CommandDescription) {
    self.description = description
  }

  private mutating func parse(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { add(operand: operand) }
        return
      }
      if Self.looksLikeOption(word), !isNegativeOperand(word) {
        parse(option: word, rest: &rest)
      } else {
        add(operand: word)
      }
    }
  }

  private mutating func add(operand: String) {
    // A word after an unknown option may be the value of that option. It must not be reported as a
    // missing file.
    let isInput = !followsUnknownOption && nextOperand?.isInput == true
    parsed.add(operand: operand, isInput: isInput)
    followsUnknownOption = false
  }

  /// The description of the next operand; `nil` if the command takes no more operands.
  private var nextOperand: OperandDescription? {
    let operands = description.operands
    if parsed.operands.count < operands.count { return operands[parsed.operands.count] }
    return operands.last?.repeats == true ? operands.last : nil
  }

  /// Whether a word that begins like an option is an operand: a negative number where an ID is
  /// expected.
  private func isNegativeOperand(_ word: String) -> Bool {
    Self.isNegativeNumber(word) && nextOperand?.isInput == false
  }

  private mutating func parse(option word: String, rest: inout ArraySlice<String>) {
    followsUnknownOption = false
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var name = String(parts[0])
    var attached = parts.count > 1 ? String(parts[1]) : nil
    if name == CommandDescription.help.name || name == "-h" {
      parsed.noteHelp()
      return
    }
    // The value of a short option may follow it directly: `-oout.json`.
    let short = String(word.prefix(2))
    if name.count > 2, !name.hasPrefix("--"), description.option(named: short) != nil {
      name = short
      attached = String(word.dropFirst(2))
    }
    guard let option = description.option(named: name) else {
      let known = description.options.map(\.name) + [CommandDescription.help.name]
      parsed.note(problem: "unknown option '\(name)'" + DidYouMean.phrase(for: name, among: known))
      followsUnknownOption = attached == nil
      return
    }
    guard let placeholder = option.placeholder else {
      if attached != nil { parsed.note(problem: "\(name) takes no value") }
      take(option, value: nil)
      return
    }
    if let attached {
      take(option, value: attached)
    } else if let next = rest.first, !Self.looksLikeOption(next) || Self.isNegativeNumber(next) {
      rest.removeFirst()
      take(option, value: next)
    } else {
      var problem = "\(name) needs a value: \(name) \(placeholder)"
      if let next = rest.first, next.hasPrefix("-"), !next.hasPrefix("--"),
        description.option(named: next) == nil
      {
        problem += "; a value that begins with a dash is written \(name)=\(next)"
      }
      parsed.note(problem: problem)
    }
  }

  private mutating func take(_ option: OptionDescription, value: String?) {
    if parsed.has(option.name), !option.repeats {
      parsed.note(problem: "\(option.name) is given twice")
      return
    }
    if let value, let complaint = Self.complaint(about: value, for: option) {
      parsed.note(problem: complaint)
    }
    parsed.add(option: option, value: value)
  }

  /// Checks the rules that apply to the whole command line.
  private mutating func validate() {
    for missing in description.operands.dropFirst(parsed.operands.count)
    where !missing.isOptional {
      parsed.note(problem: "missing \(missing.placeholder)")
    }
    if description.operands.last?.repeats != true {
      for extra in parsed.operands.dropFirst(description.operands.count) {
        parsed.note(problem: "unexpected argument '\(extra)'")
      }
    }
    for option in description.options where option.isRequired && !parsed.has(option.name) {
      parsed.note(problem: "missing \(option.usage)")
    }
    let inputs = parsed.inputs + parsed.changed
    if inputs.count(where: { $0 == InputFile.standardInput }) > 1 {
      parsed.note(problem: "standard input ('-') can be read only once")
    }
  }

  private static func complaint(about value: String, for option: OptionDescription) -> String? {
    switch option.argument {
    case .none:
      return nil
    case .choice(let words):
      if words.contains(value) { return nil }
      return "\(option.name) is one of \(words.joined(separator: ", ")), not '\(value)'"
        + DidYouMean.phrase(for: value, among: words)
    case .count:
      if let number = Int(value), number >= 0 { return nil }
      if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
        return "\(option.name) is at most \(Int.max), not '\(value)'"
      }
      return "\(option.name) needs a whole number from 0, not '\(value)'"
    case .output where SQLiteFile.isName(value):
      return "'\(value)' would be a SQLite database by its name, and only import, export and pull "
        + "write one; name the file otherwise"
    case .output where OutputFile.isCompressedName(value),
      .database where OutputFile.isCompressedName(value):
      return OutputFile.compressedNameMessage(value)
    case .text(let name), .input(let name), .output(let name), .database(let name),
      .inputAndOutput(let name):
      return value.isEmpty ? "\(option.name) needs a value: \(option.name) \(name)" : nil
    }
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != InputFile.standardInput
  }

  /// Whether a word with a leading dash is a negative number. Such a word can be an ID and is never
  /// an option.
  private static func isNegativeNumber(_ word: String) -> Bool {
    word.dropFirst().first.map { ("0"..."9").contains($0) } ?? false
  }
}

/// Suggests a known word for a misspelled one.
enum DidYouMean {
  /// Returns a suggestion to append to an error message, or an empty string if no known word is
  /// near.
  ///
  /// - Complexity: O(*n* · *m*²), where *n* is the number of known words and *m* is their length.
  static func phrase(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the nearest known word, or `nil` if none is near. Of several equally near words, the
  /// first is returned.
  ///
  /// A known word is near if `word` is a prefix of it, because users abbreviate words. If `word`
  /// has at most 12 characters, a known word that is a prefix of `word` is near too, because users
  /// may use a longer name from another tool. Leading dashes are ignored.
  static func nearest(to word: String, among known: [String]) -> String? {
    let bareWord = bare(word)
    guard !bareWord.isEmpty else { return nil }
    let beginnings = known.filter {
      bare($0).hasPrefix(bareWord) || bareWord.count <= 12 && bareWord.hasPrefix(bare($0))
    }
    if let best = beginnings.min(by: { $0.count < $1.count }) { return best }
    // Short names are excluded, because any letter is near any other.
    let words = known.filter { bare($0).count > 2 }
    let nearest = Suggestion.nearest(to: bareWord, among: words.map(bare))
    return words.first { bare($0) == nearest }
  }

  private static func bare(_ word: String) -> String {
    String(word.lowercased().drop { $0 == "-" })
  }
}
