import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

@Suite("JSON to SQLite and back")
struct RecordFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ original: RecordDatabase, _ comment: Comment? = nil) throws {
    let path = try folder.write(original)
    let (json, notes) = try RecordFile.read(path)
    expectTrue(notes.isEmpty, comment)
    let copy = try database(json)
    let isEqual = copy == original
    expectTrue(isEqual, comment)
    // A table has one order of columns, so that rows with another order of members take that one.
    let isSame = try JSONText.parse(copy.write()) == JSONText.parse(original.write())
    expectTrue(isSame, comment)
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
    let bytes = try fixture("\(name)")
    try check(try database(bytes), "\(name)")
    let path = try folder.write(try database(bytes))
    try expectEqual(database(try RecordFile.read(path).json).write(), bytes, "\(name)")
  }

  @Test("Rows with hostile names, IDs and values come back as they were")
  func anyRows() throws {
    for seed in 0..<UInt64(scaled(67)) {
      var random = SeededGenerator(seed: seed)
      let text = HostileTables.json(using: &random)
      let (original, _) = RecordDatabase.read(ImportSource(name: "input", bytes: Array(text.utf8)))
      // Two spellings of one value among the IDs are refused.
      guard let original else { continue }
      try check(original, "seed \(seed): \(text)")
    }
  }

  @Test("Links are foreign keys, and columns of Boolean values have a type")
  func foreignKeys() throws {
    let text = """
      {"schema": {"entities": {"a": {"relationships": {"boss": {"to": "a"}, "in": {"to": "c"}, \
      "list": {"to": "a", "many": true}, "gone": {"to": "none"}}}, "none": {}, "c": {"id": ["x", "y"]}}}, \
      "entities": {"a": [{"id": "1", "boss": null, "in": null, "n": "x", "on": true, "price": 2}, \
      {"id": "2", "boss": "1", "list": ["1"], "n": "5", "price": 2.5}, {"id": "3"}], \
      "c": [{"x": 1, "y": 2}]}}
      """
    let original = try database(Array(text.utf8))
    try check(original)
    let path = try folder.write(original)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let statement = try connection.prepare("SELECT sql FROM sqlite_schema WHERE name='a'")
    try expectTrue(statement.step())
    let definition = statement.text(at: 0)
    for part in [
      #""id" PRIMARY KEY,"#, #" "boss" REFERENCES "a"("id"),"#,
      #" "in" REFERENCES "c"("entia_id"),"#, #" "n","#, #" "on" BOOLEAN,"#, #" "price","#,
      #" "list","#,
    ] { expectTrue(definition.contains(part), "\(definition)") }
    let violations = try connection.prepare("PRAGMA foreign_key_check")
    try expectFalse(violations.step())
    try connection.execute(
      "PRAGMA foreign_keys=ON; INSERT INTO a(id, boss) VALUES ('4', '2'); DELETE FROM a WHERE id='3'"
    )
    let kept = try database(try RecordFile.read(path).json)
    expectEqual(kept.count, 4)
    try expectTrue(RecordFile.losses(of: path).isEmpty)
  }

  @Test("Integers beyond 2^53 are stored exactly, in every notation")
  func greatIntegers() throws {
    let whole = [
      "9007199254740993", "-9007199254740993.0", "90071992547409930e-1", "9223372036854775807.00",
    ]
    let others = [
      "9223372036854775808", "9223372036854775809.0", "1e17", "9007199254740993.5", "-0", "1e400",
    ]
    let members = (whole + others).enumerated().map { ", \"m\($0)\": \($1)" }.joined()
    let text =
      #"{"schema":{"entities":{"a":{}}},"entities":{"a":[{"id":9007199254740993\#(members)}]}}"#
    let original = try database(Array(text.utf8))
    try check(original)
    let path = try folder.write(original, "numbers.sqlite")
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try expectEqual(connection.value("SELECT m0 + m1 + (m2 - m0) FROM a"), .integer(0))
    try expectEqual(connection.value("SELECT m3 FROM a"), .integer(.max))
    try expectEqual(connection.value("SELECT typeof(m6) || typeof(m7) FROM a"), .text("realreal"))
    // What SQL changes is read as it is, in spite of the spelling.
    try folder.execute("UPDATE a SET m1=m1 + 1", path)
    let changed = String(decoding: try RecordFile.read(path).json, as: UTF8.self)
    expectTrue(changed.contains(#""m1":-9007199254740992,"#), "\(changed)")
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
    expectEqual(copy.result.map(\.keys), [[.string("x"), .number(JSONNumber(1))]])
  }

  @Test("A value that SQL changed is read as it is, and not by its former spelling")
  func changed() throws {
    let text = """
      {"schema": {"entities": {"a": {}}}, "entities": {"a": {"1": {"id": 1, "price": 19.90, "on": true}}}}
      """
    let path = try folder.write(try database(Array(text.utf8)))
    expectTrue(String(decoding: try RecordFile.read(path).json, as: UTF8.self).contains("19.90"))
    try folder.execute("UPDATE a SET price=20.5, \"on\"=7", path)
    let json = String(decoding: try RecordFile.read(path).json, as: UTF8.self)
    expectTrue(json.contains("20.5") && !json.contains("19.90") && json.contains("\"on\":7"))
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
      expectTrue(
        "\(error)".contains("a has 2501 members, and a table of SQLite has columns for 1998"),
        "\(error)")
    }
  }
}
