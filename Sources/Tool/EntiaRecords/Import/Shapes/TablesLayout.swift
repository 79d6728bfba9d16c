import EntiaCoding
import EntiaJSON

extension ImportSource {
  /// Whether the text is an object of tables without the `entities` of a database's output.
  ///
  /// - Complexity: O(bytes) for such an object.
  package var holdsPlainTables: Bool {
    withWindow { window in
      let layout = TablesLayout(window)
      return layout.hasMembers && !layout.isDatabase
    }
  }
}

/// The structure of a text of tables that is needed before its records are read.
struct TablesLayout {
  /// Whether the tables are in a member `entities`, as in the output of a database.
  private(set) var isDatabase = false
  /// Whether the text is an object that is not empty.
  private(set) var hasMembers = false
  /// The offset and the text of the schema, if there is one.
  private(set) var schema: (start: Int, bytes: [UInt8])?

  init() {}

  /// Creates the layout of a text from its top-level members, which are read until the structure is
  /// known. The output of a database begins with its schema, so that nothing is read twice.
  ///
  /// - Parameters:
  ///   - window: The text.
  ///   - path: The path of the tables, or nil for the whole input.
  init(_ window: ByteWindow, at path: JSONPath? = nil) {
    var reader = JSONReader(window)
    do {
      if let path, try reader.descend(to: path) != nil { return }
      guard try reader.next() == .beginObject else { return }
      while try reader.next() == .name, !(isDatabase && schema != nil) {
        hasMembers = true
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
      // Reading the records reports the same error.
    }
  }

  /// Skips a value, and returns whether it could be a schema: an object with a member `entities`.
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
