import EntiaDatabase
import EntiaKeepHistories
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Law 36")
struct KillLawTests {
  /// A file is continued after each kill.
  static let killsOfOneFile = 8
  static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"
  static let seeds = LawRuns(count: isSlow ? 1_250 : 2).seeds
  /// The number of seeds whose processes are killed at failpoints.
  static let failpointSeeds = isSlow ? 40 : scaled(1)

  @Test(
    "Law 36: after kill -9 at a random moment, a file has every acknowledged save, and the state of one",
    arguments: seeds)
  func randomMoments(seed: UInt64) throws {
    var file = try KilledFile(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x36)
    for _ in 0..<Self.killsOfOneFile {
      let child = try file.child()
      defer { child.kill() }
      let saves = random.oneIn(4) ? 0 : random.number(in: 1..<20)
      child.wait(forSaves: saves)
      // The process needs some time to start, and little for a save.
      usleep(UInt32(random.number(in: 0..<(saves == 0 ? 40_000 : 3_000))))
      child.kill()
      try #require(child.waitUntilEnd(), "seed \(seed): the process ended by itself")
      try file.check(child.acknowledged)
    }
  }

  @Test(
    "Law 36: the same at each failpoint of a save and of a compaction",
    arguments: [
      "before commit", "after commit", "before compaction", "after compaction",
    ])
  func failpoints(name: String) throws {
    for seed in Self.seeds.prefix(Self.failpointSeeds) {
      var file = try KilledFile(seed: seed)
      for time in [1, 1, 2, 3] {
        let child = try file.child(failpoint: (name, time))
        defer { child.kill() }
        try #require(child.waitUntilEnd(), "seed \(seed): the failpoint was not reached")
        let last = file.history.saves
        try file.check(child.acknowledged)
        // The save during which the process was killed is there when it was committed.
        let acknowledged = child.acknowledged.last ?? last
        let expected = name == "after commit" ? acknowledged + 1 : acknowledged
        expectEqual(file.history.saves, expected, "seed \(seed), \(name) \(time)")
      }
    }
  }

  @Test(
    "Law 36: killed at any failpoint of a migration, a file is as before, and is migrated when opened again",
    arguments: [
      ("in migration", 1), ("in migration", 2), ("before commit", 1), ("after commit", 1),
    ])
  func migration(name: String, time: Int) throws {
    for seed in Self.seeds.prefix(Self.failpointSeeds) {
      let folder = try TemporaryFolder()
      var history = KeepHistory(seed: seed)
      for _ in 0..<5 { try history.advance() }
      var file = try DatabaseFile<CachedFeed>(path: folder.file())
      try file.save(history.feed)
      try file.close()
      let child = try KeepChild(
        path: folder.file(), seed: seed, .migrate, after: 0, failpoint: (name, time))
      defer { child.kill() }
      try #require(child.waitUntilEnd(), "seed \(seed): the failpoint was not reached")
      expectTrue(child.acknowledged.isEmpty)
      let plan = try DatabaseFile<CachedFeed>.migrationPlan(
        path: folder.file(), migrations: KeepHistory.migrations)
      expectEqual(plan.pending.isEmpty, name == "after commit", "seed \(seed)")
      if name != "after commit" {
        file = try DatabaseFile(path: folder.file())
        try expectEqual(file.load().image, history.feed.image, "seed \(seed)")
        try file.close()
      }
      file = try DatabaseFile(path: folder.file(), migrations: KeepHistory.migrations)
      try expectEqual(file.load().image, history.migratedFeed().image, "seed \(seed)")
    }
  }

  @Test("Law 36: a process that is not killed saves its whole history")
  func withoutKill() throws {
    var file = try KilledFile(seed: 1)
    let child = try file.child(last: 20)
    expectFalse(child.waitUntilEnd())
    expectEqual(child.acknowledged, Array(1...20))
    try file.check(child.acknowledged)
    expectEqual(file.history.saves, 20)
  }
}

/// A file that a process writes which is killed, and the state that it has.
private struct KilledFile {
  let folder: TemporaryFolder
  let seed: UInt64
  /// The history up to the save whose state the file has.
  private(set) var history: KeepHistory

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    self.seed = seed
    history = KeepHistory(seed: seed)
  }

  private var isDurable: Bool { seed.isMultiple(of: 2) }

  func child(last: Int = 1_000_000, failpoint: (String, Int)? = nil) throws -> KeepChild {
    try KeepChild(
      path: folder.file(), seed: seed, isDurable ? .durable : .fast, after: history.saves,
      last: last, failpoint: failpoint)
  }

  /// Checks the file after the process ended, and replays the history up to its state.
  mutating func check(_ acknowledged: [Int]) throws {
    let place: Comment = "seed \(seed), after save \(history.saves), acknowledged \(acknowledged)"
    let first = history.saves
    try #require(acknowledged == Array(first + 1..<first + 1 + acknowledged.count), place)
    let file = try DatabaseFile<CachedFeed>(path: folder.file())
    let found = try file.load()
    try #require(found.verify().isEmpty, place)
    while history.saves < first + acknowledged.count { try history.advance() }
    if found.image != history.feed.image {
      // The save under way may be there, but then all of it.
      try history.advance()
      try #require(found.image == history.feed.image, place)
    }
    try #require(found == history.feed, place)
    let problems = try file.withTurn { try $0.connection.value("PRAGMA integrity_check") }
    try #require(problems == .text("ok"), place)
    try file.expectRowCounts(place)
    try file.close()
  }
}
