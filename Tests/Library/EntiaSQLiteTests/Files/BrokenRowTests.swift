import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Rows that cannot be read")
struct BrokenRowTests {
  /// A file whose note b cannot be read, nor can item 2.
  func brokenFile() throws -> DatabaseFile<Shop> {
    let file = try DatabaseFile<Shop>.inMemory()
    var shop = DatabaseFileTests.sample()
    shop.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: "c", text: "C"))
      context.modifying.items.insert(Item(id: 3, name: "three", noteID: "b"))
      context.modifying.pins.append(2)
    }
    try file.save(shop)
    try execute(
      """
      UPDATE notes SET stars='many' WHERE id='b';
      UPDATE items SET name=NULL WHERE id=2;
      """, on: file)
    return file
  }

  func execute(_ sql: String, on file: DatabaseFile<Shop>) throws {
    try file.withTurn { try $0.connection.edit(sql) }
  }

  func value(_ sql: String, on file: DatabaseFile<Shop>) throws -> StoredValue? {
    try file.withTurn { try $0.connection.value(sql) }
  }

  @Test("By default they are an error; skipped, the rest is returned with a list of them")
  func skipped() throws {
    let file = try brokenFile()
    let error = #expect(throws: DatabaseFileError.self) { try file.load() }
    guard case .cannotDecode(":memory:", "notes", _, "stars", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: DatabaseFileError.self) { try file.load(onBrokenRow: .throw) }
    // What was not loaded cannot be removed.
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.database.notes.map(\.id), ["a", "c"])
    expectEqual(loaded.database.items.map(\.id), [1, 3])
    expectEqual(
      loaded.skippedRows.map(\.description),
      [
        "row \"b\" of notes, column stars, cannot be read: expected Int, found \"many\"",
        "row 2 of items, column name, cannot be read: it has no value; expected String, found NULL",
      ])
    let row = try #require(loaded.skippedRows.first)
    expectTrue(row.table == "notes" && row.row == "\"b\"" && row.column == "stars")
    expectEqual(row.reason, "expected Int, found \"many\"")
    expectEqual(loaded.database.verify().count, 1, "item 3 names note b")
  }

  @Test("A load that is refused because it skipped a required row names the row")
  func required() throws {
    let file = try DatabaseFile<Cabinet>.inMemory()
    var cabinet = Cabinet()
    try cabinet.performBatchUpdates { context in
      context.modifying.accounts.insert(Cabinet.Account(id: "a", name: "A"))
      context.modifying.folders.insert(Cabinet.Folder(id: 1, accountID: "a"))
    }
    try file.save(cabinet)
    try file.withTurn { try $0.connection.edit("UPDATE accounts SET name=NULL") }
    let error = #expect(throws: DatabaseFileError.self) { try file.load(onBrokenRow: .skip) }
    guard case .refused(":memory:", let reasons) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(
      reasons,
      [
        "Folder 1: folderAccount requires Account a, which does not exist",
        "row \"a\" of accounts, column name, cannot be read: it has no value; expected String, found NULL, and was skipped",
      ])
    // The file is unchanged and can be repaired.
    try file.withTurn { try $0.connection.edit("UPDATE accounts SET name='A'") }
    try expectEqual(file.load(), cabinet)
  }

  @Test("Later saves, of rows in any place too, leave them in the file with what names them")
  func remain() throws {
    let file = try brokenFile()
    var shop = try file.load(onBrokenRow: .skip).database
    for number in 10..<60 {
      shop.performBatchUpdates { context in
        _ = context.modifying.items.insert(Item(id: number, name: ""), at: number % 3)
        context.modifying.notes.updateIfExists(id: "a") { $0.text = "\(number)" }
        context.modifying.pins.append(Item.EntityID(number))
      }
      try file.save(shop)
    }
    shop.performBatchUpdates { context in
      context.modifying.notes.remove("c")
      context.modifying.items.remove(1)
    }
    try file.save(shop)
    try expectEqual(file.load(onBrokenRow: .skip).database.image, shop.image)
    try expectEqual(value("SELECT text FROM notes WHERE id='b'", on: file), .text("B"))
    try expectEqual(value("SELECT stars FROM notes WHERE id='b'", on: file), .text("many"))
    try expectEqual(value("SELECT count(*) FROM items WHERE id=2", on: file), .integer(1))
    try expectEqual(value("SELECT count(*) FROM pins WHERE entia_id=2", on: file), .integer(1))
    try expectEqual(value("SELECT count(*) FROM marks WHERE entia_id='b'", on: file), .integer(1))
    // Corrected by someone, they are there again.
    try execute(
      "UPDATE notes SET stars=4 WHERE id='b'; UPDATE items SET name='two' WHERE id=2", on: file)
    let corrected = try file.load()
    expectEqual(corrected.notes.find(by: "b")?.stars, 4)
    expectEqual(corrected.items.find(by: 2)?.name, "two")
    expectTrue(corrected.marks.ids() == ["b"] && corrected.pins.ids().contains(2))
  }

  @Test("Of the held IDs without a loaded row, those of removed rows do not remain")
  func removedHeldID() throws {
    let file = try brokenFile()
    try execute("DELETE FROM items WHERE id=1", on: file)
    var shop = try file.load(onBrokenRow: .skip).database
    shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 1, name: "again")) }
    try file.save(shop)
    try expectEqual(file.load(onBrokenRow: .skip).database.image, shop.image)
    try expectEqual(value("SELECT count(*) FROM pins WHERE entia_id=1", on: file), .integer(0))
    try expectEqual(value("SELECT count(*) FROM pins WHERE entia_id=2", on: file), .integer(1))
    try expectEqual(value("SELECT count(*) FROM marks WHERE entia_id='b'", on: file), .integer(1))
  }

  @Test("A row with the ID of a skipped one replaces it only if the save is to replace such rows")
  func sameID() throws {
    let file = try brokenFile()
    var shop = try file.load(onBrokenRow: .skip).database
    shop.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: "a") { $0.text = "changed" }
      context.modifying.notes.insert(Note(id: "b", text: "new", stars: 1))
    }
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseFileError.self) { try file.save(shop) }
      guard case .cannotEncode(":memory:", "notes", "b", nil, let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(reason.contains("replacing: true"))
      try expectEqual(value("SELECT text FROM notes WHERE id='a'", on: file), .text("A"))
      try expectEqual(value("SELECT stars FROM notes WHERE id='b'", on: file), .text("many"))
    }
    try file.save(shop, replacing: true)
    try expectEqual(file.load(), shop)
  }

  @Test(
    "No save of random changes alters or removes a skipped row",
    arguments: LawRuns(count: 3).seeds)
  func random(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let configuration = DatabaseFileConfiguration(durability: .fast)
    var file = try DatabaseFile<Shop>(path: folder.file(), configuration: configuration)
    var shop = Shop()
    shop.performBatchUpdates { context in
      for id in 0..<30 {
        context.modifying.notes.insert(Note(id: "n\(id)", text: ""))
        context.modifying.items.insert(Item(id: id, name: ""))
      }
    }
    try file.save(shop)
    try execute(
      """
      UPDATE notes SET labels='[' WHERE rowid % 5 = 0;
      UPDATE items SET name=NULL WHERE id % 4 = 0;
      """, on: file)
    func broken() throws -> [StoredValue?] {
      try [
        "SELECT json_group_array(json_array(id, text, hex(rank), stars, labels)) "
          + "FROM (SELECT * FROM notes WHERE labels='[' ORDER BY id)",
        "SELECT json_group_array(json_array(id, noteID)) "
          + "FROM (SELECT * FROM items WHERE name IS NULL ORDER BY id)",
      ].map { try value($0, on: file) }
    }
    let rows = try broken()
    let count = try file.load(onBrokenRow: .skip).skippedRows.count
    shop = try file.load(onBrokenRow: .skip).database
    for step in 0..<40 {
      var next = shop
      try next.change(ids: 30, &random)
      do {
        try file.save(next)
        shop = next
      } catch DatabaseFileError.cannotEncode {
        // The ID of a skipped row. Nothing was saved.
      }
      try #require(try broken() == rows, "seed \(seed), step \(step)")
      try file.expectRowCounts("seed \(seed), step \(step)")
      if random.oneIn(5) {
        try file.close()
        file = try DatabaseFile(path: folder.file(), configuration: configuration)
        let loaded = try file.load(onBrokenRow: .skip)
        try #require(loaded.skippedRows.count == count && loaded.database.image == shop.image)
        shop = loaded.database
      }
    }
  }

  @Test("They are removed when a save is to replace what was not loaded, by a keeper too")
  func replaced() async throws {
    var file = try brokenFile()
    var shop = try file.load(onBrokenRow: .skip).database
    try file.save(shop)
    try expectEqual(file.load(onBrokenRow: .skip).skippedRows.count, 2)
    try file.save(shop, replacing: true)
    try expectEqual(file.load().image, shop.image)
    file = try brokenFile()
    shop = try file.load(onBrokenRow: .skip).database
    let store = AppStore(initialState: AppState(shop: shop))
    let keeper = try store.keep(\.shop, in: file, replacing: true)
    store.insert("z")
    try await keeper.saved()
    try expectEqual(file.load().image, store.state.shop.image)
  }

  @Test("Of rows with one ID the first is read")
  func repeated() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try execute(
      "INSERT INTO notes(id, text, rank, labels) VALUES ('é', '1', 0, '[]'), ('e\u{301}', '2', 0, '[]')",
      on: file)
    #expect(throws: DatabaseFileError.self) { try file.load() }
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.database.notes.find(by: "é")?.text, "1")
    expectEqual(loaded.skippedRows.count, 1)
    expectEqual(loaded.skippedRows.first?.reason.contains("two rows with this ID"), true)
  }

  @Test("Nothing is skipped in a sound file")
  func sound() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.database.image, DatabaseFileTests.sample().image)
    expectTrue(loaded.skippedRows.isEmpty)
  }
}

private struct Cabinet: NormalizedStorageType {
  struct Account: EntityType, Identifiable, Codable {
    let id: String
    var name: String
  }

  struct Folder: EntityType, Identifiable, Codable {
    let id: Int
    var accountID: Account.EntityID
  }

  struct Contents: StorageContents {
    var accounts = Tables.Hash<Account>()
    var folders = Tables.Hash<Folder>()
    var folderAccount = ToOne<Folder, Account>(\.accountID, onDelete: .cascade).required()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("accounts", \.accounts)
      visitor.table("folders", \.folders)
      visitor.relationship("folderAccount", \.folderAccount)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}
