import EntiaCoding
package import EntiaJSON

extension Schema {
  /// Returns whether an input is intended as a schema, valid or not, rather than data. Reads only
  /// as much of it as necessary.
  ///
  /// A schema has a member `entities`, which is an object of entities. Each entity has no members
  /// except `id`, `idFromParent`, `relationships` and `aliases`. A database also has `entities`,
  /// but with a `schema` or a `result` beside it, and with rows that have other members.
  ///
  /// - Complexity: O(length of the text) at most.
  package static func looksLikeSchema(_ source: ImportSource) -> Bool {
    source.withWindow { window -> Bool in
      var reader = JSONReader(window)
      do throws(JSONError) {
        guard try reader.next() == .beginObject else { return false }
        var isSchema = false
        while try reader.next() == .name {
          let name = reader.string()
          let token = try reader.next()
          if name == "schema" || name == "result" { return false }
          if name == "entities", token == .beginObject {
            guard try areEntities(&reader) else { return false }
            isSchema = true
          } else {
            try reader.skipValue(token)
          }
        }
        return isSchema
      } catch {
        return false
      }
    }
  }

  private static func areEntities(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    while try reader.next() == .name {
      guard try reader.next() == .beginObject else { return false }
      while try reader.next() == .name {
        let name = reader.string()
        let token = try reader.next()
        let isKnown =
          name == "id" && token != .beginObject
          || name == "idFromParent" && !token.opens
          || token == .beginObject
            && Suggestion.nearest(to: name, among: ["relationships", "aliases"]) != nil
        if !isKnown { return false }
        try reader.skipValue(token)
      }
    }
    return true
  }
}
