/// What English names of members and entities tell of each other.
enum EntityNames {
  private static let strongIDs = ["id", "_id", "@id", "$id", "pk", "uuid", "guid"]
  private static let weakIDs = [
    "key", "sku", "slug", "code", "isbn", "ean", "symbol", "handle", "username", "login", "number",
    "no", "nr",
  ]

  /// The ranks from which a name alone does not make an ID.
  static let firstWeakRank = 100

  /// How likely a member is the ID of its record by its name, 0 the most; nil if it is not.
  static func idRank(of member: String, in record: String) -> Int? {
    let name = member.lowercased()
    if let rank = strongIDs.firstIndex(of: name) { return rank }
    let (base, suffix) = stripped(member)
    if suffix != nil, base == words(singular(record)) { return strongIDs.count }
    return weakIDs.firstIndex(of: name).map { $0 + firstWeakRank }
  }

  private static let suffixes = ["uuids", "uuid", "guid", "ids", "id", "pk", "fk", "key", "ref"]
  private static let prepositions = ["to", "by", "of"]

  /// The words of a member's name, without an ending that says that it is an ID, and that ending.
  static func stripped(_ member: String) -> (base: [String], suffix: String?) {
    var base = words(member)
    guard base.count > 1, let last = base.last, suffixes.contains(last) else { return (base, nil) }
    base.removeLast()
    return (base, last)
  }

  /// Says whether a member's name sounds like a reference, whatever it refers to.
  static func soundsLikeReference(_ member: String) -> Bool {
    let words = words(member)
    guard words.count > 1, let last = words.last else { return words == ["parent"] }
    return suffixes.contains(last) || prepositions.contains(last)
  }

  /// A member's name, as it is compared with the names of entities.
  struct Member {
    /// The words without an ending that says that it is an ID, the last one in the singular.
    let base: [String]
    let joined: String
    /// The whole name as one word, where no ending was taken off.
    let whole: String?

    init(_ name: String) {
      var (base, suffix) = EntityNames.stripped(name)
      whole = suffix == nil ? base.joined() : nil
      if let last = base.popLast() { base.append(singular(last)) }
      self.base = base
      joined = base.joined()
    }

    /// Says whether the member is called like an entity: `author`, `authors`, `author_id`, and less
    /// so `mainAuthor`.
    func match(_ entity: Entity) -> (isMatch: Bool, isWhole: Bool) {
      // Several words of an entity may be written as one: `playlisttrack`, `playlist_track`.
      if joined == entity.joined || whole == entity.joined { return (true, true) }
      let isEnding =
        base.count > entity.words.count && base.suffix(entity.words.count) == entity.words[...]
      return (isEnding, false)
    }
  }

  /// An entity's name, as it is compared with the names of members.
  struct Entity {
    let words: [String]
    let joined: String

    init(_ name: String) {
      words = EntityNames.words(singular(name))
      joined = words.joined()
    }
  }

  /// The words that a name is written with: `bestFriend`, `best_friend` and `BestFriend` are two.
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

  /// The plural of a name's last word, as far as it ends regularly; a plural stays as it is.
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

  /// The singular of a name's last word, as far as it ends regularly.
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

  /// Replaces an ending that is a whole word, however its first letter is written.
  private static func replacing(_ old: String, with new: String, in name: String) -> String? {
    guard words(name).last == old, name.lowercased().hasSuffix(old) else { return nil }
    let first = name.suffix(old.count).prefix(1)
    return name.dropLast(old.count) + (first == first.uppercased() ? new.capitalizedFirst : new)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
