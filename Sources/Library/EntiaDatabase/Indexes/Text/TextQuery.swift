import EntiaCollections

/// A query, divided into terms. Any text is a query, because what cannot be parsed is searched as
/// words.
struct TextQuery {
  /// Adjacent words. A row must contain every term that is not excluded, and no excluded term.
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

  /// Removes the name of a field and a colon from the start of a text, and returns the number of
  /// the field. Returns `nil` if the text does not begin with the name of a field.
  private static func takeField(from text: inout Substring, _ fields: [String?]) -> Int? {
    // The colon is looked up only within the length of the longest field name. Otherwise, each term
    // would cost a search of the rest of the query.
    let length = fields.reduce(0) { max($0, $1?.count ?? 0) }
    guard let colon = text.prefix(length + 1).firstIndex(of: ":") else { return nil }
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
    // In a script without spaces, a word is a pair of adjacent characters. The last pair contains
    // the last character, so that the character is not also needed as a separate word.
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

/// A word of a query that may have typos: wrong, missing, additional or exchanged letters.
struct TypoPattern {
  private let letters: [Unicode.Scalar]
  /// The number of typos that are allowed. By default, it is 0 for words of fewer than 4 letters, 1
  /// for words of fewer than 8 letters, and otherwise 2.
  let typoCount: Int

  init(_ word: String) {
    let letters = Array(word.unicodeScalars)
    self.init(letters: letters, allowing: letters.count < 4 ? 0 : letters.count < 8 ? 1 : 2)
  }

  init(_ word: String, allowing typoCount: Int) {
    self.init(letters: Array(word.unicodeScalars), allowing: typoCount)
  }

  private init(letters: [Unicode.Scalar], allowing typoCount: Int) {
    self.letters = letters
    self.typoCount = typoCount
  }

  private enum Comparison {
    /// A prefix of the compared word equals the word of the query, except for typos. The value is
    /// the number of letters of the prefix.
    case match(Int)
    /// No word that begins with a certain prefix of the compared word can match. The value is the
    /// number of letters of the prefix.
    case mismatch(Int)
    /// The compared word is too short, but a longer word that begins with it may match.
    case open
  }

  /// Whether a word begins with the word of the query, except for typos.
  func matches(_ word: String) -> Bool {
    if case .match = compare(Array(word.unicodeScalars)) { true } else { false }
  }

  /// Compares a word letter by letter. Each row of distances is for one more letter of the word.
  private func compare(_ word: [Unicode.Scalar]) -> Comparison {
    var row = Array(0...letters.count)
    if row[letters.count] <= typoCount { return .match(0) }
    var before = row
    for (index, letter) in word.enumerated() {
      var next = [index + 1]
      for column in letters.indices {
        let isSame = letters[column] == letter
        var distance = min(row[column] + (isSame ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, letters[column - 1] == letter, letters[column] == word[index - 1]
        {
          distance = min(distance, before[column - 1] + 1)
        }
        next.append(distance)
      }
      if next[letters.count] <= typoCount { return .match(index + 1) }
      if (next.min() ?? 0) > typoCount { return .mismatch(index + 1) }
      before = row
      row = next
    }
    return .open
  }

  /// Returns the ranks of the chunks of all matching words. Words with the same beginning are
  /// compared once.
  func ranks(in tree: PostingTree) -> [Range<Int>] {
    guard typoCount > 0 else { return [] }
    var result: [Range<Int>] = []
    var rank = 0
    while let chunk = tree.chunks.nth(rank) {
      let text = String(decoding: chunk.termBytes, as: UTF8.self)
      let word = Array(text.unicodeScalars)
      func end(_ count: Int) -> Int {
        let prefix = String(String.UnicodeScalarView(word.prefix(count)))
        return tree.ranks(withPrefix: PostingTerm(prefix)).upperBound
      }
      let next: Int
      switch compare(word) {
      case .match(let count):
        next = end(count)
        result.append(rank..<next)
      case .mismatch(let count): next = end(count)
      case .open: next = tree.ranks(of: PostingTerm(text)).upperBound
      }
      // `next` is the end of a range of chunks. The range contains the chunk at `rank`, because its
      // term begins with the prefix. Therefore `next` is greater than `rank`. `max` ensures that
      // the loop ends even if the range lacks this chunk.
      rank = max(rank + 1, next)
    }
    return result
  }
}
