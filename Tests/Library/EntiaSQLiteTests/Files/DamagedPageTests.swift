import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Pages that have lost rows")
struct DamagedPageTests {
  /// A page of a table whose number of cells is one less than it was.
  enum Page: CaseIterable { case leaf, interior }

  static let count = 1_500

  /// Made once, because that takes long.
  static let shop = {
    var shop = Shop()
    shop.performBatchUpdates { context in
      for id in 0..<count {
        context.modifying.items.insert(Item(id: id, name: "name \(id)"))
        context.modifying.notes.insert(Note(id: "n\(id)", text: "text \(id)"))
        context.modifying.tags.insert(Tag(row: id, column: 1, color: "red"))
        context.modifying.pins.append(Item.EntityID(id))
      }
    }
    return shop
  }()

  /// Writes a file, and lets a page of a table lose a cell.
  /// - Returns: The bytes of the damaged file.
  private func damage(
    _ page: Page, of table: String, _ path: String, _ storage: String = ""
  ) throws -> Data {
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(Self.shop)
    try file.close()
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let root = try connection.value(
      "SELECT rootpage FROM sqlite_schema WHERE type='table' AND name=?", [.text(table)])
    try connection.close()
    guard case .integer(let root) = root else { throw CocoaError(.fileReadUnknown) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func number(_ offset: Int, _ count: Int) -> Int {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    func start(_ page: Int) -> Int { (page - 1) * 4_096 }
    var offset = start(Int(root))
    try #require(bytes[offset] == 5, "the root is no interior page")
    if page == .leaf {
      // The child left of the first cell.
      offset = start(number(offset + number(offset + 12, 2), 4))
      try #require(bytes[offset] == 13)
    }
    let cells = number(offset + 3, 2) - 1
    bytes[offset + 3] = UInt8(cells >> 8)
    bytes[offset + 4] = UInt8(cells & 255)
    try bytes.write(to: URL(fileURLWithPath: path))
    return bytes
  }

  @Test(
    "A load fails with the name of the table, and nothing is written", arguments: Page.allCases,
    ["items", "notes", "tags", "pins"])
  func loading(page: Page, table: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let bytes = try damage(page, of: table, path)
    func expectDamage(_ body: () throws -> Void) throws {
      let error = try #require(throws: DatabaseFileError.self, performing: body)
      guard case .isDamaged(let file, let reason) = error else { throw error }
      expectEqual(file, path)
      expectTrue(
        reason.contains("table \(table) has ") && reason.contains(" of \(Self.count) rows"))
      expectTrue(reason.contains("restore a backup"))
    }
    for isReadOnly in [true, false] {
      let file = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: isReadOnly))
      for policy in [BrokenRowPolicy.throw, .skip] {
        try expectDamage { _ = try file.load(onBrokenRow: policy) }
      }
      try expectDamage { _ = try file.unclaimed }
      if !isReadOnly {
        #expect(throws: DatabaseFileError.notLoaded(file: path)) { try file.save(Self.shop) }
        // The rebuilt file would be sound.
        try expectDamage { try file.compact() }
      }
      try file.close()
    }
    // A migration counts the rows anew.
    try expectDamage {
      _ = try DatabaseFile<Shop>(
        path: path, migrations: [.renamingMember("a", to: "b", of: "tags")])
    }
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), bytes)
  }

  @Test("A table that something else removed is an error")
  func removedTable() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.withTurn { try $0.connection.edit("ALTER TABLE notes RENAME TO remarks") }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    let error = try #require(throws: DatabaseFileError.self) { _ = try file.load() }
    expectTrue(error.description.contains("it has no table notes, which had "))
  }

  @Test(
    "A table that another program renamed or removed is no damage, and its new name is told",
    arguments: [
      (
        "ALTER TABLE notes RENAME TO \"my \"\"remarks\"",
        """
        another program renamed it to my "remarks: \
        'ALTER TABLE "my ""remarks" RENAME TO "notes"' in SQLite takes that back
        """
      ),
      (
        "CREATE TABLE x AS SELECT * FROM notes; DROP TABLE notes",
        "another program removed or renamed it: restore a backup, or rename it back"
      ),
    ])
  func changedTable(sql: String, reason: String) throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    let shop = DatabaseFileTests.sample()
    try file.save(shop)
    try file.close()
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute(sql)
    let count = shop.notes.count
    let expected = DatabaseFileError.cannotOpen(
      file: folder.file(), reason: "it has no table notes, which had \(count) rows: \(reason)")
    file = try DatabaseFile(path: folder.file())
    #expect(throws: expected) { try file.load() }
    try file.close()
    #expect(throws: expected) {
      try UntypedFile.describingErrors(of: folder.file()) {
        try UntypedFile(reading: folder.file()).requireAllRows()
      }
    }
    guard sql.hasPrefix("ALTER") else { return }
    // Nor is a name that differs in case, which is the same to SQLite.
    try other.execute("ALTER TABLE \"my \"\"remarks\" RENAME TO \"NOTES\"")
    try UntypedFile(reading: folder.file()).requireAllRows()
    file = try DatabaseFile(path: folder.file())
    try expectEqual(file.load().image, shop.image)
    try file.close()
  }

  @Test("Rows that another program inserts or deletes are read, and counted at the next save")
  func changedElsewhere() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try file.expectRowCounts()
    try file.withTurn {
      try $0.connection.edit(
        "INSERT INTO items(id, name) VALUES (90, 'a'), (91, 'b'); DELETE FROM marks")
    }
    var shop = try file.load()
    expectTrue(shop.items.find(by: 91) != nil && shop.marks.isEmpty)
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "new", text: "")) }
    try file.save(shop)
    try file.expectRowCounts()
  }

  @Test("A file without numbers of rows is read, and has them after the next save")
  func olderFile() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.withTurn {
      try $0.connection.edit("DELETE FROM entia_file WHERE key LIKE 'rows of %'")
    }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    var shop = try file.load()
    expectEqual(shop, DatabaseFileTests.sample())
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "new", text: "")) }
    try file.save(shop)
    try file.expectRowCounts()
  }

  @Test("Rows that are skipped are counted")
  func skipped() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try file.withTurn {
      try $0.connection.edit(
        """
        INSERT INTO notes(id, text, rank, labels) VALUES ('x', '1', 'no', '[]'), ('y', '2', 'no', '[]')
        """)
    }
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.skippedRows.map(\.row), [#""x""#, #""y""#])
    var shop = loaded.database
    shop.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: "z", text: ""))
    }
    try file.save(shop)
    try file.expectRowCounts()
    try expectEqual(file.load(onBrokenRow: .skip).skippedRows.map(\.row), [#""x""#, #""y""#])
    try file.save(shop, replacing: true)
    try file.expectRowCounts()
    try expectEqual(file.load(), shop)
  }
}
