import EntiaTestSupport
import Testing

@testable import EntiaSQLite

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
