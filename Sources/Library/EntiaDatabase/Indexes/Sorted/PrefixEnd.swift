/// The place after every string that begins with a prefix, in the order of strings.
struct PrefixEnd {
  private let prefix: String

  init(of prefix: String) { self.prefix = prefix }

  /// Whether a string is before this place: it begins with the prefix, or is before it.
  func follows(_ text: String) -> Bool {
    // Strings are compared by the scalars of their composed forms, and U+10FFFF is the last scalar.
    // The prefix with one more of them than the text has is therefore after the text, if the text
    // begins with the prefix.
    let last: Unicode.Scalar = "\u{10FFFF}"
    let count = text.unicodeScalars.count { $0 == last } + 1
    return text < prefix + String(repeating: Character(last), count: count)
  }
}

extension PrefixEnd: CustomStringConvertible {
  var description: String { "\"\(prefix)…\"" }
}
