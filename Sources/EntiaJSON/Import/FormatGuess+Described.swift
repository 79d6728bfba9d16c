extension FormatGuess {
  /// Returns whether an input begins as a JSON:API document: its `data` or `included` member
  /// contains resources.
  static func isJSONAPI(_ window: ByteWindow, at path: JSONPath?) -> Bool {
    let outer = ["data", "included", "links", "meta", "jsonapi", "errors"]
    let inner = ["type", "id", "lid", "attributes", "relationships", "links", "meta"]
    var reader = JSONReader(window)
    do {
      if let path, try reader.descend(to: path) != nil { return false }
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
      // A text with an error is read in another format, which reports the error.
    }
    return false
  }

  /// Returns whether an input is a GraphQL response: an object with a `data` member that, near its
  /// beginning, contains a `__typename`, a list of objects, or a page (`edges` or `nodes`) of
  /// objects.
  static func isGraphQL(_ window: ByteWindow, at path: JSONPath?) -> Bool {
    var reader = JSONReader(window)
    do {
      if let path, try reader.descend(to: path) != nil { return false }
      guard try reader.next() == .beginObject else { return false }
      while try reader.next() == .name {
        let name = reader.string()
        guard ["data", "errors", "extensions"].contains(name) else { return false }
        let token = try reader.next()
        guard name == "data", token == .beginObject else {
          try reader.skipValue(token)
          continue
        }
        let data = reader.depth - 1
        var member = ""
        var mayHoldRecords = false
        for _ in 0..<1000 {
          let before = reader.depth
          let token = try reader.next()
          if mayHoldRecords, token == .beginObject { return true }
          mayHoldRecords =
            token == .beginArray
            && (before == data + 1 || member == "edges" || member == "nodes")
          if token == .name { member = reader.string() }
          if member == "__typename" { return true }
          if token == .end || reader.depth <= data { return false }
        }
        return false
      }
    } catch {
      // A text with an error is read in another format, which reports the error.
    }
    return false
  }
}
