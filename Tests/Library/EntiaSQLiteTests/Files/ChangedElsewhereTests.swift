import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files that something else changed")
struct ChangedElsewhereTests {
  /// Runs SQL on a file that is not open.
  func run(_ sql: String, on path: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  @Test(
    "A table without its primary key, and a view in its place, are no empty tables",
    arguments: [
      "CREATE TABLE copy AS SELECT * FROM notes; DROP TABLE notes; ALTER TABLE copy RENAME TO notes",
      "ALTER TABLE notes RENAME TO others; CREATE VIEW notes AS SELECT * FROM others",
    ])
  func noPrimaryKey(sql: String) throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    try run(sql, on: folder.file())
    file = try DatabaseFile(path: folder.file())
    let error = DatabaseFileError.isDamaged(
      file: folder.file(),
      reason: """
        table notes: it has no primary key of one column: it is a view, or something else created \
        it anew
        """)
    #expect(throws: error) { try file.load() }
    #expect(throws: DatabaseFileError.self) { try file.save(Shop()) }
  }

  @Test("Rows without a place in one table are numbered when that table is saved, not another")
  func unnumbered() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try file.withTurn {
      try $0.connection.edit("INSERT INTO items(id, name) VALUES (9, 'nine'), (8, 'eight')")
    }
    var shop = try file.load()
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "c", text: "C")) }
    try file.save(shop)
    shop.performBatchUpdates { $0.modifying.items.move(9, to: 0) }
    try file.save(shop)
    shop.performBatchUpdates { _ = $0.modifying.items.insert(Item(id: 7, name: ""), at: 4) }
    try file.save(shop)
    try expectEqual(file.load().items.map(\.id), shop.items.map(\.id))
    try expectEqual(
      file.withTurn {
        try $0.connection.value("SELECT count(*) FROM items WHERE entia_order IS NULL")
      }, .integer(0))
  }

  @Test("A held ID without an entity is dropped for good")
  func danglingHeldID() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try file.withTurn { try $0.connection.edit("DELETE FROM items WHERE id=1") }
    var shop = try file.load()
    expectTrue(shop.pins.ids().isEmpty)
    shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 1, name: "again")) }
    try file.save(shop)
    try expectEqual(file.load().image, shop.image)
    shop.performBatchUpdates { $0.modifying.pins.append(1) }
    try file.save(shop)
    try expectEqual(file.load().image, shop.image)
  }

  @Test(
    "A file whose transaction must be rolled back is not read in a folder that cannot be written")
  func journal() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    try run("PRAGMA journal_mode=DELETE", on: folder.file())
    // A journal of a transaction that changed pages, as a crash leaves it.
    let connection = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try connection.execute(
      "PRAGMA cache_size=1; BEGIN; UPDATE notes SET text=hex(zeroblob(90000))")
    let copy = folder.file("copy.sqlite")
    let files = FileManager.default
    try files.copyItem(atPath: folder.file(), toPath: copy)
    try files.copyItem(atPath: folder.file() + "-journal", toPath: copy + "-journal")
    try connection.execute("ROLLBACK")
    let configuration = DatabaseFileConfiguration(isReadOnly: true)
    let before = try Data(contentsOf: URL(fileURLWithPath: copy))
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<Shop>(path: copy, configuration: configuration).load()
    }
    expectEqual(
      error?.description,
      """
      \(copy) cannot be opened: a process ended while it wrote the file: open it for writing \
      once, as `sqlite3 FILE .tables` does
      """)
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: copy)), before)
    // A connection that writes rolls the transaction back.
    try expectEqual(DatabaseFile<Shop>(path: copy).load(), DatabaseFileTests.sample())
  }
}
