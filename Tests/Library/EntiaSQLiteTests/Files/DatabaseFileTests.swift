import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Database files")
struct DatabaseFileTests {
  static func sample() -> Shop {
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.notes.insert([Note(id: "a", text: "A"), Note(id: "b", text: "B", stars: 3)])
      context.modifying.items.insert([Item(id: 2, name: "two"), Item(id: 1, name: "one")])
      context.modifying.pins.append(1)
      context.modifying.marks.insert("b")
    }
    return shop
  }

  @Test("A new file loads as the initial database, and then as what was saved")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try expectEqual(file.load(), Shop())
    try file.save(Self.sample())
    try expectEqual(file.load().image, Self.sample().image)
    try file.close()
    try file.close()
    #expect(throws: DatabaseFileError.isClosed(file: file.path)) { try file.load() }
    #expect(throws: DatabaseFileError.isClosed(file: file.path)) { try file.save(Shop()) }
    let again = try DatabaseFile<Shop>(path: folder.file())
    try expectEqual(again.load().image, Self.sample().image)
  }

  @Test("Each load uses the statement of the last one, and closing the file releases it")
  func keptStatement() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(Self.sample())
    func statement() throws -> SQLiteStatement? {
      try file.withTurn { $0.tables["notes"]?.readingRows }
    }
    _ = try file.load()
    let kept = try #require(try statement())
    var shop = try file.load()
    try expectTrue(statement() === kept)
    // The table has another column.
    try file.withTurn { try $0.connection.execute("ALTER TABLE notes ADD COLUMN extra DEFAULT 1") }
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "c", text: "C")) }
    try file.save(shop)
    try expectEqual(file.load().image, shop.image)
    let isReleased = { [weak kept] in kept == nil }
    _ = consume kept
    try file.close()
    expectTrue(isReleased())
  }

  @Test("Only the owner can read a new file")
  func mode() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(Self.sample())
    for name in ["", "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file() + name)
      expectEqual(attributes[.posixPermissions] as? Int, 0o600)
    }
  }

  @Test("Others query the file by the names of tables and members")
  func queries() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(Self.sample())
    try file.withTurn { file in
      let connection = file.connection
      try expectEqual(connection.value("SELECT text FROM notes WHERE id='b'"), .text("B"))
      try expectEqual(connection.value("SELECT name FROM items WHERE id=2"), .text("two"))
      try expectEqual(
        connection.value("SELECT count(*) FROM notes WHERE stars IS NULL"), .integer(1))
      for (table, id) in [("notes", "id"), ("items", "id"), ("pins", "entia_id")] {
        let key = try connection.value(
          "SELECT name FROM pragma_table_info(?) WHERE pk=1", [.text(table)])
        expectEqual(key, .text(id))
      }
      // A look-up by ID reads no other rows.
      for table in ["notes", "items"] {
        let plan = try connection.prepare(
          "EXPLAIN QUERY PLAN UPDATE \(table) SET id=1 WHERE id IS ?")
        try expectTrue(plan.step())
        expectTrue(plan.text(at: 3).hasPrefix("SEARCH"), "\(plan.text(at: 3))")
      }
    }
  }

  @Test("A save on a file whose rows were not loaded is refused unless it replaces them")
  func notLoaded() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(Self.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file())
    #expect(throws: DatabaseFileError.notLoaded(file: file.path)) { try file.save(Shop()) }
    try expectEqual(file.load(), Self.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file())
    var other = Shop()
    other.performBatchUpdates { $0.modifying.notes.insert(Note(id: "z", text: "Z")) }
    try file.save(other, replacing: true)
    try expectEqual(file.load().image, other.image)
  }

  @Test("One connection writes: a second one is refused at once, in the same process too")
  func openTwice() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let error = DatabaseFileError.isOpenElsewhere(file: folder.file())
    #expect(throws: error) { try DatabaseFile<Shop>(path: folder.file()) }
    try file.save(Self.sample())
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load(), Self.sample())
  }

  @Test("A file of a newer format is refused")
  func newer() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(Self.sample())
    try file.withTurn { file in
      try file.connection.execute("UPDATE entia_file SET value=2 WHERE key='format'")
    }
    try file.close()
    #expect(
      throws: DatabaseFileError.isNewer(
        file: folder.file(), reason: "it has format 2, and this program reads 1")
    ) { try DatabaseFile<Shop>(path: folder.file()) }
  }

  @Test("A row that cannot be read is an error that names the table, the row and the column")
  func brokenRow() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(Self.sample())
    try file.withTurn { try $0.connection.edit("UPDATE notes SET stars='many' WHERE id='b'") }
    let error = #expect(throws: DatabaseFileError.self) { try file.load() }
    expectEqual(
      error?.description,
      """
      :memory:: row "b" of notes, column stars, cannot be read: expected Int, found "many"
      """)
  }

  @Test("A failed save leaves the file and the object as they were, and the next one succeeds")
  func failedSave() throws {
    struct Picky: EntityType, Identifiable, Codable {
      let id: Int
      var refuses = false
      var extra: Int?

      struct Refusal: Error {}

      enum CodingKeys: CodingKey { case id, refuses, extra }

      func encode(to encoder: any Encoder) throws {
        if refuses { throw Refusal() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(refuses, forKey: .refuses)
        if let extra { try container.encode(extra, forKey: .extra) }
      }
    }
    struct Box: NormalizedStorageType {
      struct Contents: StorageContents {
        var rows = Tables.Hash<Picky>()

        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("rows", \.rows) }
      }

      var snapshot = Snapshot(Contents())
    }
    let file = try DatabaseFile<Box>.inMemory()
    var box = Box()
    box.performBatchUpdates { $0.modifying.rows.insert(Picky(id: 1)) }
    try file.save(box)
    let good = box
    box.performBatchUpdates { context in
      context.modifying.rows.insert(Picky(id: 2, extra: 5))
      context.modifying.rows.insert(Picky(id: 3, refuses: true))
    }
    let error = #expect(throws: DatabaseFileError.self) { try file.save(box) }
    expectEqual(error?.description, ":memory:: row 3 of rows cannot be stored: Refusal()")
    try expectEqual(file.read(), good)
    box.performBatchUpdates { $0.modifying.rows.updateIfExists(id: 3) { $0.refuses = false } }
    try file.save(box)
    try expectEqual(file.load(), box)
  }

  @Test("Rows that something else inserted without a place are the last, and keep their order")
  func insertedElsewhere() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(Self.sample())
    try file.withTurn {
      try $0.connection.edit("INSERT INTO items(id, name) VALUES (9, 'nine'), (8, 'eight')")
    }
    var shop = try file.load()
    expectEqual(shop.items.map(\.id), [2, 1, 8, 9])
    shop.performBatchUpdates { context in
      context.modifying.items.insert(Item(id: 7, name: "seven"))
      context.modifying.items.move(9, to: 0)
    }
    try file.save(shop)
    try expectEqual(file.load().items.map(\.id), [9, 2, 1, 8, 7])
  }

  @Test("Entities that are not Codable are refused when the file is opened")
  func notCodable() throws {
    struct Plain: EntityType, Identifiable { let id: Int }
    struct Box: NormalizedStorageType {
      struct Contents: StorageContents {
        var rows = Tables.Hash<Plain>()

        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("rows", \.rows) }
      }

      var snapshot = Snapshot(Contents())
    }
    #expect(
      throws: DatabaseFileError.notCodable(file: ":memory:", table: "rows", type: "Plain")
    ) { try DatabaseFile<Box>.inMemory() }
  }
}
