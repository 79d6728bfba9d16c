import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("Pushing", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct PushTests {
  /// Returns the changes that insert a folder last into a database.
  private static func inserting(_ id: Int, into cabinet: Cabinet) -> Cabinet.ChangeSet {
    var next = cabinet
    next.performBatchUpdates { $0.modifying.folders.insert(Folder(id: id, name: "\(id)")) }
    return next.changes(since: cabinet)
  }

  @Test("16 clients push at once: versions have no gaps, and every batch is there once")
  func manyClients() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let shared = try await server.open(Cabinet.self, database: database)
          let client = UUID()
          var (cabinet, version) = (try await shared.load(), shared.lastLoaded?.version ?? -1)
          for mutation in 0..<5 {
            while true {
              let changes = Self.inserting(number * 100 + mutation, into: cabinet)
              let outcome = try await shared.push(
                changes, client: client, mutation: Int64(mutation), base: version)
              if case .committed = outcome { break }
              guard
                case .batches(let batches, _) = try await shared.batches(
                  since: version, limit: 100)
              else {
                Issue.record("trimmed")
                return
              }
              for batch in batches {
                expectEqual(batch.version, version + 1)
                try cabinet.apply(batch.changes)
                version = batch.version
              }
            }
          }
          await shared.close()
        }
      }
      try await group.waitForAll()
    }
    let shared = try await server.open(Cabinet.self, database: database)
    let cabinet = try await shared.load()
    expectEqual(shared.lastLoaded?.version, 80)
    expectEqual(cabinet.folders.count, 80)
    guard case .batches(let batches, 80) = try await shared.batches(since: 0, limit: 1_000) else {
      Issue.record("trimmed")
      return
    }
    expectEqual(batches.map(\.version), Array(1...80))
    var replayed = Cabinet()
    for batch in batches { try replayed.apply(batch.changes) }
    expectEqual(replayed, cabinet)
    await shared.close()
  }

  @Test("Law 39: a push that is repeated counts once, on any base, and after the log was trimmed")
  func repeated() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    var retention = LogRetention()
    retention.age = 0
    let shared = try await server.open(Cabinet.self, database: database, retention: retention)
    let client = UUID()
    let changes = Self.inserting(1, into: Cabinet())
    for _ in 0..<3 {
      let outcome = try await shared.push(changes, client: client, mutation: 7, base: 0)
      expectEqual(outcome, .committed(version: 1))
    }
    let loaded = try await shared.load()
    let other = try await shared.push(
      Self.inserting(2, into: loaded), client: UUID(), mutation: 7, base: 1)
    expectEqual(other, .committed(version: 2))
    for base: Int64 in [0, 1, 2] {
      let outcome = try await shared.push(changes, client: client, mutation: 7, base: base)
      expectEqual(outcome, .committed(version: 1))
    }
    try await shared.trimLog()
    let trimmed = try await shared.batches(since: 0, limit: 10)
    guard case .trimmed(current: 2) = trimmed else {
      Issue.record("\(trimmed)")
      return
    }
    guard case .batches(let none, current: 2) = try await shared.batches(since: 2, limit: 10) else {
      Issue.record("trimmed")
      return
    }
    expectTrue(none.isEmpty)
    for base: Int64 in [0, 2] {
      let outcome = try await shared.push(changes, client: client, mutation: 7, base: base)
      expectEqual(outcome, .committed(version: 1))
    }
    try await expectEqual(shared.load().folders.map(\.id), [1, 2])
    let behind = try await shared.push(changes, client: client, mutation: 8, base: 1)
    expectEqual(behind, .behind(current: 2))
    await shared.close()
  }

  @Test("A base after the space's version is behind, and its batches are trimmed")
  func restored() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let outcome = try await shared.push(
      Self.inserting(1, into: Cabinet()), client: UUID(), mutation: 1, base: 5)
    expectEqual(outcome, .behind(current: 0))
    guard case .trimmed(current: 0) = try await shared.batches(since: 5, limit: 1) else {
      Issue.record("not trimmed")
      return
    }
    await shared.close()
  }

  @Test("A batch over 16 MB is several rows of one version")
  func largeBatch() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    var cabinet = Cabinet()
    let text = String(repeating: "0123456789abcdef", count: 1 << 16)
    cabinet.performBatchUpdates { context in
      for id in 0..<20 { context.modifying.papers.insert(Paper(id: "\(id)", text: text)) }
    }
    let changes = cabinet.changes(since: Cabinet())
    let outcome = try await shared.push(changes, client: UUID(), mutation: 1, base: 0)
    expectEqual(outcome, .committed(version: 1))
    let parts = try server.connection(database: database).run("SELECT part FROM entia_log")
    #expect(parts.rows.count > 1)
    guard case .batches(let batches, _) = try await shared.batches(since: 0, limit: 10) else {
      Issue.record("trimmed")
      return
    }
    expectEqual(batches.map(\.changes), [changes])
    try await expectEqual(shared.load(), cabinet)
    await shared.close()
  }

  @Test("A push writes the rows that changed")
  func work() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    var cabinet = Cabinet()
    cabinet.performBatchUpdates { context in
      for id in 0..<500 {
        context.modifying.folders.insert(Folder(id: id, name: ""))
        context.modifying.papers.insert(Paper(id: "\(id)", text: ""))
      }
    }
    _ = try await shared.push(
      cabinet.changes(since: Cabinet()), client: UUID(), mutation: 1, base: 0)
    let before = cabinet
    cabinet.performBatchUpdates { context in
      context.modifying.papers.updateIfExists(id: "7") { $0.text = "a" }
      context.modifying.folders.move(9, to: 0)
      context.modifying.papers.insert(Paper(id: "new", text: ""))
      context.modifying.papers.remove("8")
    }
    _ = try await shared.push(
      cabinet.changes(since: before), client: UUID(), mutation: 1, base: 1)
    let written = try server.connection(database: database).run(
      "SELECT entity || id FROM entia_row WHERE version = 2 ORDER BY 1")
    expectEqual(written.rows.map { $0.text(at: 0) }, ["folders9", "papers\"7\"", "papers\"new\""])
    try await expectEqual(shared.load(), cabinet)
    await shared.close()
  }
}
