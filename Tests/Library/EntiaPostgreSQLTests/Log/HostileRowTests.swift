import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("Hostile rows", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct HostileRowTests {
  @Test(
    "A row of another type or shape is an error with its place",
    arguments: [
      (#"{"id": 1, "text": "", "rank": 0.0, "labels": []}"#, "id", "expected a string"),
      (#"{"id": "a", "rank": 0.0, "labels": []}"#, "text", "the member is missing"),
      (#"{"id": "a", "text": "", "rank": 0.0, "labels": [1]}"#, "labels.[0]", "expected a string"),
      (#"{"id": "a", "text": "", "rank": 0, "labels": [], "stars": 1e30}"#, "stars", "integer"),
      (#"{"id": "a", "text": "", "rank": 1e999, "labels": []}"#, "rank", "expected a number"),
      (#"{"id": "b", "text": "", "rank": 0.0, "labels": []}"#, "id", "has the ID"),
      (#"{"id": "A", "text": "", "rank": 0.0, "labels": []}"#, "id", "push it in this spelling"),
      ("7", nil, "expected an object"),
    ])
  func rows(body: String, column: String?, reason: String) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let admin = try server.connection(database: database)
    try admin.run(
      """
      INSERT INTO entia_row (space, entity, id, version, position, body)
      VALUES ('space', 'papers', '"a"', 1, 0, $1::jsonb)
      """, [body])
    await #expect {
      _ = try await shared.load()
    } throws: { error in
      guard
        case SharedDatabaseError.cannotDecode("space", "papers", "\"a\"", column, let found) = error
      else { return false }
      return found.contains(reason)
    }
    // The connection can be used on.
    try admin.run("DELETE FROM entia_row")
    try await expectEqual(shared.load(), Cabinet())
    await shared.close()
  }

  @Test("A row nested thousands of levels deep is an error, and no overflow of the stack")
  func depth() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Tree.self, database: database)
    let admin = try server.connection(database: database)
    // Deeper values overflow the stack of the server.
    let deep =
      String(repeating: #"{"children":["#, count: 1_400) + String(repeating: "]}", count: 1_400)
    let body = #"{"id": 1, "branch": \#(deep)}"#
    func isDecodeError(_ error: any Error, row: String) -> Bool {
      guard case SharedDatabaseError.cannotDecode("space", _, row, _, let reason) = error else {
        return false
      }
      return reason.contains("deeper than")
    }
    try admin.run(
      """
      INSERT INTO entia_row (space, entity, id, version, position, body)
      VALUES ('space', 'nodes', '1', 1, 0, $1::jsonb)
      """, [body])
    await #expect {
      _ = try await shared.load()
    } throws: {
      isDecodeError($0, row: "1")
    }
    try admin.run("UPDATE entia_space SET version = 1")
    try admin.run(
      """
      INSERT INTO entia_log (space, version, part, client, mutation, changes)
      VALUES ('space', 1, 0, gen_random_uuid(), 1, $1::jsonb)
      """, [#"[["insert", "nodes", \#(body)]]"#])
    await #expect {
      _ = try await shared.batches(since: 0, limit: 1)
    } throws: {
      isDecodeError($0, row: "version 1")
    }
    await shared.close()
  }

  @Test(
    "A batch of another shape is an error with its version",
    arguments: [
      "7", "[7]", #"[["insert"]]"#, #"[["insert", "papers"]]"#, #"[["insert", "papers", 7]]"#,
      #"[["explode", "papers", {}]]"#, #"[["update", "papers", {}, 1, []]]"#,
      #"[["order", "folders", [[9223372036854775807, [1], [], []]], []]]"#,
      #"[["order", "folders", [[0, [1, 1], [], []]], []]]"#,
      #"[["order", "folders", [[5, [1], [], []], [0, [2], [], []]], []]]"#,
      #"[["held", "pins", [], ["x"]]]"#, #"[["missing", "folderPaper", [[1]], []]]"#,
    ])
  func batches(changes: String) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let admin = try server.connection(database: database)
    try admin.run("UPDATE entia_space SET version = 1")
    try admin.run(
      """
      INSERT INTO entia_log (space, version, part, client, mutation, changes)
      VALUES ('space', 1, 0, gen_random_uuid(), 1, $1::jsonb)
      """, [changes])
    await #expect {
      _ = try await shared.batches(since: 0, limit: 10)
    } throws: { error in
      guard case SharedDatabaseError.cannotDecode("space", _, "version 1", _, _) = error else {
        return false
      }
      return true
    }
    // Of parts that the storage does not have, anything may be there.
    try admin.run("UPDATE entia_log SET changes = '[[\"insert\", \"unknown\", 7]]'")
    guard case .batches(let batches, _) = try await shared.batches(since: 0, limit: 1) else {
      Issue.record("trimmed")
      return
    }
    expectEqual(batches.map(\.changes.isEmpty), [true])
    await shared.close()
  }

  @Test("A gap in the log is an error")
  func gap() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let admin = try server.connection(database: database)
    for mutation: Int64 in 0..<3 {
      _ = try await shared.push(
        Cabinet.ChangeSet(), client: UUID(), mutation: 1, base: mutation)
    }
    try admin.run("DELETE FROM entia_log WHERE version = 2")
    let gap = SharedDatabaseError.cannotDecode(
      space: "space", entity: "entia_log", row: "version 2", column: "version",
      reason: "the log has a gap")
    await #expect(throws: gap) { _ = try await shared.batches(since: 0, limit: 10) }
    await shared.close()
  }
}

/// A value that nests as deeply as its JSON does.
private struct Branch: Codable, Equatable, Sendable {
  var children: [Branch] = []
}

private struct TreeNode: EntityType, Identifiable, Codable {
  let id: Int
  var branch: Branch
}

private struct Tree: NormalizedStorageType {
  struct Contents: StorageContents {
    var nodes = Tables.Hash<TreeNode>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("nodes", \.nodes) }
  }

  var snapshot = Snapshot(Contents())
}
