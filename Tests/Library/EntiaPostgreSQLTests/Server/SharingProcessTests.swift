import EntiaDatabase
import EntiaLaws
import EntiaLocalServer
import EntiaSharedState
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

/// Several processes, which share a library and are killed, stopped and disconnected.
@Suite(
  "Laws 38 and 39, in processes", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"),
  .prompt)
struct SharingProcessTests {
  static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"
  static let seeds = LawRuns(count: isSlow ? 4 : 1).seeds

  @Test(
    """
    Laws 38 and 39: processes that are killed, also between a commit and its acknowledgement, or \
    stopped, or lose their connections or the server, converge; every confirmed batch is there once
    """, arguments: seeds)
  func converging(seed: UInt64) async throws {
    let server = try await LocalServer()
    let database = try await server.makeDatabase()
    let crowd = try Crowd(server, database, seed: seed)
    var random = SeededGenerator(seed: seed)
    try await crowd.waitForProgress("at the start")
    let end = ContinuousClock.now + .seconds(Self.isSlow ? 60 : 1)
    var isRestarted = false
    while ContinuousClock.now < end || !isRestarted {
      let victim = random.number(in: 0..<crowd.children.count)
      switch random.number(in: 0..<5) {
      case 0: try crowd.replace(victim)
      case 1:
        // The others go on.
        crowd.children[victim].signal(SIGSTOP)
        try await crowd.waitForProgress("while one is stopped", without: victim)
        crowd.children[victim].signal(SIGCONT)
      case 2:
        try server.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """, database: database)
      case 3 where !isRestarted || Self.isSlow:
        server.stop(signal: random.oneIn(2) ? "INT" : "QUIT")
        try await server.start()
        isRestarted = true
      default: try await Task.sleep(for: .milliseconds(random.number(in: 10..<100)))
      }
      try crowd.replaceDead()
      try await crowd.waitForProgress("seed \(seed)")
    }
    try await crowd.stop()
    let shared = try await server.open(Library.self, database: database)
    let newest = try await shared.load()
    try await crowd.waitUntilEqual(newest)
    // Every batch is there as a whole, and confirmed ones once.
    let tickets = Dictionary(SharedLibrary.tickets(newest).map { ($0, 1) }, uniquingKeysWith: +)
    expectTrue(tickets.values.allSatisfy { $0 == 2 })
    for name in crowd.confirmed where tickets["t\(name)"] != 2 {
      Issue.record("seed \(seed): the confirmed batch \(name) is missing")
    }
    for name in crowd.rejected where tickets["t\(name)"] != nil {
      Issue.record("seed \(seed): the rejected batch \(name) is there")
    }
    // The log leads to the newest version, one batch after the other.
    var replayed = Library()
    var version: Int64 = 0
    while version < shared.lastLoaded?.version ?? 0 {
      guard case .batches(let batches, _) = try await shared.batches(since: version, limit: 500)
      else {
        Issue.record("trimmed")
        return
      }
      for batch in batches {
        version += 1
        try #require(batch.version == version)
        try replayed.apply(batch.changes)
      }
    }
    expectEqual(replayed, newest)
    await shared.close()
    server.stop()
  }

  @Test(
    """
    Law 39: mutations that are repeated by another process after kill -9, between a commit and its \
    acknowledgement and at random moments, count once
    """)
  func counting() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let string = server.string(database: database)
    let (count, clients) = (Self.isSlow ? 300 : 25, 3)
    let kills = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in 1...clients {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(client))
          var kills = 0
          var next = 1
          while next <= count {
            let child = try ChildProcess(
              "EntiaShareChild",
              ["count", string, "space", "\(client)", "\(next)", "\(count)", "dies"])
            // The first process of each client is killed before it has finished.
            let isUnlimited = next > 1 && random.oneIn(2)
            let limit = isUnlimited ? Int.max : random.number(in: 1..<15)
            while !child.hasEnded, child.confirmed.count < limit {
              try await Task.sleep(for: .milliseconds(2))
            }
            child.kill()
            while !child.hasEnded { try await Task.sleep(for: .milliseconds(1)) }
            try #require(
              child.confirmed == (next..<(next + child.confirmed.count)).map(String.init))
            next += child.confirmed.count
            kills += 1
          }
          return kills
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(kills > clients)
    let shared = try await server.open(Library.self, database: database)
    try await expectEqual(shared.load().authors.find(by: "counter")?.name, "\(clients * count)")
    expectEqual(shared.lastLoaded?.version, Int64(clients * count))
    await shared.close()
  }
}

/// The processes of a test.
private final class Crowd {
  private let string: String
  private var seed: UInt64
  private(set) var children: [ChildProcess] = []
  /// Those that have ended, whose batches still count.
  private var former: [ChildProcess] = []

  init(_ server: LocalServer, _ database: String, seed: UInt64) throws {
    string = server.string(database: database)
    self.seed = seed % 1_000_000
    for place in 0..<4 { children.append(try start(place)) }
  }

  private func start(_ place: Int) throws -> ChildProcess {
    seed += 1
    // One receives no announcement, and one dies of itself.
    let modes = place == 0 ? ["quiet"] : place == 1 ? ["dies"] : []
    return try ChildProcess("EntiaShareChild", ["store", string, "space", "\(seed)"] + modes)
  }

  private var all: [ChildProcess] { former + children }
  var confirmed: [String] { all.flatMap(\.confirmed) }
  var rejected: [String] { all.flatMap(\.rejected) }

  /// Kills a process, and starts another one.
  func replace(_ place: Int) throws {
    children[place].kill()
    former.append(children[place])
    children[place] = try start(place)
  }

  func replaceDead() throws {
    for place in children.indices where children[place].hasEnded { try replace(place) }
  }

  /// Waits until a batch of a process is confirmed.
  func waitForProgress(_ moment: String, without place: Int? = nil) async throws {
    let others = children.indices.filter { $0 != place }.map { children[$0] }
    let before = others.map(\.confirmed.count).reduce(0, +)
    // A process that was just started also has to load.
    for _ in 0..<12_000 {
      if others.map(\.confirmed.count).reduce(0, +) > before { return }
      if others.allSatisfy(\.hasEnded) { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("no batch is confirmed for a minute \(moment)")
  }

  /// Ends the commits of all processes, and waits until all their batches are confirmed or
  /// rejected.
  func stop() async throws {
    // One that dies now would not show that it converges.
    try replace(1)
    for child in children { try child.send() }
    for _ in 0..<12_000 {
      if children.allSatisfy({ $0.isStopped || $0.hasEnded }) { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(children.filter(\.isStopped).count >= 3)
    expectEqual(all.compactMap(\.failure), [])
  }

  /// Waits until all processes show a library.
  func waitUntilEqual(_ library: Library) async throws {
    let decoder = JSONDecoder()
    for child in children where child.isStopped {
      var isEqual = false
      for round in 1...1_000 where !isEqual {
        try child.send()
        while child.libraries.count < round, !child.hasEnded {
          try await Task.sleep(for: .milliseconds(5))
        }
        guard let json = child.libraries.last else { break }
        isEqual = try decoder.decode(Library.self, from: Data(json.utf8)) == library
        if !isEqual { try await Task.sleep(for: .milliseconds(10)) }
      }
      expectTrue(isEqual, "a process has not converged")
    }
  }
}
