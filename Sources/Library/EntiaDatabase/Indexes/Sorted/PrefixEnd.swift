/// The place after every string that begins with a prefix, in the order of strings.
struct PrefixEnd {
  private let prefix: String

  init(of prefix: String) { self.prefix = prefix }

  /// Whether a string is before this place: it begins with the prefix, or is before it.
  func follows(_ text: String) -> Bool {
    // Strings are compared by the scalars of their composed forms. U+10FFFF is the last scalar and
    // composes with no other, so that no string is after more of them than it has itself.
    let last: Unicode.Scalar = "\u{10FFFF}"
    let count = text.unicodeScalars.count { $0 == last } + 1
    return text < prefix + String(repeating: Character(last), count: count)
  }
}

extension PrefixEnd: CustomStringConvertible {
  var description: String { "\"\(prefix)…\"" }
}
