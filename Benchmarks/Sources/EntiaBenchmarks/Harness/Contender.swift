/// One contestant's way through a case.
struct Contender {
  let name: String
  /// Whether its results can be compared with the others'.
  var isComparable = true
  /// Passes through the case until the run wants no more; called many times, never from two threads.
  let turn: (inout Run) throws -> Void

  init(
    _ name: String, isComparable: Bool = true, _ turn: @escaping (inout Run) throws -> Void
  ) {
    self.name = name
    self.isComparable = isComparable
    self.turn = turn
  }
}

/// The names of contestants.
enum Names {
  static let entia = "entia"
  static let dictionary = "dictionary"
  static let array = "array"
  static let nested = "nested"
  /// The yardstick: a plain dictionary's look-up by an integer.
  static let dictionaryFind = "dictionary find"
  static let stringDictionaryFind = "string dictionary find"
  static let fresh = "fresh"
}
