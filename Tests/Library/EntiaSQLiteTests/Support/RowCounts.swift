import EntiaDatabase
import Testing

@testable import EntiaSQLite

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
