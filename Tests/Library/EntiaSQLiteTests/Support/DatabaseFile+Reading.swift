import EntiaDatabase
import Testing

@testable import EntiaSQLite

extension DatabaseFile {
  /// Returns the database in the file. The next save is compared with the same version as before.
  func read() throws -> Storage { try load(.throw, isCompared: false).database }

  /// Returns the definitions of the tables of the parts, and their rows as SQL literals.
  func dump() throws -> [String] {
    try withTurn { file in
      let tables = try file.connection.prepare(
        """
        SELECT name, sql FROM sqlite_schema
        WHERE type='table' AND name NOT LIKE 'entia%' AND name NOT LIKE 'sqlite%' ORDER BY name
        """)
      var lines: [String] = []
      while try tables.step() {
        lines.append(tables.text(at: 1))
        let name = SQLName.quoted(tables.text(at: 0))
        let info = try file.connection.prepare("SELECT name FROM pragma_table_xinfo(?)")
        try info.bind(.text(tables.text(at: 0)), at: 0)
        var columns: [String] = []
        while try info.step() {
          let column = SQLName.quoted(info.text(at: 0))
          columns.append("typeof(\(column)) || hex(\(column)) || ' ' || quote(\(column))")
        }
        let rows = try file.connection.prepare(
          "SELECT \(columns.joined(separator: " || ', ' || ")) FROM \(name) ORDER BY entia_order")
        while try rows.step() { lines.append(rows.text(at: 0)) }
      }
      return lines
    }
  }
}

extension SQLiteConnection {
  /// Runs SQL as another program does, with all triggers.
  func edit(_ sql: String) throws {
    let runs = runsTriggers
    try setRunsTriggers(true)
    try execute(sql)
    try setRunsTriggers(runs)
  }
}

extension DatabaseFile {
  /// Expects that the recorded number and sum of the rows of each table of the storage are right.
  /// Another program may have changed tables that were not saved since.
  func expectRowCounts(_ comment: Comment? = nil) throws {
    try withTurn { file in
      guard file.header.isSaved else { return }
      for (part, table) in file.header.tables {
        let exists = try file.connection.value(
          "SELECT count(*) FROM sqlite_schema WHERE name=?", [.text(table)])
        let count = exists == .integer(0) ? 0 : try file.connection.countRows(of: table)
        let recorded = try file.connection.recordedRowCount(of: table)
        try #require(recorded == count, comment ?? "\(part)")
        let sum = try file.connection.sumOfRows(of: table)
        let recordedSum = try file.connection.recordedSum(of: table)
        if recordedSum == .null || file.connection.runsTriggers { continue }
        try #require(
          recordedSum == sum.map { .integer(Int64(bitPattern: $0)) }, comment ?? "\(part)")
      }
    }
  }
}
