import EntiaJSON
import EntiaLaws
import EntiaSQLiteRecords
import Foundation
import Testing

@Suite("JSON to SQLite and back")
struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ original: RecordDatabase, _ comment: Comment? = nil) throws {
    let path = try folder.write(original)
    let (json, notes) = try RecordFile.read(path)
    #expect(notes.isEmpty, comment)
    let copy = try database(json)
    let isEqual = copy == original
    #expect(isEqual, comment)
    // A table has one order of columns, so that rows with another order of members take that one.
    let isSame = try JSONText.parse(copy.write()) == JSONText.parse(original.write())
    #expect(isSame, comment)
  }

  @Test(
    "Each fixture comes back as its canonical JSON",
    arguments: [
      "blog/expected.json", "cycle/expected.json", "cycle/tables.expected.json",
      "dangling/expected.json", "described/expected.json", "described/graphql.expected.json",
      "gallery/expected.json", "music/expected.json", "partial/expected.json",
      "shared/expected.json",
    ])
  func fixtures(_ name: String) throws {
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "Fixtures/\(name)")))
    try check(try database(bytes), "\(name)")
    let path = try folder.write(try database(bytes))
    #expect(try database(try RecordFile.read(path).json).write() == bytes, "\(name)")
  }

  private static let names = [
    "name", "Name", "NAME", "e\u{301}", "é", "select", "a\"b", "a'b", "a b", "😀", "", "nul\u{0}x",
    "entia_order", "entia_id", "entia_row", "sqlite_x", "^Up", "entia_name_x", "rowid", "id2",
  ]
  private static let values = [
    "null", "true", "false", "0", "1", "-0", "-0.0", "0.0", "1.0", "1.50", "19.90", "1e3", "1E+3",
    "1e400", "-1e-400", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551616", "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "\"\"", "\"text\"", "\"1\"", "\"[1]\"", "\"{\\\"a\\\":1}\"", "\" [\"", "\"[\"",
    "\"entia:null\"",
    "\"\\u0000\"", "\"e\u{301}\"", "\"é\"", "\"😀\"", "\"text:x\"", "[]", "{}",
    "[1,[2,{\"a\":null}]]",
    "{\"b\":1.50,\"a\":[true]}", "\"$NaN\"",
  ]
  private static let ids = [
    "1", "2", "-5", "9223372036854775808", "1.5", "\"a\"", "\"b/c\"", "\"[1]\"", "\"A\"", "\"é\"",
    "\"e\u{301}\"", "\"\"", "\"😀\"", "\"x\\u0000y\"", "7.50", "1e9",
  ]

  /// Returns the JSON of tables with any rows.
  private static func randomTables(
    using random: inout some RandomNumberGenerator
  ) -> String {
    func quoted(_ name: String) -> String {
      String(decoding: JSONValue.string(name).bytes(), as: UTF8.self)
    }
    var entities: [String] = []
    var schemas: [String] = []
    let tables = names.shuffled(using: &random).prefix(3)
    for name in tables {
      let idName = ["id", "key", "rawID", "Name\""].randomElement(using: &random) ?? "id"
      let to = tables.randomElement(using: &random) ?? name
      schemas.append(
        """
        \(quoted(name)): {"id": \(quoted(idName)), "relationships": {"one": \(quoted(to)), \
        "many": [\(quoted(to))], "either": {"to": {"x": \(quoted(to)), "y": \(quoted(name))}}}}
        """)
      let members = names.filter { $0 != idName }.shuffled(using: &random).prefix(3)
      // Some columns have values of one kind only.
      let pools = members.map { _ in
        [values, ["true", "false", "null"], values.filter { $0.hasPrefix("\"") }]
          .randomElement(using: &random) ?? values
      }
      var rows: [String] = []
      let isNumeric = Bool.random(using: &random)
      let ids = ids.filter { !isNumeric || Int($0) != nil }
      for id in ids.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)) {
        var parts = ["\(quoted(idName)): \(id)"]
        for (member, pool) in zip(members, pools) where Int.random(in: 0..<4, using: &random) > 0 {
          parts.append("\(quoted(member)): \(pool.randomElement(using: &random) ?? "null")")
        }
        if Bool.random(using: &random) {
          parts.append("\"one\": \(Self.ids.randomElement(using: &random) ?? "1")")
          parts.append(
            "\"many\": [\(Self.ids.shuffled(using: &random).prefix(2).joined(separator: ","))]")
        }
        rows.append("{\(parts.joined(separator: ", "))}")
      }
      entities.append("\(quoted(name)): [\(rows.joined(separator: ", "))]")
    }
    return """
      {"schema": {"entities": {\(schemas.joined(separator: ", "))}}, \
      "entities": {\(entities.joined(separator: ", "))}, "result": {}}
      """
  }

  @Test("Rows with hostile names, IDs and values come back as they were")
  func anyRows() throws {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      let text = Self.randomTables(using: &random)
      let (original, _) = RecordDatabase.read(ImportSource(name: "input", bytes: Array(text.utf8)))
      // Two spellings of one value among the IDs are refused.
      guard let original else { continue }
      try check(original, "seed \(seed): \(text)")
    }
  }

  @Test("Rows of the top level come back in their order, without those that were deleted")
  func result() throws {
    let text = """
      {"schema": {"entities": {"a": {}}}, "entities": {"a": {"1": {"id": 1}, "x": {"id": "x"}, \
      "2": {"id": 2}}}, "result": {"a": ["x", 2, 1]}}
      """
    let path = try folder.write(try database(Array(text.utf8)))
    try folder.execute("DELETE FROM a WHERE id=2", path)
    let copy = try database(try RecordFile.read(path).json)
    #expect(copy.result.map(\.keys) == [[.string("x"), .number(JSONNumber(1))]])
  }

  @Test("A value that SQL changed is read as it is, and not by its former spelling")
  func changed() throws {
    let text = """
      {"schema": {"entities": {"a": {}}}, "entities": {"a": {"1": {"id": 1, "price": 19.90, "on": true}}}}
      """
    let path = try folder.write(try database(Array(text.utf8)))
    #expect(String(decoding: try RecordFile.read(path).json, as: UTF8.self).contains("19.90"))
    try folder.execute("UPDATE a SET price=20.5, \"on\"=7", path)
    let json = String(decoding: try RecordFile.read(path).json, as: UTF8.self)
    #expect(json.contains("20.5") && !json.contains("19.90") && json.contains("\"on\":7"))
  }

  @Test("More members than SQLite has columns are a typed error")
  func tooManyMembers() throws {
    let members = (0..<2500).map { "\"m\($0)\": 1" }.joined(separator: ", ")
    let text = """
      {"schema": {"entities": {"a": {}}}, "entities": {"a": {"1": {"id": 1, \(members)}}}}
      """
    let wide = try database(Array(text.utf8))
    do {
      try RecordFile.write(wide) { _ in Issue.record("nothing may be written") }
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("too many columns on a"), "\(error)")
    }
  }
}
