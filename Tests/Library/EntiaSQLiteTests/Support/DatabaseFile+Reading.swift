import EntiaDatabase

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
