import EntiaJSON

/// Suggests a known word for a misspelled one.
enum DidYouMean {
  /// Returns a suggestion to append to an error message, or an empty string if no known word is
  /// near.
  ///
  /// - Complexity: O(*n* · *m*²), where *n* is the number of known words and *m* is their length.
  static func phrase(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the nearest known word, the first of several equally near ones, or `nil` if none is
  /// near.
  ///
  /// A word that is the beginning of a known one is near it regardless of the rest. So is a word of
  /// up to 12 characters that begins with a known one. Users abbreviate words, and use longer names
  /// from other tools. Leading dashes are ignored.
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
