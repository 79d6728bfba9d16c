import EntiaJSON
import EntiaLocalServer
import EntiaPostgreSQL
import Foundation
import Testing

/// The database of these tests on the server that all tests share.
enum TestSpaces {
  private static let database = Task {
    let server = try await LocalServer.shared()
    try server.query("CREATE DATABASE records")
    let string = server.string(database: "records")
    try UntypedSpace.install(connecting: string)
    return string
  }

  /// Returns the connection string of the database, which has Entia's tables.
  static func connection() async throws -> String { try await database.value }
}

/// Returns the bytes of a fixture.
func fixture(_ name: String) throws -> [UInt8] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return try [UInt8](Data(contentsOf: root.appending(path: "Fixtures/\(name)")))
}

/// Returns the database of a JSON text of tables.
func database(_ json: [UInt8], _ name: String = "input.json") throws -> RecordDatabase {
  let (database, report) = RecordDatabase.read(ImportSource(name: name, bytes: json))
  return try #require(database, "\(ImportProblems(report.problems))")
}
