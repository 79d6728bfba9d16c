extension JSONText {
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
