/// Divides text into the words that a text index stores and finds.
///
/// `UnicodeWords` is the default. A tokenizer of your own may leave out words, for example, or
/// store their stems. An index uses the same tokenizer for rows and for queries.
///
/// ```swift
/// struct Stems: TextTokenizer {
///   func visitWords(in text: String, _ visit: (TextWord) -> Void) {
///     UnicodeWords().visitWords(in: text) { word in
///       let isPlural = word.text.count > 3 && word.text.hasSuffix("s")
///       visit(TextWord(isPlural ? String(word.text.dropLast()) : word.text, at: word.range))
///     }
///   }
/// }
/// ```
public protocol TextTokenizer: Sendable {
  /// Calls the closure with each word of a text, in order. The same text must have the same words
  /// each time.
  /// - Complexity: O(*n*) in the length of the text.
  func visitWords(in text: String, _ visit: (TextWord) -> Void)
}

/// A word of a text.
public struct TextWord: Hashable, Sendable {
  /// The word as an index compares it: folded, such as `resume` for `Résumé`.
  public let text: String
  /// The place of the word in its text.
  public let range: Range<String.Index>
  /// Whether the word ends only because its text ends: in a script without spaces, the words of a
  /// longer text would be longer. A query finds words that begin with an open word.
  public let isOpen: Bool

  /// Creates a word.
  /// - Parameters:
  ///   - text: The word as an index compares it.
  ///   - range: The place of the word in its text.
  ///   - isOpen: Whether the word ends only because its text ends.
  public init(_ text: String, at range: Range<String.Index>, isOpen: Bool = false) {
    self.text = text
    self.range = range
    self.isOpen = isOpen
  }
}

extension TextTokenizer {
  /// Returns the words of a text, in order.
  func words(in text: String) -> [TextWord] {
    var words: [TextWord] = []
    visitWords(in: text) { words.append($0) }
    return words
  }
}
