/// How a text of tables is put together, as far as it must be known before its rows are read.
struct TablesLayout {
  /// Says whether the tables are in a member `entities`, as in a database's own output.
  private(set) var isDatabase = false
  /// Where the schema stands, and its text, if there is one.
  private(set) var schema: (start: Int, bytes: [UInt8])?

  init() {}

  /// Looks at the top-level members, until enough of them are known; a database's own output has
  /// its schema first, so that nothing is read twice.
  init(_ window: ByteWindow) {
    var reader = JSONReader(window)
    do {
      guard try reader.next() == .beginObject else { return }
      while try reader.next() == .name, !(isDatabase && schema != nil) {
        let name = reader.string()
        let token = try reader.next()
        let start = reader.tokenStart
        if name == "schema" { reader.keptFrom = start }
        if name == "entities" {
          isDatabase = true
          if schema != nil { return }
        }
        let isSchema = try Self.skip(token, &reader)
        if name == "schema", isSchema, schema == nil {
          schema = (start, Array(reader.bytes(start..<reader.tokenEnd)))
        }
        reader.keptFrom = .max
      }
    } catch {
      // Reading the rows meets the same error and tells it.
    }
  }

  /// Passes over a value and says whether it could be a schema: an object with a member `entities`.
  private static func skip(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Bool {
    guard token == .beginObject else {
      try reader.skipValue(token)
      return false
    }
    var isSchema = false
    while try reader.next() == .name {
      if reader.string() == "entities" { isSchema = true }
      try reader.skipValue(try reader.next())
    }
    return isSchema
  }
}
