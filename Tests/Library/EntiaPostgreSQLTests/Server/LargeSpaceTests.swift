import EntiaDatabase
import EntiaLocalServer
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

/// Large spaces, long logs, and transactions beside them; `ENTIA_CI_SLOW=1` takes them at full
/// size.
@Suite(
  "Sharing: large spaces", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct LargeSpaceTests {
  static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"

  @Test(
    "A space is loaded row by row: loading takes at most the memory of 3 loaded databases",
    arguments: [0, 2_000])
  func streamed(length: Int) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Library.self, database: database)
    // Large rows take little memory beside their texts: at most half of that of the database.
    let isLarge = length > 0
    let (count, step) = (Self.isSlow && !isLarge ? 1_000_000 : 10_000, 10_000)
    let client = UUID()
    let text = String(repeating: "x", count: length)
    for start in stride(from: 0, to: count, by: step) {
      var next = Library()
      try next.performBatchUpdates { context in
        for id in start..<(start + step) {
          let name = "name of \(id) \(text)"
          context.modifying.authors.insert(Author(id: "author \(id)", name: name))
        }
      }
      let version = Int64(start / step)
      let outcome = try await shared.push(
        next.changes(since: Library()), client: client, mutation: version, base: version)
      try #require(outcome == .committed(version: version + 1))
    }
    await shared.close()
    // A process of its own, whose memory is that of the database.
    let child = try ChildProcess(
      "EntiaShareChild", ["load", server.string(database: database), "space"])
    while !child.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
    let line = try #require(child.lines.first)
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 4, "\(line)")
    expectEqual(numbers[0], count)
    let (kept, most) = (numbers[2] - numbers[1], numbers[3] - numbers[1])
    // The rows as they arrive, their table, and the texts of some.
    #expect(most <= (isLarge ? kept / 2 * 3 : 3 * kept) + (8 << 20), "\(line)")
  }

  @Test("A client that is thousands of batches behind applies them as one commit")
  func behind() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let count = Self.isSlow ? 10_000 : 600
    let late = try await server.open(Library.self, database: database)
    let store = SharedStore(initialState: SharedState(storage: try await late.load()))
    let early = try await server.open(Library.self, database: database)
    let client = UUID()
    var library = try await early.load()
    for version in 0..<count {
      var next = library
      try next.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a\(version % 50)", name: "\(version)"))
      }
      _ = try await early.push(
        next.changes(since: library), client: client, mutation: Int64(version), base: Int64(version)
      )
      library = next
    }
    let states = Mutex(0)
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      states.withLock { $0 += 1 }
    }
    let sharing = try store.share(\.storage, through: late)
    for _ in 0..<6_000 where store.state.storage != library {
      try await Task.sleep(for: .milliseconds(5))
    }
    expectEqual(store.state.storage, library)
    expectEqual(states.withLock { $0 }, 1)
    withExtendedLifetime(subscription) {}
    sharing.close()
    await late.close()
    await early.close()
  }

  @Test("A long writing transaction elsewhere in the cluster adds nothing to the lag")
  func longTransaction() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let first = try await server.open(Library.self, database: database)
    let second = try await server.open(Library.self, database: database)
    let writer = SharedStore(initialState: SharedState(storage: try await first.load()))
    let reader = SharedStore(initialState: SharedState(storage: try await second.load()))
    let sharings = [
      try writer.share(\.storage, through: first), try reader.share(\.storage, through: second),
    ]
    /// Returns the lags of edits for some time, in ascending order.
    func lags(_ name: String, _ time: Duration) async throws -> [Duration] {
      var lags: [Duration] = []
      let end = ContinuousClock.now + time
      while ContinuousClock.now < end || lags.count < 3 {
        let start = ContinuousClock.now
        let value = "\(name) \(lags.count)"
        try writer.setAuthor("a", value)
        while reader.author("a") != value {
          try #require(ContinuousClock.now < start + .seconds(60), "the edit does not arrive")
          try await Task.sleep(for: .milliseconds(1))
        }
        lags.append(ContinuousClock.now - start)
        try await Task.sleep(for: .milliseconds(20))
      }
      return lags.sorted()
    }
    let time = Duration.milliseconds(Self.isSlow ? 60_000 : 700)
    let before = Self.isSlow ? try await lags("before", .seconds(10)) : []
    let elsewhere = try server.connection()
    try elsewhere.run("CREATE TABLE IF NOT EXISTS elsewhere (number int)")
    try elsewhere.run("BEGIN")
    try elsewhere.run("INSERT INTO elsewhere VALUES (1)")
    let beside = try await lags("beside", time)
    // It has not ended: an edit that waited for it would not have arrived.
    let id = try elsewhere.run("SELECT pg_current_xact_id_if_assigned()").rows.first?.text(at: 0)
    expectTrue(id != nil)
    try elsewhere.run("ROLLBACK")
    if Self.isSlow {
      let after = try await lags("after", .seconds(10))
      for (name, lags) in [("before", before), ("beside", beside), ("after", after)] {
        // The figures of Benchmarks/Scaling.md.
        print(
          "lag \(name) a long transaction: \(lags.count) edits, median \(lags[lags.count / 2]),",
          "95 % within \(lags[lags.count * 95 / 100]), longest \(lags[lags.count - 1])")
      }
      #expect(beside[beside.count / 2] < before[before.count / 2] * 2 + .milliseconds(50))
    }
    for sharing in sharings { sharing.close() }
    await first.close()
    await second.close()
  }
}
