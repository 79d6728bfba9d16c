import EntiaCollections

/// A word of a query that may have typos: wrong, missing, additional or exchanged letters.
struct TypoPattern {
  private let letters: [Unicode.Scalar]
  /// The number of typos that are allowed: one from four letters, two from eight.
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
    /// The first letters, this many, are the word with at most the allowed number of typos.
    case match(Int)
    /// No word that begins with the first letters, this many, can match.
    case mismatch(Int)
    /// The word is too short.
    case open
  }

  /// Whether a word begins with the word of the query, except for typos.
  func matches(_ word: String) -> Bool {
    if case .match = compare(Array(word.unicodeScalars)) { true } else { false }
  }

  /// Compares a word letter by letter. Each row of distances is that of one more letter.
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
      // A tokenizer may emit words whose bytes are no prefix of themselves, such as zeros.
      rank = max(rank + 1, next)
    }
    return result
  }
}
