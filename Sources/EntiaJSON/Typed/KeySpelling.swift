/// How the names of properties are spelled in JSON.
public enum KeySpelling: Sendable {
  /// As they are.
  case same
  /// In snake case: `authorID` is `author_id` in JSON, and `isDone` is `is_done`.
  ///
  /// An import takes names that differ in underscores and case alone for one.
  case snakeCase
  /// In kebab case: `authorID` is `author-id` in JSON, and `isDone` is `is-done`.
  ///
  /// An import takes names that differ in hyphens and case alone for one.
  case kebabCase
  /// As a function spells them.
  ///
  /// The function returns the name that a property has in JSON, from the string value of its coding
  /// key, the same for the same property.
  case custom(@Sendable (_ property: String) -> String)

  /// The byte that separates words, where an import takes no notice of it.
  var separator: UInt8? {
    switch self {
    case .snakeCase: UInt8(ascii: "_")
    case .kebabCase: UInt8(ascii: "-")
    case .same, .custom: nil
    }
  }

  /// Returns a name as an export spells it.
  func spelled(_ name: String) -> String {
    switch self {
    case .same: name
    case .snakeCase: Self.separated(name, by: "_")
    case .kebabCase: Self.separated(name, by: "-")
    case .custom(let spell): spell(name)
    }
  }

  /// `authorID` is `author_id`, and `urlOfPage` is `url_of_page`.
  private static func separated(_ name: String, by separator: Character) -> String {
    let characters = Array(name)
    var spelled = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let follows = characters[index - 1]
        let precedes = index + 1 < characters.count ? characters[index + 1] : nil
        // A word begins after a small letter, and where small letters follow a run of large ones,
        // but for the plural of an acronym, as in `bookIDs`.
        let isPlural = precedes == "s" && index + 2 == characters.count
        let endsRun = precedes?.isLowercase == true && !isPlural
        if follows != separator, !follows.isUppercase || endsRun { spelled.append(separator) }
      }
      spelled.append(contentsOf: character.lowercased())
    }
    return spelled
  }
}
