import EntiaDatabase
import Testing

@testable import EntiaSQLite

extension DatabaseFile {
  /// Expects that the recorded number of the rows of each table of the storage is right.
  func expectRowCounts(_ comment: Comment? = nil) throws {
    try withTurn { file in
      guard file.header.isSaved else { return }
      for (part, table) in file.header.tables {
        let exists = try file.connection.value(
          "SELECT count(*) FROM sqlite_schema WHERE name=?", [.text(table)])
        let count = exists == .integer(0) ? 0 : try file.connection.countRows(of: table)
        let recorded = try file.connection.recordedRowCount(of: table)
        try #require(recorded == count, comment ?? "\(part)")
      }
    }
  }
}
