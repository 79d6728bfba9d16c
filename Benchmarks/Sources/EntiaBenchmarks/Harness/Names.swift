/// The names of contestants.
enum Names {
  static let entia = "entia"
  static let dictionary = "dictionary"
  static let array = "array"
  static let nested = "nested"
  static let sqlite = "sqlite"
  /// The yardstick: the lookup of an integer in a plain dictionary.
  static let dictionaryFind = "dictionary find"
  /// Entia with a table that was newly built from the same rows.
  static let fresh = "fresh"
}
