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

@Suite("Names in SQL")
struct SQLNameTests {
  @Test("A name is stored as it is unless SQLite or Entia reserves it, and comes back")
  func names() {
    let plain = ["title", "Title", "order by", "a\"b", "ünï", "😀", "select", "^x", "rowid"]
    for name in plain { expectEqual(SQLName.stored(name, taken: []), name) }
    for name in plain + ["", "sqlite_x", "SQLite_X", "entia_order", "Entia_", "a\0b", "^A^0"] {
      for taken: Set<String> in [[], [SQLName.lowercased(name)]] {
        expectEqual(SQLName.original(SQLName.stored(name, taken: taken)), name)
      }
    }
  }

  @Test("Names that differ only in case are stored under names that differ in more")
  func differentCase() {
    var taken: Set<String> = []
    for name in ["title", "Title", "TITLE", "tITLE", "^title"] {
      let stored = SQLName.lowercased(SQLName.stored(name, taken: taken))
      expectFalse(taken.contains(stored))
      taken.insert(stored)
    }
  }

  @Test("A quoted name is one identifier, also with marks that combine with a quote")
  func quoted() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    for name in ["a\"b", "\"", "\"\"", "a\"\u{301}; b", "\"\u{FE0F}", "\u{301}\"\u{200D}\""] {
      try connection.execute("CREATE TABLE \(SQLName.quoted(name))(a)")
      let found = try connection.value(
        "SELECT count(*) FROM sqlite_schema WHERE name=?", [.text(name)])
      expectEqual(found, .integer(1), "\(name)")
    }
  }
}
