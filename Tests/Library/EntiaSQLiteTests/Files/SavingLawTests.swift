import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Law 35")
struct SavingLawTests {
  static let seeds: [UInt64] = LawRuns(count: 4, steps: 40).seeds

  @Test(
    "Law 35: load(save(x)) == x, iteration order included, after every step of a random history",
    arguments: seeds)
  func smallHistory(seed: UInt64) throws {
    try run(seed: seed, steps: 40, ids: 6)
  }

  @Test(
    "Law 35: the same in tables that are compacted", arguments: LawRuns(count: 1).seeds)
  func largeHistory(seed: UInt64) throws {
    try run(seed: seed, steps: 60, ids: 400)
  }

  private func run(seed: UInt64, steps: Int, ids: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let configuration = DatabaseFileConfiguration(durability: .fast)
    var file = try DatabaseFile<Shop>(path: folder.file(), configuration: configuration)
    var shop = try file.load()
    var versions = [shop]
    for step in 0..<steps {
      // Also the versions of the past and of other branches.
      if random.oneIn(6), let version = versions.randomElement(using: &random) { shop = version }
      try shop.change(ids: ids, &random)
      versions.append(shop)
      if random.oneIn(2) { continue }
      try file.save(shop)
      try file.expectRowCounts("seed \(seed), step \(step)")
      let found = try file.read()
      try #require(found == shop, "seed \(seed), step \(step)")
      try #require(found.image == shop.image, "seed \(seed), step \(step)")
      expectEqual(found.verify().count, shop.verify().count)
      if random.oneIn(4) {
        shop = try file.load()
        versions = [shop]
      }
      if random.oneIn(6) {
        try file.close()
        file = try DatabaseFile(path: folder.file(), configuration: configuration)
        shop = try file.load()
        versions = [shop]
      }
    }
  }

  @Test(
    "Law 35: a process that follows the file receives what load() returns",
    arguments: seeds)
  func followedHistory(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let file = try DatabaseFile<Shop>(
      path: folder.file(), configuration: .init(durability: .fast))
    var shop = try file.load()
    let reader = try DatabaseFile<Shop>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    var versions = reader.versions.makeAsyncIterator()
    var found = try #require(try await versions.next())
    var loggedCount = 0
    for step in 0..<40 {
      let old = shop
      try shop.change(ids: 6, &random)
      if shop.imageWithoutTableOrder == old.imageWithoutTableOrder { continue }
      try file.save(shop)
      found = try #require(try await versions.next())
      // A change set has no order for tables without one.
      try #require(
        found.imageWithoutTableOrder == shop.imageWithoutTableOrder, "seed \(seed), step \(step)")
      expectEqual(found.verify().count, shop.verify().count)
      // Rows that the log lacks are read from their tables.
      let log = try file.withTurn {
        try $0.connection.value("SELECT changes IS NOT NULL FROM entia_log ORDER BY version DESC")
      }
      if log == .integer(1) { loggedCount += 1 }
    }
    #expect(loggedCount > 5)
    withExtendedLifetime(reader) {}
  }

  @Test("Rows that are inserted at one place again and again keep their order")
  func crowdedPlace() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    var shop = Shop()
    shop.performBatchUpdates { context in
      for id in 0..<10 { context.modifying.items.insert(Item(id: id, name: "")) }
    }
    try file.save(shop)
    for id in 10..<400 {
      shop.performBatchUpdates { context in
        _ = context.modifying.items.insert(Item(id: id, name: ""), at: id % 3 == 0 ? 1 : 5)
      }
      try file.save(shop)
      if !isScaled, id % 5 != 4 { continue }
      let found = try file.read()
      try #require(found.image == shop.image, "\(id)")
    }
  }

  @Test("A save writes the rows that changed, and a compaction alone nothing")
  func work() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    func written(_ body: () throws -> Void) throws -> Int {
      let before = try file.withTurn { $0.connection.changedRowsInAll }
      try body()
      return try file.withTurn { $0.connection.changedRowsInAll } - before
    }
    var shop = Shop()
    shop.performBatchUpdates { context in
      for id in 0..<5_000 {
        context.modifying.items.insert(Item(id: id, name: ""))
        context.modifying.notes.insert(Note(id: "\(id)", text: ""))
      }
    }
    try file.save(shop)
    try expectEqual(written { try file.save(shop) }, 0)
    shop.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: "7") { $0.text = "a" }
      context.modifying.items.updateIfExists(id: 9) { $0.name = "b" }
      context.modifying.items.move(9, to: 0)
      context.modifying.notes.insert(Note(id: "new", text: ""))
    }
    // The others are the number of the notes, and the sums of both tables.
    try expectEqual(written { try file.save(shop) }, 7)
    // So many removals that the table is compacted.
    var removed = 0
    for start in stride(from: 0, to: 4_000, by: 100) {
      shop.performBatchUpdates { context in
        for id in start..<start + 99 where id != 7 {
          context.modifying.notes.remove(Note.EntityID("\(id)"))
        }
      }
      removed = 99 - (start == 0 ? 1 : 0)
      let found = try written { try file.save(shop) }
      expectEqual(found, removed + 2)
    }
    try expectEqual(file.read().image, shop.image)
    // Removed and inserted again, equal: the last now, which is one number, and the sum.
    let note = try #require(shop.notes.find(by: "7"))
    shop.performBatchUpdates { context in
      context.modifying.notes.remove("7")
      context.modifying.notes.insert(note)
    }
    try expectEqual(written { try file.save(shop) }, 2)
    try expectEqual(file.read().image, shop.image)
  }

  @Test("Two spellings of one ID are one row")
  func spellings() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    var shop = Shop()
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "e\u{301}", text: "")) }
    try file.save(shop)
    for (id, text) in [("é", ""), ("é", "a"), ("e\u{301}", "b"), ("é", "b"), ("é", "c")] {
      shop.performBatchUpdates { context in
        if text == "" { context.modifying.notes.remove("é") }
        context.modifying.notes.insert(Note(id: id, text: text))
      }
      try file.save(shop)
      let found = try file.read()
      expectEqual(found, shop)
    }
    shop.performBatchUpdates { $0.modifying.notes.remove("e\u{301}") }
    try file.save(shop)
    try expectEqual(file.load(), shop)
  }
}

