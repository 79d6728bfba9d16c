/// The spelling of property names in JSON.
public enum KeySpelling: Sendable {
  /// The unchanged names.
  case same
  /// Snake case: `authorID` is `author_id` in JSON, and `isDone` is `is_done`.
  ///
  /// An import ignores differences in underscores and case.
  case snakeCase
  /// Kebab case: `authorID` is `author-id` in JSON, and `isDone` is `is-done`.
  ///
  /// An import ignores differences in hyphens and case.
  case kebabCase
  /// A custom spelling by a function.
  ///
  /// The function returns a property's name in JSON from the string value of its coding key. It
  /// must always return the same name for the same property.
  case custom(@Sendable (_ property: String) -> String)

  /// The byte that separates words, if an import ignores it.
  var separator: UInt8? {
    switch self {
    case .snakeCase: UInt8(ascii: "_")
    case .kebabCase: UInt8(ascii: "-")
    case .same, .custom: nil
    }
  }

  /// Returns the spelling of a name in an export.
  func spelled(_ name: String) -> String {
    switch self {
    case .same: name
    case .snakeCase: Self.separated(name, by: "_")
    case .kebabCase: Self.separated(name, by: "-")
    case .custom(let spell): spell(name)
    }
  }

  /// Returns a name with separated words: `authorID` is `author_id`, and `urlOfPage` is
  /// `url_of_page`.
  private static func separated(_ name: String, by separator: Character) -> String {
    let characters = Array(name)
    var spelled = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let follows = characters[index - 1]
        let precedes = index + 1 < characters.count ? characters[index + 1] : nil
        // A word begins after a lowercase letter, and before the last uppercase letter of a run
        // that is followed by a lowercase letter, except for the plural of an acronym, as in
        // `bookIDs`.
        let isPlural = precedes == "s" && index + 2 == characters.count
        let endsRun = precedes?.isLowercase == true && !isPlural
        if follows != separator, !follows.isUppercase || endsRun { spelled.append(separator) }
      }
      spelled.append(contentsOf: character.lowercased())
    }
    return spelled
  }
}
