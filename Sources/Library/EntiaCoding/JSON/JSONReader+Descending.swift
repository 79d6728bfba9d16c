extension JSONReader {
  /// Reads up to the value at a path, so that the next token begins that value.
  ///
  /// - Parameter path: The path, relative to the next value.
  /// - Returns: Nil if the value exists; otherwise, a message that describes why it does not.
  /// - Throws: A ``JSONError`` if the text is invalid.
  package mutating func descend(to path: JSONPath) throws(JSONError) -> String? {
    for step in path.steps {
      let token = try next()
      switch step {
      case .name(let name):
        guard token == .beginObject else {
          return "expected an object with the member \(name.quoted), found \(token.kindDescription)"
        }
        if let names = try skip(toMember: name) {
          return "there is no member \(name.quoted)" + Suggestion.sentence(for: name, among: names)
        }
      case .index(let index):
        guard token == .beginArray else {
          return "expected an array, found \(token.kindDescription)"
        }
        for _ in 0..<index {
          let token = try next()
          if token == .endArray { return "the array has no element \(index)" }
          try skipValue(token)
        }
      case .skipped: return "the path leaves steps out"
      }
    }
    return nil
  }

  /// Reads up to the value of a member.
  ///
  /// - Returns: Nil if a member has the name; otherwise, the names of up to 100 members.
  private mutating func skip(toMember name: String) throws(JSONError) -> [String]? {
    var names: [String] = []
    while try next() == .name {
      let found = string()
      if found.isExactly(name) { return nil }
      if names.count < 100 { names.append(found) }
      try skipValue(try next())
    }
    return names
  }

  /// Reads to the end of the outermost value.
  ///
  /// - Parameter path: The path of the value that was read last.
  /// - Returns: The offsets of duplicate names, in ascending order. A name is a duplicate if its
  ///   object has an earlier member with the same name, and the path leads through that member.
  package mutating func ascend(from path: JSONPath) throws(JSONError) -> [Int] {
    var duplicates: [Int] = []
    // The number of objects and arrays on the path that are still open.
    var level = depth
    while depth > 0 {
      let token = try next()
      level = min(level, depth)
      guard token == .name, depth == level, path.steps.indices.contains(level - 1),
        case .name(let name) = path.steps[level - 1], string().isExactly(name)
      else { continue }
      duplicates.append(tokenStart)
    }
    return duplicates
  }

  /// Returns the only array of objects among the members of the next object and of the objects
  /// nested in it. Arrays are not searched.
  ///
  /// - Returns: `path` is the path of the array, and `start` is the offset of the next object. Nil
  ///   if there is no array of objects, or more than one.
  package mutating func onlyListOfObjects() -> (path: JSONPath, start: Int)? {
    var found: [JSONPath] = []
    var start = 0
    do {
      guard try next() == .beginObject else { return nil }
      start = tokenStart
      // The names of the members that are open.
      var names: [String] = []
      while true {
        guard try next() == .name else {
          // An object has ended: the outermost object if `names` is empty, otherwise the value of
          // the last member in `names`.
          if names.popLast() == nil { break }
          continue
        }
        names.append(string())
        let token = try next()
        if token == .beginObject, names.count < Self.deepestList { continue }
        if token == .beginArray {
          let outside = depth - 1
          if try next() == .beginObject { found.append(JSONPath(names.map { .name($0) })) }
          while depth > outside { _ = try next() }
        } else {
          try skipValue(token)
        }
        names.removeLast()
      }
    } catch {
      // The error is ignored, because the arrays before it may already show where the records are.
    }
    return found.count == 1 ? (found[0], start) : nil
  }

  /// The maximum depth of nested members in which a list is searched for.
  private static var deepestList: Int { 8 }
}