extension Shop {
  /// Makes a few random changes in one batch.
  mutating func change(ids: Int, _ random: inout SeededGenerator) throws {
    let numbers: [Double] = [0, -0.0, .nan, .infinity, 1.5, -.infinity]
    let names = ["a", "é", "e\u{301}", "", "x\0y", "[1]"]
    let isLarge = ids > 10
    performBatchUpdates { context in
      let count = isLarge && random.oneIn(4) ? 150 : random.number(in: 1..<5)
      let kind = random.number(in: 0..<14)
      for _ in 0..<count {
        let kind = isLarge && count > 5 ? kind : random.number(in: 0..<14)
        let number = random.number(in: 0..<ids)
        let noteID = isLarge ? "n\(number)" : names[number % names.count]
        let itemCount = context.modifying.items.count
        switch kind {
        case 0, 1:
          context.modifying.notes.insert(
            Note(
              id: noteID, text: names[random.number(in: 0..<names.count)],
              rank: numbers[random.number(in: 0..<numbers.count)],
              stars: random.oneIn(2) ? nil : number,
              labels: random.oneIn(2) ? [] : [names[number % names.count]],
              grade: random.oneIn(2) ? nil : random.oneIn(2) ? .some(nil) : 1))
        case 2: context.modifying.notes.remove(Note.EntityID(noteID))
        case 3:
          // Equal, but the last now.
          if let note = context.modifying.notes.remove(Note.EntityID(noteID)) {
            context.modifying.notes.insert(note)
          }
        case 4, 5:
          context.modifying.items.insert(
            Item(
              id: number, name: names[random.number(in: 0..<names.count)],
              noteID: random.oneIn(2) ? nil : Note.EntityID(noteID)),
            at: random.number(in: 0..<itemCount + 1))
        case 6: context.modifying.items.remove(Item.EntityID(number))
        case 7:
          context.modifying.items.move(
            Item.EntityID(number), to: random.number(in: 0..<itemCount + 1))
        case 8:
          let column = numbers[random.number(in: 0..<numbers.count)]
          context.modifying.tags.insert(
            Tag(row: number, column: column, color: names[random.number(in: 0..<names.count)]))
        case 9:
          let column = numbers[random.number(in: 0..<numbers.count)]
          context.modifying.tags.remove(Tag.EntityID(Cell(row: number, column: column)))
        case 10: context.modifying.pins.insert(Item.EntityID(number), at: 0)
        case 11:
          if random.oneIn(2) {
            context.modifying.pins.append(Item.EntityID(number))
          } else {
            context.modifying.pins.remove(Item.EntityID(number))
          }
        case 12: context.modifying.marks.insert(Note.EntityID(noteID))
        default: context.modifying.marks.remove(Note.EntityID(noteID))
        }
      }
    }
  }
}
