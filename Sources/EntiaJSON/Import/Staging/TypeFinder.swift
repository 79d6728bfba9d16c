/// Finds the member that says the type of an object before the object's members are read.
///
/// Mostly it comes first. Where it does not, the object is read ahead once, and what is found of the
/// objects inside it is remembered, so that a type at the end of each of many levels is no more work.
struct TypeFinder {
  /// What reading ahead found: where the types of objects stand, by where the objects begin.
  private struct Ahead {
    var end = 0
    var types: [Int: Int] = [:]
  }

  private var ahead: [ExactString: Ahead] = [:]

  /// Forgets what was found; offsets mean something else from now on.
  mutating func forget() {
    if !ahead.isEmpty { ahead.removeAll() }
  }

  /// Gives the offset of the value of a member of the object that has begun; nil if it has none.
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

  /// Reads the object that has begun to its end.
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
