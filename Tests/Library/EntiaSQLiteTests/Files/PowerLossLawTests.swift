import EntiaDatabase
import EntiaKeepHistories
import EntiaLaws
import EntiaSystemSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Law 37")
struct PowerLossLawTests {
  static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"
  static let seeds = LawRuns(count: isSlow ? 1_000 : 3).seeds
  static let saves = 16
  // `SQLITE_IOERR_WRITE` and `SQLITE_IOERR_FSYNC`, macros that are not imported.
  static let writeFailure = SQLITE_IOERR | 3 << 8
  static let syncFailure = SQLITE_IOERR | 4 << 8

  @Test(
    "Law 37: power loss at any write or sync loses no acknowledged save of a durable file",
    arguments: seeds)
  func durable(seed: UInt64) throws { try losePower(seed: seed, .durable) }

  @Test(
    "Law 37: power loss loses at most the last saves of a fast file, and never a part of one",
    arguments: seeds)
  func fast(seed: UInt64) throws { try losePower(seed: seed, .fast) }

  private func losePower(
    seed: UInt64, _ durability: DatabaseFileConfiguration.Durability
  ) throws {
    var random = SeededGenerator(seed: seed ^ 0x37)
    let whole = try FaultDisk()
    try expectEqual(Self.save(seed: seed, on: whole, durability), Self.saves)
    for _ in 0..<4 {
      let operation = random.number(in: 1..<whole.operations + 1)
      let place: Comment = "seed \(seed), power cut at operation \(operation)"
      let disk = try FaultDisk()
      disk.cutPower(at: operation)
      let folder = try TemporaryFolder()
      let acknowledged = try Self.save(seed: seed, in: folder, on: disk, durability)
      try #require(disk.isCut, place)
      try disk.restart(seed: random.next())

      let file = try DatabaseFile<CachedFeed>(path: folder.file())
      var found = try file.load()
      try #require(found.verify().isEmpty, place)
      let problems = try file.withTurn { try $0.connection.value("PRAGMA integrity_check") }
      try #require(problems == .text("ok"), place)
      var history = KeepHistory(seed: seed)
      while history.feed.image != found.image, history.saves <= acknowledged {
        try history.advance()
      }
      try #require(history.feed.image == found.image, place)
      if durability == .durable { try #require(history.saves >= acknowledged, place) }
      // The file goes on.
      try history.advance()
      try file.save(history.feed)
      found = try file.load()
      try #require(found.image == history.feed.image, place)
      try file.close()
    }
  }

  /// Saves a history, now and then compacts the file, and closes it.
  /// - Returns: The number of acknowledged saves.
  private static func save(
    seed: UInt64, in folder: TemporaryFolder? = nil, on disk: FaultDisk,
    _ durability: DatabaseFileConfiguration.Durability
  ) throws -> Int {
    let folder = try folder ?? TemporaryFolder()
    var history = KeepHistory(seed: seed)
    var acknowledged = 0
    do {
      let file = try DatabaseFile<CachedFeed>(
        path: folder.file(), configuration: disk.configuration(durability))
      for _ in 0..<saves {
        try history.advance()
        try file.save(history.feed)
        acknowledged += 1
        if acknowledged.isMultiple(of: 5) { try file.compact() }
      }
      try file.close()
    } catch is DatabaseFileError where disk.isCut {
      // Nothing that the process does after the cut reaches the disk.
    }
    return acknowledged
  }

  @Test(
    "A write or a sync that fails is a typed error, leaves the file as it was, and later saves work",
    arguments: seeds)
  func failures(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed ^ 0xF)
    let folder = try TemporaryFolder()
    let disk = try FaultDisk()
    let file = try DatabaseFile<CachedFeed>(
      path: folder.file(), configuration: disk.configuration(seed % 2 == 0 ? .durable : .fast))
    var history = KeepHistory(seed: seed)
    var saved = history.feed
    var failures = 0
    for step in 0..<60 {
      let place: Comment = "seed \(seed), step \(step)"
      try history.advance()
      let isFull = random.oneIn(2)
      let code = isFull ? SQLITE_FULL : random.oneIn(2) ? Self.writeFailure : Self.syncFailure
      let first = disk.operations + random.number(in: 1..<12)
      disk.fail(first...first + random.number(in: 0..<3), code: code)
      do {
        if random.oneIn(5) {
          try file.compact()
        } else {
          try file.save(history.feed)
          saved = history.feed
        }
      } catch let error as DatabaseFileError {
        failures += 1
        switch error {
        case .isFull: expectTrue(isFull, place)
        case .failed(_, let found, _): expectTrue(!isFull && found == code, place)
        default: Issue.record("seed \(seed), step \(step): \(error)")
        }
      }
      disk.fail(0...0, code: 0)
      let found = try file.read()
      try #require(found.image == saved.image, place)
    }
    #expect(failures > 5)
    try file.save(history.feed)
    try file.close()
    let other = try DatabaseFile<CachedFeed>(path: folder.file())
    try expectEqual(other.load().image, history.feed.image)
    let problems = try other.withTurn { try $0.connection.value("PRAGMA integrity_check") }
    expectEqual(problems, .text("ok"))
  }
}
