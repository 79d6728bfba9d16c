import EntiaJSON

/// What somebody meant who typed a word that is not known.
enum DidYouMean {
  /// The words to append to an error, or nothing when no known word is near.
  ///
  /// - Complexity: O(*n* · *m*²) in the number of known words and their length.
  static func phrase(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The nearest known word, the first of equals; nil when none is near.
  ///
  /// A word that begins a known one is near whatever is left, and so the other way round: people
  /// shorten, and know longer names from elsewhere. Dashes do not count.
  static func nearest(to word: String, among known: [String]) -> String? {
    let bareWord = bare(word)
    guard !bareWord.isEmpty else { return nil }
    let beginnings = known.filter {
      bare($0).hasPrefix(bareWord) || bareWord.count <= 12 && bareWord.hasPrefix(bare($0))
    }
    if let best = beginnings.min(by: { $0.count < $1.count }) { return best }
    // Any one letter is near any other.
    let words = known.filter { bare($0).count > 2 }
    let nearest = Suggestion.nearest(to: bareWord, among: words.map(bare))
    return words.first { bare($0) == nearest }
  }

  private static func bare(_ word: String) -> String {
    String(word.lowercased().drop { $0 == "-" })
  }
}
