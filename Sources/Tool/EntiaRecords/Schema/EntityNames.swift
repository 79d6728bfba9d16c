import EntiaCoding

/// Relations between English names of members and entities.
enum EntityNames {
  private static let strongIDs = ["id", "_id", "@id", "$id", "pk", "uuid", "guid"]
  private static let weakIDs = [
    "key", "sku", "slug", "code", "isbn", "ean", "symbol", "handle", "username", "login", "number",
    "no", "nr",
  ]

  /// The lowest rank at which a name alone is not evidence of an ID.
  static let firstWeakRank = 100

  /// Returns the rank of a member's name as the ID of its record, where 0 is the most likely; nil
  /// if the name does not suggest an ID.
  static func idRank(of member: String, in record: String) -> Int? {
    let name = member.lowercased()
    if let rank = strongIDs.firstIndex(of: name) { return rank }
    let (base, suffix) = stripped(member)
    if suffix != nil, base == words(singular(record)) { return strongIDs.count }
    return weakIDs.firstIndex(of: name).map { $0 + firstWeakRank }
  }

  private static let suffixes = ["uuids", "uuid", "guid", "ids", "id", "pk", "fk", "key", "ref"]
  private static let prepositions = ["to", "by", "of"]

  /// Returns the words of a member's name without the ending that suggests an ID, and the ending.
  static func stripped(_ member: String) -> (base: [String], suffix: String?) {
    var base = words(member)
    guard base.count > 1, let last = base.last, suffixes.contains(last) else { return (base, nil) }
    base.removeLast()
    return (base, last)
  }

  /// Returns whether a member's name suggests a reference to any entity.
  static func soundsLikeReference(_ member: String) -> Bool {
    let words = words(member)
    guard words.count > 1, let last = words.last else { return words == ["parent"] }
    return suffixes.contains(last) || prepositions.contains(last)
  }

  /// A member's name, prepared for comparison with names of entities.
  struct Member {
    /// The words of the name, without an ending such as `id`. The last word is in the singular.
    let base: [String]
    let joined: String
    /// The whole name as one word, if it has no ending that suggests an ID.
    let whole: String?

    init(_ name: String) {
      var (base, suffix) = EntityNames.stripped(name)
      whole = suffix == nil ? base.joined() : nil
      if let last = base.popLast() { base.append(singular(last)) }
      self.base = base
      joined = base.joined()
    }

    /// Returns whether the member's name matches that of an entity, at least in its last words
    /// (`isMatch`) or as a whole (`isWhole`). For the entity `authors`, the names `author`,
    /// `authors` and `author_id` match as a whole, `mainAuthor` in its last word.
    func match(_ entity: Entity) -> (isMatch: Bool, isWhole: Bool) {
      // Several words of an entity's name may be written as one: `playlisttrack`, `playlist_track`.
      if joined == entity.joined || whole == entity.joined { return (true, true) }
      let isEnding =
        base.count > entity.words.count && base.suffix(entity.words.count) == entity.words[...]
      return (isEnding, false)
    }
  }

  /// An entity's name, prepared for comparison with names of members.
  struct Entity {
    let words: [String]
    let joined: String

    init(_ name: String) {
      words = EntityNames.words(singular(name))
      joined = words.joined()
    }
  }

  /// Returns the words of a name: `bestFriend`, `best_friend` and `BestFriend` have two.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      let isBreak = !character.isLetter && !character.isNumber
      if isBreak || character.isUppercase && wasLower {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if !isBreak { word += character.lowercased() }
      wasLower = character.isLowercase || character.isNumber
    }
    return word.isEmpty ? words : words + [word]
  }

  // MARK: Numbers

  private static let irregular = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
    ("mouse", "mice"), ("foot", "feet"), ("datum", "data"),
  ]
  private static let unchanging = ["series", "species", "news", "media", "staff", "status"]

  /// Returns the plural of a name's last word, for regular endings; a plural is unchanged.
  static func plural(_ name: String) -> String {
    if !singular(name).isExactly(name) { return name }
    for (one, many) in irregular {
      if let changed = replacing(one, with: many, in: name) { return changed }
    }
    if hasEnding(unchanging, name) { return name }
    if hasEnding(["s", "x", "z", "ch", "sh"], name) { return name + "es" }
    if hasEnding(["y"], name), let before = name.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    return name + "s"
  }

  /// Returns the singular of a name's last word, for regular endings.
  static func singular(_ name: String) -> String {
    for (one, many) in irregular {
      if let changed = replacing(many, with: one, in: name) { return changed }
    }
    if hasEnding(unchanging, name) || hasEnding(["ss", "us", "is"], name) { return name }
    if hasEnding(["ies"], name), name.count > 4 { return name.dropLast(3) + "y" }
    if hasEnding(["sses", "xes", "ches", "shes", "uses"], name) { return String(name.dropLast(2)) }
    return hasEnding(["s"], name) && name.count > 2 ? String(name.dropLast()) : name
  }

  private static func hasEnding(_ endings: [String], _ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// Replaces an ending that is a whole word, and keeps the case of its first letter.
  private static func replacing(_ old: String, with new: String, in name: String) -> String? {
    guard words(name).last == old, name.lowercased().hasSuffix(old) else { return nil }
    let first = name.suffix(old.count).prefix(1)
    return name.dropLast(old.count) + (first == first.uppercased() ? new.capitalizedFirst : new)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
