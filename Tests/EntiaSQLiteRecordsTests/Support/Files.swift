import EntiaJSON
import EntiaSQLiteRecords
import Foundation
import Testing

@testable import EntiaSQLite

/// Returns the database of a JSON text of tables.
func database(_ json: [UInt8], _ name: String = "input.json") throws -> RecordDatabase {
  let (database, report) = RecordDatabase.read(ImportSource(name: name, bytes: json))
  return try #require(database, "\(ImportProblems(report.problems))")
}

extension TemporaryFolder {
  /// Writes a database into a file and returns its path.
  func write(_ database: RecordDatabase, _ name: String = "data.sqlite") throws -> String {
    var bytes: [UInt8] = []
    try RecordFile.write(database) { bytes += $0 }
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Creates a file by SQL and returns its path.
  func create(_ sql: String, _ name: String = "foreign.sqlite") throws -> String {
    try Data().write(to: URL(filePath: file(name)))
    try execute(sql, file(name))
    return file(name)
  }

  /// Runs SQL on a file.
  func execute(_ sql: String, _ path: String) throws {
    try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
  }
}

/// Returns the root of the repository.
let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
