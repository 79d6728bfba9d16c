/// The names of contestants.
enum Names {
  static let entia = "entia"
  static let dictionary = "dictionary"
  static let array = "array"
  static let nested = "nested"
  static let sqlite = "sqlite"
  /// The yardstick: a plain dictionary's look-up by an integer.
  static let dictionaryFind = "dictionary find"
  /// Entia itself, newly built of the same rows.
  static let fresh = "fresh"
}
