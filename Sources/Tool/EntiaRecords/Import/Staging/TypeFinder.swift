import EntiaCoding

/// Finds the type member of an object before the object's members are read.
///
/// Usually the type is the first member. Otherwise the object is read ahead once, and the types of
/// the objects inside it are cached. Types at the end of nested objects therefore cause no repeated
/// work.
struct TypeFinder {
  /// The results of reading ahead: the offsets of types, by the offsets of their objects.
  private struct Ahead {
    var end = 0
    var types: [Int: Int] = [:]
  }

  private var ahead: [ExactString: Ahead] = [:]

  /// Removes the cached results, because another input may have other objects at the same offsets.
  mutating func reset() {
    if !ahead.isEmpty { ahead.removeAll() }
  }

  /// Returns the offset of a member's value in the object that has begun, or nil if the object has
  /// no such member.
  mutating func find(
    _ name: ExactString, from reader: inout JSONReader
  ) throws(JSONError) -> Int? {
    let start = reader.tokenStart
    if let known = ahead[name], start < known.end { return known.types[start] }
    let first = try reader.lookingAhead { (ahead) throws(JSONError) -> Int? in
      guard try ahead.next() == .name, Self.isNamed(name, ahead) else { return nil }
      _ = try ahead.next()
      return ahead.tokenStart
    }
    if let first { return first }
    let found = try reader.lookingAhead { (ahead) throws(JSONError) in
      try Self.read(name, from: &ahead)
    }
    ahead[name] = found
    return found.types[start]
  }

  /// Reads the rest of the object whose `{` was read last, and returns the types in the object.
  private static func read(
    _ name: ExactString, from reader: inout JSONReader
  ) throws(JSONError) -> Ahead {
    var found = Ahead()
    var starts: [Int] = [reader.tokenStart]
    while let start = starts.last {
      let token = try reader.next()
      switch token {
      case .beginObject, .beginArray: starts.append(reader.tokenStart)
      case .endObject, .endArray: starts.removeLast()
      case .name where found.types[start] == nil && isNamed(name, reader):
        let token = try reader.next()
        found.types[start] = reader.tokenStart
        if token.opens { starts.append(reader.tokenStart) }
      default: continue
      }
    }
    found.end = reader.tokenEnd
    return found
  }

  private static func isNamed(_ name: ExactString, _ reader: borrowing JSONReader) -> Bool {
    reader.hasEscapes
      ? name == ExactString(reader.string()) : name.string.hasExactly(reader.rawString)
  }
}
