import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite(
  "Rights of roles", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct RightsTests {
  /// Creates a role.
  private func makeRole(_ server: LocalServer) throws -> String {
    let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
    try server.connection().run("CREATE ROLE \(role) LOGIN")
    return role
  }

  private static func grants(_ role: String, creatingSpaces: Bool = true) -> [String] {
    [
      "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
      "GRANT SELECT ON entia_install TO \(role)",
      "GRANT SELECT, UPDATE\(creatingSpaces ? ", INSERT" : "") ON entia_space TO \(role)",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON entia_row, entia_log TO \(role)",
    ]
  }

  @Test("Installing is repeated without effect, also by a role that may not create tables")
  func installing() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let role = try makeRole(server)
    let admin = try server.connection(database: database)
    for grant in Self.grants(role) { try admin.run(grant) }
    for user in ["entia", role] {
      try await SharedDatabase<Cabinet>.install(
        connecting: server.string(user: user, database: database))
    }
    let empty = "empty_\(UUID().uuidString.prefix(8).lowercased())"
    try server.connection().run("CREATE DATABASE \(empty)")
    await #expect {
      try await SharedDatabase<Cabinet>.install(
        connecting: server.string(user: role, database: empty))
    } throws: {
      guard case SharedDatabaseError.noRights = $0 else { return false }
      return "\($0)".hasPrefix("the installation: the role lacks a right: ")
    }
    await #expect {
      _ = try await server.open(Cabinet.self, database: empty)
    } throws: {
      guard case SharedDatabaseError.notInstalled = $0 else { return false }
      return true
    }
    try admin.run("INSERT INTO entia_install (version) VALUES (99)")
    let newer = SharedDatabaseError.isNewer(
      reason: "its tables have version 99, and this program uses version 1")
    await #expect(throws: newer) {
      try await SharedDatabase<Cabinet>.install(connecting: server.string(database: database))
    }
    await #expect(throws: newer) { _ = try await server.open(Cabinet.self, database: database) }
  }

  @Test("Installing completes an installation without a version, and refuses one without a table")
  func installingPart() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let string = server.string(database: database)
    let admin = try server.connection(database: database)
    try admin.run("DELETE FROM entia_install")
    let error = await #expect(throws: SharedDatabaseError.self) {
      _ = try await server.open(Cabinet.self, database: database)
    }
    expectTrue(error?.description.contains("SharedDatabase.install(connecting:)") ?? false)
    try await SharedDatabase<Cabinet>.install(connecting: string)
    await (try server.open(Cabinet.self, database: database)).close()
    try admin.run("DROP TABLE entia_log")
    let reason = """
      the database has entia_install, entia_space, entia_row, and not entia_log: tables of another \
      program, or of an installation that was removed in part. Rename or drop them, or use another \
      database or another schema in the search path
      """
    await #expect(throws: SharedDatabaseError.cannotConnect(reason: reason)) {
      try await SharedDatabase<Cabinet>.install(connecting: string)
    }
    try admin.run("DROP TABLE entia_install, entia_space, entia_row")
    try await SharedDatabase<Cabinet>.install(connecting: string)
    await (try server.open(Cabinet.self, database: database)).close()
  }

  @Test("A role without DDL shares a space; one without rights gets a typed error")
  func roles() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let role = try makeRole(server)
    await #expect {
      _ = try await server.open(Cabinet.self, user: role, database: database)
    } throws: {
      guard case SharedDatabaseError.noRights(space: "space", _) = $0 else { return false }
      return true
    }
    let admin = try server.connection(database: database)
    for grant in Self.grants(role, creatingSpaces: false) { try admin.run(grant) }
    await #expect(throws: SharedDatabaseError.spaceNotFound(space: "space")) {
      _ = try await server.open(Cabinet.self, user: role, database: database)
    }
    for grant in Self.grants(role) { try admin.run(grant) }
    let shared = try await server.open(Cabinet.self, user: role, database: database)
    var cabinet = Cabinet()
    cabinet.performBatchUpdates { $0.modifying.papers.insert(Paper(id: "a", text: "")) }
    let outcome = try await shared.push(
      cabinet.changes(since: Cabinet()), client: UUID(), mutation: 1, base: 0)
    expectEqual(outcome, .committed(version: 1))
    try await expectEqual(shared.load(), cabinet)
    try await shared.trimLog()
    await shared.close()
  }

  @Test("A role that may not create spaces replaces the rows of one")
  func replacing() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let role = try makeRole(server)
    let admin = try server.connection(database: database)
    for grant in Self.grants(role, creatingSpaces: false) { try admin.run(grant) }
    let string = server.string(user: role, database: database)
    func replace(_ space: String) throws {
      try UntypedSpace(connecting: string, space: space).replace([], expecting: .anything)
    }
    #expect(throws: SharedDatabaseError.spaceNotFound(space: "space")) { try replace("space") }
    let shared = try await server.open(Cabinet.self, database: database)
    try replace("space")
    await shared.close()
    // Each way to open a space has the same limit for its name.
    let name = String(repeating: "x", count: 501)
    let error = #expect(throws: SharedDatabaseError.self) { try replace(name) }
    expectEqual(error?.description.contains("the name has 501 bytes, and one can have 500"), true)
  }

  @Test("Row-level security: a space that the role may not see is not found")
  func policies() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let role = try makeRole(server)
    let hidden = try await server.open(Cabinet.self, database: database, space: "hidden")
    let admin = try server.connection(database: database)
    for grant in Self.grants(role) { try admin.run(grant) }
    for table in ["entia_space", "entia_row", "entia_log"] {
      try admin.run("ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY")
      try admin.run("CREATE POLICY own ON \(table) USING (space = 'own')")
    }
    await #expect(throws: SharedDatabaseError.spaceNotFound(space: "hidden")) {
      _ = try await server.open(Cabinet.self, user: role, database: database, space: "hidden")
    }
    let own = try await server.open(Cabinet.self, user: role, database: database, space: "own")
    let outcome = try await own.push(
      Cabinet.ChangeSet(), client: UUID(), mutation: 1, base: 0)
    expectEqual(outcome, .committed(version: 1))
    await own.close()
    await hidden.close()
  }
}
