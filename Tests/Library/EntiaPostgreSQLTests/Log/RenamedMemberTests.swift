import Entia
import EntiaDatabase
import EntiaLocalServer
import EntiaSharing
import Foundation
import Testing

@testable import EntiaPostgreSQL

@NormalizedStorage
struct OldLabels: Equatable {
  @Table var labels: Tables.Hash<Label> = .init()

  @Entity
  struct Label {
    let id: Int
    var a: Int?
    var b: Int?
  }
}

@NormalizedStorage
struct NewLabels: Equatable {
  @Table var labels: Tables.Hash<Label> = .init()

  @Entity
  struct Label {
    let id: Int
    @Stored(renamedFrom: "a") var alpha: Int?
    @Stored(renamedFrom: "b") var beta: Int? = 1
  }
}

@Suite(
  "Members of a space whose names have changed",
  .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct RenamedMemberTests {
  @Test("A nil that is pushed stays nil, whatever the old name has")
  func nils() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await server.open(OldLabels.self, database: database)
    var first = OldLabels()
    first.performBatchUpdates {
      $0.modifying.labels.insert([
        OldLabels.Label(id: 1, a: 3, b: 3), OldLabels.Label(id: 2, a: 3, b: 3),
      ])
    }
    _ = try await old.push(
      first.changes(since: OldLabels()), client: ClientID(), mutation: 1, base: 0)
    let new = try await server.open(NewLabels.self, database: database)
    let base = try await new.load()
    #expect(base.labels.find(by: 1) == NewLabels.Label(id: 1, alpha: 3, beta: 3))
    var changed = base
    changed.performBatchUpdates { context in
      context.modifying.labels.updateIfExists(id: 1) { ($0.alpha, $0.beta) = (nil, nil) }
      context.modifying.labels.updateIfExists(id: 2) { $0.alpha = 4 }
    }
    _ = try await new.push(
      changed.changes(since: base), client: ClientID(), mutation: 1, base: 1)
    #expect(try await new.load() == changed)
    var last = changed
    last.performBatchUpdates { context in
      context.modifying.labels.updateIfExists(id: 2) { $0.alpha = nil }
    }
    _ = try await new.push(
      last.changes(since: changed), client: ClientID(), mutation: 1, base: 2)
    #expect(try await new.load() == last)
    await old.close()
    await new.close()
  }
}
