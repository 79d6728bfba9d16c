import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

extension TemporaryFolder {
  /// Writes a database into a file and returns its path.
  func write(_ database: RecordDatabase, _ name: String = "data.sqlite") throws -> String {
    var bytes: [UInt8] = []
    try RecordFile.write(database) { bytes += $0 }
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Creates a file by SQL and returns its path.
  func create(_ sql: String, _ name: String = "foreign.sqlite") throws -> String {
    try Data().write(to: URL(filePath: path(name)))
    try execute(sql, path(name))
    return path(name)
  }

  /// Runs SQL on a file.
  func execute(_ sql: String, _ path: String) throws {
    try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
  }
}
