import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

/// Another version of `Cabinet`, in which papers have a color and folders are gone.
private struct NewPaper: EntityType, Identifiable, Codable {
  let id: String
  var text: String
  var rank: Double = 0
  var stars: Int?
  var labels: [String] = []
  var color: String?
}

private struct NewCabinet: NormalizedStorageType {
  struct Contents: StorageContents {
    var papers = Tables.Hash<NewPaper>()
    var stickers = Tables.Hash<Sticker>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("papers", \.papers)
      visitor.table("stickers", \.stickers)
    }
  }

  var snapshot = Snapshot(Contents())
  var papers: Tables.Hash<NewPaper> { snapshot.contents.papers }
}

/// `Cabinet` as a program has it that does not know the labels of papers.
private struct OldPaper: EntityType, Identifiable, Codable {
  let id: String
  var text: String
}

private struct OldCabinet: NormalizedStorageType {
  struct Contents: StorageContents {
    var papers = Tables.Hash<OldPaper>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("papers", \.papers) }
  }

  var snapshot = Snapshot(Contents())
  var papers: Tables.Hash<OldPaper> { snapshot.contents.papers }
}

@Suite(
  "Versions of the schema", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct SchemaVersionTests {
  @Test("An installation refuses tables of other programs, and names them")
  func foreignTables() async throws {
    let server = try await LocalServer.shared()
    let name = "foreign_tables"
    try server.connection().run("CREATE DATABASE \(name)")
    let admin = try server.connection(database: name)
    try admin.run("CREATE TABLE entia_row (note text)")
    let error = await #expect(throws: SharedDatabaseError.self) {
      try await SharedDatabase<Cabinet>.install(connecting: server.string(database: name))
    }
    expectEqual(error?.description.contains("entia_row"), true)
    expectEqual(error?.description.contains("once"), false)
    let created = try admin.run("SELECT to_regclass('entia_space')").rows.first?.text(at: 0)
    expectNil(created)
  }

  @Test("An older program reads what it has, and its pushes are refused")
  func older() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await server.open(Cabinet.self, database: database)
    var cabinet = Cabinet()
    cabinet.performBatchUpdates { $0.modifying.papers.insert(Paper(id: "a", text: "x")) }
    _ = try await old.push(
      cabinet.changes(since: Cabinet()), client: UUID(), mutation: 1, base: 0)
    await #expect {
      _ = try await server.open(NewCabinet.self, database: database)
    } throws: { error in
      guard case SharedDatabaseError.schemaDiffers("space", let reason) = error else {
        return false
      }
      return reason.contains("ordered table folders")
    }
    let new = try await server.open(NewCabinet.self, database: database, schemaVersion: 2)
    var newCabinet = try await new.load()
    expectEqual(newCabinet.papers.map(\.text), ["x"])
    let before = newCabinet
    newCabinet.performBatchUpdates {
      $0.modifying.papers.updateIfExists(id: "a") { $0.color = "red" }
    }
    _ = try await new.push(
      newCabinet.changes(since: before), client: UUID(), mutation: 1, base: 1)
    let next = cabinet
    cabinet.performBatchUpdates { $0.modifying.papers.updateIfExists(id: "a") { $0.text = "y" } }
    let changes = cabinet.changes(since: next)
    await #expect {
      _ = try await old.push(changes, client: UUID(), mutation: 2, base: 2)
    } throws: { error in
      guard case SharedDatabaseError.schemaDiffers("space", _) = error else { return false }
      return true
    }
    try await expectEqual(old.load(), next)
    // A program that begins now may read too.
    let late = try await server.open(Cabinet.self, database: database)
    try await expectEqual(late.load(), next)
    try await expectEqual(new.load(), newCabinet)
    for shared in [old, late] { await shared.close() }
    await new.close()
  }

  @Test("Members that a program does not have survive its pushes")
  func unknownMembers() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(OldCabinet.self, database: database)
    var cabinet = OldCabinet()
    cabinet.performBatchUpdates { $0.modifying.papers.insert(OldPaper(id: "a", text: "x")) }
    _ = try await shared.push(
      cabinet.changes(since: OldCabinet()), client: UUID(), mutation: 1, base: 0)
    let admin = try server.connection(database: database)
    try admin.run("UPDATE entia_row SET body = body || '{\"labels\": [1], \"rank\": null}'")
    cabinet = try await shared.load()
    let before = cabinet
    cabinet.performBatchUpdates { $0.modifying.papers.updateIfExists(id: "a") { $0.text = "y" } }
    _ = try await shared.push(
      cabinet.changes(since: before), client: UUID(), mutation: 2, base: 1)
    let body = try admin.run("SELECT body::text FROM entia_row")
    expectEqual(
      body.rows.first?.text(at: 0), #"{"id": "a", "rank": null, "text": "y", "labels": [1]}"#)
    await shared.close()
  }

  @Test(
    "The types of members that another program adds at the same time count",
    arguments: [true, false])
  func membersAtOnce(agree: Bool) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(OldCabinet.self, database: database)
    let admin = try server.connection(database: database)
    try admin.run("BEGIN")
    try admin.run(
      "UPDATE entia_space SET schema_fingerprint = schema_fingerprint || E'\\nmember papers.' || $1",
      [agree ? "stars Int" : "text Int"])
    var cabinet = OldCabinet()
    cabinet.performBatchUpdates { $0.modifying.papers.insert(OldPaper(id: "a", text: "x")) }
    let changes = cabinet.changes(since: OldCabinet())
    let pushing = Task { try await shared.push(changes, client: UUID(), mutation: 1, base: 0) }
    // The push has read the types, and waits to add its own.
    let observer = try server.connection(database: database)
    for _ in 0..<12_000 {
      let waiting = try observer.run(
        """
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """)
      if !waiting.rows.isEmpty { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    try admin.run("COMMIT")
    if agree {
      try await expectEqual(pushing.value, .committed(version: 1))
    } else {
      let error = await #expect(throws: SharedDatabaseError.self) {
        _ = try await pushing.value
      }
      expectEqual(error?.description.contains("'text' of papers is Int in the space"), true)
      try await expectEqual(shared.load(), OldCabinet())
    }
    let lines = try admin.run("SELECT schema_fingerprint FROM entia_space").rows.first?.text(at: 0)
    let members = lines?.split(separator: "\n").filter { $0.hasPrefix("member ") }
    expectEqual(
      members,
      agree
        ? ["member papers.stars Int", "member papers.id String", "member papers.text String"]
        : ["member papers.text Int"])
    await shared.close()
  }

  @Test("Entities that are not Codable are refused at once")
  func notCodable() async throws {
    struct Plain: EntityType, Identifiable { let id: Int }
    struct Plains: NormalizedStorageType {
      struct Contents: StorageContents {
        var plains = Tables.Hash<Plain>()
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("plains", \.plains) }
      }
      var snapshot = Snapshot(Contents())
    }
    let error = SharedDatabaseError.notCodable(space: "s", entity: "plains", type: "Plain")
    await #expect(throws: error) {
      _ = try await SharedDatabase<Plains>(connecting: "host=/nowhere", space: "s")
    }
  }
}
