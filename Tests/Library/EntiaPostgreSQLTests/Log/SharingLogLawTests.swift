import EntiaDatabase
import EntiaLaws
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("Law 35, in a server", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct SharingLogLawTests {
  @Test(
    """
    Law 35: what was pushed is loaded, order and held IDs included, and the batches applied one by \
    one lead to it, after every step of a random history
    """, arguments: LawRuns(count: 4).seeds)
  func history(seed: UInt64) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let other = try await server.open(Cabinet.self, database: database)
    var random = SeededGenerator(seed: seed)
    var cabinet = try await shared.load()
    var replica = try await other.load()
    let client = UUID()
    for step in 0..<40 {
      let before = cabinet
      for _ in 0..<random.number(in: 1..<4) { cabinet.change(ids: 7, &random) }
      var changes = cabinet.changes(since: before)
      if random.oneIn(3) {
        let middle = cabinet
        cabinet.change(ids: 7, &random)
        changes = changes.composed(with: cabinet.changes(since: middle))
      }
      let outcome = try await shared.push(
        changes, client: client, mutation: Int64(step), base: Int64(step))
      try #require(outcome == .committed(version: Int64(step + 1)))
      if random.oneIn(2) { continue }
      let loaded = try await shared.loadVersion()
      try #require(loaded.version == Int64(step + 1))
      try #require(loaded.storage == cabinet, "seed \(seed), step \(step)")
      try #require(loaded.storage.order == cabinet.order, "seed \(seed), step \(step)")
    }
    var version: Int64 = 0
    while version < 40 {
      guard
        case .batches(let batches, let current) = try await other.batches(
          since: version, limit: 7)
      else {
        Issue.record("trimmed")
        return
      }
      expectEqual(current, 40)
      expectTrue(!batches.isEmpty && batches.count <= 7)
      for batch in batches {
        version += 1
        try #require(batch.version == version)
        expectTrue(batch.client == client && batch.mutation == version - 1)
        try replica.apply(batch.changes)
      }
    }
    expectEqual(replica, cabinet)
    await shared.close()
    await other.close()
  }

  @Test(
    """
    Law 35: batches that are combined lead to the same versions as one by one, rows in the same order
    """)
  func combined() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    for seed in LawRuns(count: 4).seeds {
      let shared = try await server.open(Cabinet.self, database: database, space: "\(seed)")
      try await checkCombinations(shared, seed)
      await shared.close()
    }
  }

  private func checkCombinations(_ shared: SharedDatabase<Cabinet>, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var cabinet = try await shared.load()
    let client = UUID()
    let count: Int64 = 60
    for step in 0..<count {
      let before = cabinet
      if random.oneIn(8) {
        cabinet.change(ids: 7, &random)
      } else {
        cabinet.changeRows(ids: 4, &random)
      }
      _ = try await shared.push(
        cabinet.changes(since: before), client: client, mutation: step, base: step)
    }
    guard case .batches(let batches, _) = try await shared.batches(since: 0, limit: 100) else {
      Issue.record("trimmed")
      return
    }
    expectEqual(batches.map(\.version), Array(1...count))
    var versions = [Cabinet()]
    for batch in batches {
      var next = versions[versions.count - 1]
      try next.apply(batch.changes)
      versions.append(next)
    }
    expectEqual(versions.last, cabinet)
    var replica = Cabinet()
    var version: Int64 = 0
    var pages = 0
    while version < count {
      guard
        case .batches(let combined, _) = try await shared.batches(
          since: LogPosition(version: version), limit: random.number(in: 1..<30), combining: true)
      else { return }
      for batch in combined {
        try #require(batch.first == version + 1 && batch.version >= batch.first)
        expectEqual(batch.mutation, version)
        try replica.apply(batch.changes)
        version = batch.version
        pages += 1
        let expected = versions[Int(version)]
        try #require(replica == expected, "seed \(seed), version \(version)")
        try #require(
          replica.order == expected.order && replica.rowOrder == expected.rowOrder,
          "seed \(seed), version \(version)")
      }
    }
    #expect(pages < Int(count) * 3 / 4, "hardly any batches were combined")
  }

  @Test("Rows that are inserted at one place again and again keep their order, and are renumbered")
  func crowdedPlace() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    var cabinet = try await shared.load()
    let client = UUID()
    func push(_ mutation: Int, _ change: (inout BatchContext<Cabinet>) -> Void) async throws {
      let before = cabinet
      cabinet.performBatchUpdates { change(&$0) }
      let outcome = try await shared.push(
        cabinet.changes(since: before), client: client, mutation: Int64(mutation),
        base: Int64(mutation))
      try #require(outcome == .committed(version: Int64(mutation + 1)))
    }
    try await push(0) { context in
      for id in 0..<10 { context.modifying.folders.insert(Folder(id: id, name: "")) }
    }
    for id in 1..<300 {
      try await push(id) { context in
        let folder = Folder(id: id + 100, name: "")
        _ = context.modifying.folders.insert(folder, at: id % 3 == 0 ? 1 : 5)
      }
    }
    try await expectEqual(shared.load().order, cabinet.order)
    let digits = try server.connection(database: database).run(
      "SELECT max(scale(position)) FROM entia_row")
    #expect(try #require(digits.rows.first?.integer(at: 0)) <= 125)
    await shared.close()
  }
}
