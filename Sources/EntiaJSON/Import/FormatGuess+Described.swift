extension FormatGuess {
  /// Says whether an input begins as a JSON:API document: its data, or what is included, is
  /// resources.
  static func isJSONAPI(_ window: ByteWindow) -> Bool {
    let outer = ["data", "included", "links", "meta", "jsonapi", "errors"]
    let inner = ["type", "id", "lid", "attributes", "relationships", "links", "meta"]
    var reader = JSONReader(window)
    do {
      guard try reader.next() == .beginObject else { return false }
      while try reader.next() == .name {
        let name = reader.string()
        guard outer.contains(name) else { return false }
        var token = try reader.next()
        guard name == "data" || name == "included", token.opens else {
          try reader.skipValue(token)
          continue
        }
        if token == .beginArray { token = try reader.next() }
        guard token == .beginObject else { continue }
        var isTyped = false
        while try reader.next() == .name {
          let name = reader.string()
          guard inner.contains(name) else { return false }
          let token = try reader.next()
          if name == "type" { isTyped = token == .string }
          try reader.skipValue(token)
        }
        return isTyped
      }
    } catch {
      // What is broken is read in another way, which tells what is wrong.
    }
    return false
  }

  /// Says whether an input is a GraphQL response: an object with data in which, not far from the
  /// beginning, an object says its type.
  static func isGraphQL(_ window: ByteWindow) -> Bool {
    var reader = JSONReader(window)
    do {
      guard try reader.next() == .beginObject else { return false }
      while try reader.next() == .name {
        let name = reader.string()
        guard ["data", "errors", "extensions"].contains(name) else { return false }
        let token = try reader.next()
        guard name == "data", token == .beginObject else {
          try reader.skipValue(token)
          continue
        }
        for _ in 0..<1000 {
          switch try reader.next() {
          case .name: if reader.string() == "__typename" { return true }
          case .end: return false
          default: continue
          }
        }
        return false
      }
    } catch {
      // As above.
    }
    return false
  }
}
