import EntiaLocalServer
import EntiaPostgreSQL
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

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
