import EntiaDatabase
import EntiaLocalServer
import Foundation

@testable import EntiaPostgreSQL
@testable import EntiaSharing

extension LocalServer {
  /// Returns a connection for the test itself.
  func connection(
    user: String = "entia", database: String = "postgres"
  ) throws -> PostgreSQLConnection {
    try PostgreSQLConnection(
      ConnectionString(string(user: user, database: database)), Interruption())
  }

  /// Creates a database with Entia's tables.
  /// - Returns: Its name.
  func makeDatabase() async throws -> String {
    let name = "test_\(UUID().uuidString.prefix(8).lowercased())"
    try connection().run("CREATE DATABASE \(name)")
    try await SharedDatabase<Cabinet>.install(connecting: string(database: name))
    return name
  }

  /// Returns a new space of a database for the tests.
  func open<Storage>(
    _ storage: Storage.Type, user: String = "entia", database: String,
    space: String = "space", schemaVersion: Int64 = 1, retention: LogRetention = LogRetention()
  ) async throws -> SharedDatabase<Storage> {
    try await SharedDatabase<Storage>(
      connecting: string(user: user, database: database), space: space,
      schemaVersion: schemaVersion, retention: retention)
  }
}
