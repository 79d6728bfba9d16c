import EntiaCoding

extension JSONText {
  /// Returns the value of a member, or nil if the value is not an object with this member.
  func member(_ name: String) -> JSONText? {
    guard text.utf8.first == Byte.openBrace else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> JSONText? in
      var canonicalizer = JSONCanonicalizer()
      do {
        _ = try reader.next()
        while try reader.next() == .name {
          let isFound = reader.string().isExactly(name)
          let token = try reader.next()
          if isFound { return try canonicalizer.read(token, from: &reader) }
          try reader.skipValue(token)
        }
      } catch {}
      return nil
    }
  }

  /// The elements if the value is an array, otherwise nil.
  var elements: [JSONText]? {
    guard text.utf8.first == Byte.openBracket else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> [JSONText]? in
      var elements: [JSONText] = []
      var canonicalizer = JSONCanonicalizer()
      do {
        _ = try reader.next()
        while true {
          let token = try reader.next()
          if token == .endArray { return elements }
          elements.append(try canonicalizer.read(token, from: &reader))
        }
      } catch {
        return nil
      }
    }
  }
}
