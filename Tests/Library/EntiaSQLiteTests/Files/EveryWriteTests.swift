import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Laws 36 and 37, at every write")
struct EveryWriteTests {
  /// The outcome of a history that may have ended at a write.
  struct Outcome {
    /// The number of acknowledged saves.
    var saves = 0
    var isMigrated = false
  }

  static func shop(afterSaves count: Int) -> OldShop {
    var shop = OldShop.sample()
    for number in 0..<count {
      shop.performBatchUpdates { context in
        context.modifying.books.insert(OldBook(id: 10 + number, name: "book \(number)", pages: 1))
        context.modifying.writers.move("a", to: number % 2)
      }
    }
    return shop
  }

  /// Saves three times, compacts the file, and opens it again with migrations.
  static func run(_ folder: TemporaryFolder, _ disk: FaultDisk, isDurable: Bool) throws -> Outcome {
    var outcome = Outcome()
    let configuration = disk.configuration(isDurable ? .durable : .fast)
    do {
      let file = try DatabaseFile<OldShop>(path: folder.file(), configuration: configuration)
      for count in 1...3 {
        try file.save(shop(afterSaves: count))
        outcome.saves = count
        if count == 2 { try file.compact() }
      }
      try file.close()
      let new = try DatabaseFile<NewShop>(
        path: folder.file(), configuration: configuration, migrations: NewShop.migrations)
      outcome.isMigrated = true
      try new.close()
    } catch is DatabaseFileError where disk.isCut {
      // The process does nothing more.
    }
    return outcome
  }

  /// The state that the migrations make of a database.
  static func migrated(_ shop: OldShop) throws -> NewShop {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<OldShop>(path: folder.file())
    try file.save(shop)
    try file.close()
    return try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations).load()
  }

  @Test(
    "A process that ends at any write or sync, and a power loss there, leave one state",
    arguments: scaled([(true, true), (true, false), (false, true), (false, false)]))
  func everyWrite(isDurable: Bool, losesPower: Bool) throws {
    let whole = try FaultDisk()
    let outcome = try Self.run(TemporaryFolder(), whole, isDurable: isDurable)
    expectTrue(outcome.saves == 3 && outcome.isMigrated)
    let expected = try Self.migrated(Self.shop(afterSaves: 3))
    #expect(whole.operations > 20)
    var found = Set<Int>()
    // What is left of the writes since the last sync differs between seeds.
    let seeds = losesPower && !isDurable ? 2 : 1
    // Unless the tests are scaled, every fifth one, and every other one where a loss of power may
    // take saves with it; which ones differs between the disks.
    let stride = isScaled ? 1 : seeds > 1 ? 2 : 5
    let first = isDurable ? 0 : stride - 1
    for run in Swift.stride(from: first, to: whole.operations * seeds, by: stride) {
      let (operation, seed) = (run / seeds + 1, UInt64(run + 1))
      let place: Comment = "operation \(operation) of \(whole.operations), seed \(seed)"
      let disk = try FaultDisk()
      disk.cutPower(at: operation)
      let folder = try TemporaryFolder()
      let outcome = try Self.run(folder, disk, isDurable: isDurable)
      try #require(disk.isCut, place)
      // Without a restart the file has everything that was written, as the system has it.
      if losesPower { try disk.restart(seed: seed) }
      let isSure = isDurable || !losesPower
      do {
        let file = try DatabaseFile<OldShop>(path: folder.file())
        let shop = try file.load()
        try file.expectRowCounts(place)
        try file.close()
        let count = try #require(
          (0...3).first { $0 == 0 ? shop == OldShop() : shop == Self.shop(afterSaves: $0) }, place)
        expectTrue(!outcome.isMigrated || !isSure, place)
        expectTrue(count <= outcome.saves + 1 && (count >= outcome.saves || !isSure), place)
        found.insert(count)
        if count < 3 { continue }
      } catch DatabaseFileError.isNewer {
        expectEqual(outcome.saves, 3, place)
        found.insert(4)
      }
      let new = try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations)
      try expectEqual(new.load(), expected, place)
      try new.expectRowCounts(place)
      try new.close()
    }
    expectEqual(found, [0, 1, 2, 3, 4])
  }
}
