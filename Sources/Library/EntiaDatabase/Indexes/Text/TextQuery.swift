/// A query, divided into terms. Any text is a query: what is not written as one is searched as
/// words.
struct TextQuery {
  /// Adjacent words. Of several terms, a row must contain each, and none that is excluded.
  struct Term {
    var words: [Word]
    var isExcluded = false
    /// The number of the field that must contain the words; `nil` for any.
    var field: Int?
  }

  struct Word {
    let text: String
    /// Whether longer words that begin with this one are found too.
    var isPrefix: Bool
  }

  private(set) var terms: [Term] = []

  /// Divides a text into terms.
  /// - Parameters:
  ///   - text: The text, such as `le guin -"the word" title:disp`.
  ///   - fields: The names of the fields to which a term can be restricted.
  ///   - tokenizer: The tokenizer of the index.
  init(_ text: String, fields: [String?], tokenizer: any TextTokenizer) {
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      var term = Term(words: [])
      if first == "-", let next = rest.dropFirst().first, !next.isWhitespace, next != "-" {
        term.isExcluded = true
        rest.removeFirst()
      }
      term.field = Self.takeField(from: &rest, fields)
      var isPhrase = false
      var content = rest.prefix { !$0.isWhitespace }
      if let first = rest.first, first.isQuote {
        let quoted = rest.dropFirst()
        if let end = quoted.firstIndex(where: \.isQuote) {
          isPhrase = true
          content = quoted[..<end]
          rest = quoted[quoted.index(after: end)...]
        } else {
          // A phrase that is still being typed is searched as words.
          content = quoted.prefix { !$0.isWhitespace }
        }
      }
      if !isPhrase { rest = rest[content.endIndex...] }
      term.words = Self.words(of: content, tokenizer, isPhrase: isPhrase)
      if !term.words.isEmpty { terms.append(term) }
    }
  }

  /// Removes the name of a field and a colon from the start of a text.
  private static func takeField(from text: inout Substring, _ fields: [String?]) -> Int? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    guard let next = rest.first, !next.isWhitespace,
      let field = fields.firstIndex(where: { $0?.lowercased() == name })
    else { return nil }
    text = rest
    return field
  }

  private static func words(
    of text: Substring, _ tokenizer: any TextTokenizer, isPhrase: Bool
  ) -> [Word] {
    var found = tokenizer.words(in: String(text))
    // The pair before the last character of a text without spaces already contains it.
    if let last = found.last, last.isOpen,
      let pair = found.dropLast().last, pair.range.upperBound == last.range.upperBound
    {
      found.removeLast()
      return found.map { Word(text: $0.text, isPrefix: false) }
    }
    var words = found.map { Word(text: $0.text, isPrefix: $0.isOpen) }
    if !isPhrase, !words.isEmpty { words[words.count - 1].isPrefix = true }
    return words
  }
}

extension Character {
  fileprivate var isQuote: Bool { self == "\"" || self == "“" || self == "”" || self == "„" }
}
