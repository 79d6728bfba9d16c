import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Formats of rows")
struct RowFormatTests {
  private func written(
    _ database: RecordDatabase, _ entity: String, _ format: RowFormat
  ) throws -> String {
    var text = ""
    let rows = try database.rows(RecordSelection(of: entity))
    database.write(rows, of: entity, as: format) { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  private func database(_ text: String) throws -> RecordDatabase {
    let (database, report) = RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8)))
    return try #require(database, "\(problems(report))")
  }

  private func blog() throws -> RecordDatabase {
    try database(
      """
      {"schema": {"entities": {"a": {}, "p": {"relationships": {"by": {"to": "a"},
        "also": {"to": "a", "many": true}}}}},
      "entities": {"a": [{"id": 1}],
        "p": [{"id": "x", "by": 1, "also": [1], "n": 1.50, "t": "a,b"},
              {"id": "y", "by": null, "b": true, "t": "say \\"hi\\"\\nyou", "o": {"k": [1, 2]}},
              {"id": "z", "t": ""}]}}
      """)
  }

  @Test("JSON is an array with a row on each line, ndjson the rows alone")
  func json() throws {
    let database = try blog()
    let lines = try written(database, "p", .ndjson)
    expectEqual(lines.split(separator: "\n").count, 3)
    expectTrue(lines.hasPrefix(#"{"id":"x","#))
    let rows = lines.split(separator: "\n").joined(separator: ",\n  ")
    try expectEqual(written(database, "p", .json), "[\n  \(rows)\n]\n")
  }

  @Test("CSV is quoted as in RFC 4180, and distinguishes an empty text from a missing value")
  func csv() throws {
    let text = try written(try blog(), "p", .csv)
    // The two are one character.
    let lines = text.split(separator: "\r\n" as Character).map(String.init)
    let header = lines[0].split(separator: ",").map(String.init)
    expectEqual(Set(header), ["id", "by", "also", "n", "t", "b", "o"])
    expectEqual(header.first, "id")
    expectTrue(text.hasSuffix("\r\n"))
    expectTrue(text.contains("\"a,b\""))
    expectTrue(text.contains("\"say \"\"hi\"\"\nyou\""))
    expectTrue(text.contains("\"{\"\"k\"\":[1,2]}\""))
    expectTrue(text.contains(",1.50,"))
    expectTrue(text.contains("[1]"))
    let last = try #require(lines.last)
    expectTrue(last.hasPrefix("z,"))
    expectEqual(last.split(separator: ",").filter { $0 == "\"\"" }.count, 1)
  }

  @Test("A table is aligned, has one line for each row, and truncates long values")
  func table() throws {
    let long = String(repeating: "x", count: 50)
    let database = try database(
      "{\"a\": [{\"id\": 1, \"t\": \"é\\ny\"}, {\"id\": 100, \"t\": \"\(long)\"}, {\"id\": 7}]}")
    try expectEqual(
      written(database, "a", .table),
      """
      id   t
      ---  ----------------------------------------
      1    é y
      7
      100  \(String(repeating: "x", count: 39))…

      """)
  }

  @Test("No rows are an empty array, no lines, or a header")
  func empty() throws {
    let database = try database("{\"schema\":{\"entities\":{\"a\":{}}},\"entities\":{\"a\":[]}}")
    try expectEqual(written(database, "a", .json), "[]\n")
    try expectEqual(written(database, "a", .ndjson), "")
    try expectEqual(written(database, "a", .csv), "id\r\n")
    try expectEqual(written(database, "a", .table), "id\n--\n")
  }
}
