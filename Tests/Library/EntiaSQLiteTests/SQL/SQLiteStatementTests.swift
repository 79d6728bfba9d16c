import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Statements of SQLite")
struct SQLiteStatementTests {
  @Test("Every value comes back as it was bound")
  func values() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    try connection.execute("CREATE TABLE t(v)")
    let values: [StoredValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.0), .real(.infinity),
      .real(.leastNonzeroMagnitude),
      .text(""), .text("a\0b"), .text("'; DROP TABLE t --"), .text("e\u{301}"), .blob([]),
      .blob([0, 255]),
    ]
    let insert = try connection.prepare("INSERT INTO t VALUES (?)", isKept: true)
    for value in values {
      try insert.bind(value, at: 0)
      try insert.run()
    }
    let select = try connection.prepare("SELECT v FROM t ORDER BY rowid")
    var found: [StoredValue] = []
    while try select.step() { found.append(select.value(at: 0)) }
    expectEqual(found, values)
  }

  @Test("Texts of any length are bound side by side, and again")
  func texts() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let select = try connection.prepare("SELECT ?, ?, ?", isKept: true)
    for count in [0, 1, 15, 16, 63, 64, 65, 10_000, 3] {
      let texts = ["a", "b", "é"].map { String(repeating: $0, count: count) }
      for (index, text) in texts.enumerated() { try select.bind(.text(text), at: index) }
      try expectTrue(select.step())
      expectEqual((0..<3).map { select.text(at: $0) }, texts)
      select.reset()
    }
    let failure = #expect(throws: SQLiteFailure.self) { try select.bind(.text("a"), at: 3) }
    expectEqual(failure?.code, 25)
  }

  @Test("An error has SQLite's code and message, and a transaction that throws leaves nothing")
  func errors() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    try connection.execute("CREATE TABLE t(v UNIQUE)")
    let failure = #expect(throws: SQLiteFailure.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute("INSERT INTO t VALUES (1)")
      }
    }
    expectEqual(failure?.code, 2067)
    expectEqual(failure?.message, "UNIQUE constraint failed: t.v")
    try expectEqual(connection.value("SELECT count(*) FROM t"), .integer(0))
    #expect(throws: SQLiteFailure.self) { try connection.prepare("SELEC 1") }
  }
}
