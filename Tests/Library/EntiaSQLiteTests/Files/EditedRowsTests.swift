import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Rows that another program changes while a sole writer has the file open")
struct EditedRowsTests {
  private static let tables = ["notes", "items", "tags", "pins", "marks"]

  @Test(
    "Law 35: saves write their rows although others change the tables between them, in any order",
    arguments: LawRuns(count: 7, steps: 30).seeds)
  func history(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let file = try DatabaseFile<Shop>(
      path: folder.file(), configuration: DatabaseFileConfiguration(durability: .fast))
    var shop = DatabaseFileTests.sample()
    shop.performBatchUpdates { $0.modifying.tags.insert(Tag(row: 9, column: 0, color: "")) }
    try file.save(shop)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    var saved = shop
    for step in 0..<30 {
      for _ in 0..<random.number(in: 0..<4) { try edit(other, &random) }
      try shop.change(ids: 6, &random)
      if random.oneIn(3) { continue }
      try file.save(shop)
      let comment: Comment = "seed \(seed), step \(step)"
      let notes = try texts("SELECT id, text FROM notes", other)
      // NaN is unequal to itself.
      for note in shop.notes where !note.rank.isNaN && saved.notes[note.entityID] != note {
        try #require(notes[note.id] == note.text, comment)
      }
      for note in saved.notes where shop.notes[note.entityID] == nil {
        try #require(notes[note.id] == nil, comment)
      }
      let items = try texts("SELECT id, name FROM items", other)
      for item in shop.items where saved.items[item.entityID] != item {
        try #require(items["\(item.id)"] == item.name, comment)
      }
      if !shop.items.elementsEqual(saved.items) {
        // All rows of a table that was written are there, and in order.
        let order = try ids("SELECT id FROM items ORDER BY entia_order", other)
        let known = Set(shop.items.map(\.id))
        try #require(order.filter(known.contains) == shop.items.map(\.id), comment)
      }
      saved = shop
    }
    try other.close()
    // What the other program has inserted stays, as far as no row of the version has its ID.
    shop.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: "last", text: ""))
      context.modifying.items.insert(Item(id: 99, name: ""))
    }
    try file.save(shop)
    let loaded = try file.load(onBrokenRow: .skip).database
    expectTrue(Set(shop.notes.map(\.id)).isSubset(of: loaded.notes.map(\.id)), "seed \(seed)")
    expectTrue(Set(shop.items.map(\.id)).isSubset(of: loaded.items.map(\.id)), "seed \(seed)")
  }

  @Test("A failed save does not forget that another program has changed the rows")
  func failedSave() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.items.insert((0..<4).map { Item(id: $0, name: "old") })
    }
    try file.save(shop)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("DELETE FROM items WHERE id=2; INSERT INTO items(id, name) VALUES (7, 'x')")
    try other.close()
    var large = shop
    large.performBatchUpdates { context in
      context.modifying.items.insert(Item(id: 9, name: String(repeating: "x", count: 1 << 20)))
    }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=1") }
    #expect(throws: DatabaseFileError.isFull(file: folder.file())) { try file.save(large) }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=1000000") }
    shop.performBatchUpdates { context in
      context.modifying.items.updateIfExists(id: 2) { $0.name = "new" }
      context.modifying.items.insert(Item(id: 7, name: "seven"))
      context.modifying.items.remove(1)
    }
    try file.save(shop)
    let loaded = try file.load().items
    expectEqual(loaded.map(\.id), [0, 2, 3, 7])
    expectEqual(loaded.map(\.name), ["old", "new", "old", "seven"])
    try file.expectRowCounts()
  }

  @Test(
    "A first row overwrites one that another program has inserted, also long before",
    arguments: [true, false])
  func firstRow(isLongBefore: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var shop = Shop()
    shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 1, name: "old")) }
    try file.save(shop)
    shop.performBatchUpdates { _ = $0.modifying.items.remove(1) }
    try file.save(shop)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("INSERT INTO items(id, name) VALUES (1, 'other'), (3, 'other')")
    try other.close()
    if isLongBefore {
      shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 5, name: "")) }
      try file.save(shop)
      shop.performBatchUpdates { _ = $0.modifying.items.remove(5) }
      try file.save(shop)
    }
    shop.performBatchUpdates { context in
      context.modifying.items.insert([Item(id: 2, name: "two"), Item(id: 1, name: "one")])
    }
    try file.save(shop)
    try expectEqual(file.load().items.map(\.name), ["two", "one", "other"])
  }

  @Test("A skipped row of a table keeps no other row, of this table or another, from being saved")
  func beside() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("UPDATE notes SET text=5 WHERE id='a'")
    file = try DatabaseFile<Shop>(path: folder.file())
    var shop = try file.load(onBrokenRow: .skip).database
    try other.execute("DELETE FROM items WHERE id=1; DELETE FROM notes WHERE id='b'")
    try other.close()
    shop.performBatchUpdates { context in
      context.modifying.items.updateIfExists(id: 1) { $0.name = "new" }
      context.modifying.notes.updateIfExists(id: "b") { $0.text = "new" }
    }
    try file.save(shop)
    let loaded = try file.load(onBrokenRow: .skip)
    expectTrue(loaded.database == shop && loaded.skippedRows.map(\.table) == ["notes"])
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "a", text: "")) }
    #expect(throws: DatabaseFileError.self) { try file.save(shop) }
    try file.save(shop, replacing: true)
    try expectEqual(file.load(), shop)
  }

  @Test("A save that replaces also removes rows that another program has inserted since the load")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let shop = DatabaseFileTests.sample()
    try file.save(shop)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("INSERT INTO items(id, name) VALUES (9, 'other')")
    try file.save(shop, replacing: true)
    try expectEqual(file.read(), shop)
    try other.execute("INSERT INTO items(id, name) VALUES (9, 'other')")
    try file.save(Shop())
    try file.save(shop, replacing: true)
    try expectEqual(file.read(), shop)
    try other.close()
  }

  @Test("A table that another program drops, and one of whose columns it drops, are saved again")
  func schema() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var shop = DatabaseFileTests.sample()
    try file.save(shop)
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("DROP TABLE items; ALTER TABLE notes DROP COLUMN stars")
    try other.close()
    shop.performBatchUpdates { context in
      context.modifying.items.insert(Item(id: 5, name: "five"), at: 1)
      context.modifying.notes.updateIfExists(id: "b") { $0.stars = 7 }
    }
    try file.save(shop)
    try expectEqual(file.load(), shop)
    try file.expectRowCounts()
  }

  @Test("Followers receive the rows that a save restores and overwrites, whenever it does")
  func followers() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Library>(path: folder.file())
    var library = try file.load()
    func save(_ body: (inout BatchContext<Library>) throws -> Void) throws {
      try library.performBatchUpdates { try body(&$0) }
      try file.save(library)
    }
    try save { context in
      context.modifying.authors.insert(["a", "b"].map { Author(id: $0, name: "old") })
    }
    let reader = try DatabaseFile<Library>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    let store = SharedStore<Library>(initialState: SharedState(storage: try reader.load()))
    let following = try store.follow(\.storage, in: reader)
    func wait(_ comment: Comment, until condition: (Library) -> Bool) async throws {
      for _ in 0..<2_000 {
        if condition(store.state.storage) { return }
        try await Task.sleep(for: .milliseconds(5))
      }
      Issue.record(comment)
    }
    try save { $0.modifying.authors.insert(Author(id: "d", name: "")) }
    try await wait("the follower never reads a save") { $0.authors["d"] != nil }
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute(
      "DELETE FROM authors WHERE id='a'; INSERT INTO authors(id, name) VALUES ('x', 'other')")
    try await wait("the follower never reads the edit") { $0.authors["a"] == nil }
    // The edit is noted by a save of another table.
    try save { $0.modifying.shelves.insert(Shelf(id: 1, bookIDs: [])) }
    try await wait("the follower never reads another table") { $0.shelves.count == 1 }
    try save { $0.modifying.authors.insert(Author(id: "c", name: "")) }
    try await wait("the follower never reads what was restored") { $0.authors["a"] != nil }
    try save { $0.modifying.authors.insert(Author(id: "x", name: "mine")) }
    try await wait("the follower never reads what was overwritten") {
      $0.authors["x"]?.name == "mine"
    }
    expectEqual(store.state.storage, try file.read())
    try other.close()
    following.close()
  }

  /// Changes rows as `sqlite3` does.
  private func edit(_ other: SQLiteConnection, _ random: inout SeededGenerator) throws {
    let number = random.number(in: 0..<6)
    // No other spelling of an ID: a load refuses two rows with one ID.
    let names = ["a", "b", "", "[1]", "n", "m"]
    switch random.number(in: 0..<5) {
    case 0, 1:
      let table = Self.tables[random.number(in: 0..<Self.tables.count)]
      try other.execute(
        """
        DELETE FROM \(table) WHERE rowid IN \
        (SELECT rowid FROM \(table) ORDER BY rowid LIMIT 1 OFFSET \(random.number(in: 0..<3)))
        """)
    case 2:
      try other.execute("INSERT OR REPLACE INTO items(id, name) VALUES (\(number), 'other')")
    case 3:
      try other.execute(
        """
        INSERT OR REPLACE INTO notes(id, text, rank, labels) \
        VALUES ('\(names[number])', 'other', 0, '[]')
        """)
    default:
      try other.execute("UPDATE items SET name='edited' WHERE id=\(number)")
    }
  }

  private func texts(_ sql: String, _ other: SQLiteConnection) throws -> [String: String] {
    let rows = try other.prepare(sql)
    var texts: [String: String] = [:]
    while try rows.step() { texts[rows.text(at: 0)] = rows.text(at: 1) }
    return texts
  }

  private func ids(_ sql: String, _ other: SQLiteConnection) throws -> [Int] {
    let rows = try other.prepare(sql)
    var ids: [Int] = []
    while try rows.step() { ids.append(Int(rows.integer(at: 0))) }
    return ids
  }
}
