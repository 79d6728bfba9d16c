import EntiaDatabase
import EntiaSystemSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Sums of rows")
struct RowSumTests {
  /// Runs SQL as another program that knows nothing of Entia.
  private func edit(_ sql: String, _ path: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open(path, &connection) == SQLITE_OK)
    var message: UnsafeMutablePointer<CChar>?
    let code = sqlite3_exec(connection, sql, nil, nil, &message)
    try #require(code == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
  }

  private func saved(_ path: String) throws -> Shop {
    let file = try DatabaseFile<Shop>(path: path)
    var shop = DatabaseFileTests.sample()
    try file.save(shop)
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "c", text: "C")) }
    try file.save(shop)
    try file.expectRowCounts()
    try file.close()
    return shop
  }

  /// Changes a text in the file on the disk.
  private func damage(_ text: String, _ new: String, _ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data(text.utf8), options: .backwards))
    bytes.replaceSubrange(place, with: Data(new.utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private func expectDamage(of table: String, _ body: () throws -> Void) throws {
    let error = try #require(throws: DatabaseFileError.self, performing: body)
    guard case .isDamaged(_, let reason) = error else { throw error }
    expectEqual(
      reason,
      """
      table \(table) does not have the rows that were saved (the sum of their hashes differs): \
      restore a backup, or copy what is left with 'sqlite3 FILE .recover'
      """)
  }

  @Test("A load of changed bytes fails with the name of the table, and nothing is written")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    try damage("two", "twx", path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for isReadOnly in [true, false] {
      let file = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: isReadOnly))
      for policy in [BrokenRowPolicy.throw, .skip] {
        try expectDamage(of: "items") { _ = try file.load(onBrokenRow: policy) }
      }
      if !isReadOnly { try expectDamage(of: "items") { try file.compact() } }
      try file.close()
    }
    try expectDamage(of: "items") {
      _ = try DatabaseFile<Shop>(
        path: path, migrations: [.renamingMember("a", to: "b", of: "tags")])
    }
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), bytes)
    let untyped = try UntypedFile(reading: path)
    #expect(throws: (any Error).self) { try untyped.requireAllRows() }
  }

  @Test(
    "Changes by another program are loaded and reported, and summed at the next save",
    arguments: [
      "UPDATE notes SET text='edited' WHERE id='a'", "DELETE FROM notes WHERE id='b'",
      "DELETE FROM notes", "INSERT INTO notes(id, text, rank, labels) VALUES ('z', '', 1, '[]')",
      "UPDATE notes SET entia_order=-entia_order",
      "INSERT OR REPLACE INTO notes SELECT * FROM notes",
      "PRAGMA journal_mode=DELETE; UPDATE notes SET text='edited'",
      "UPDATE notes SET text='edited'; VACUUM; UPDATE notes SET text='twice'",
    ], [false, true])
  func edited(sql: String, isOpen: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    // Another process that reads keeps the log in use.
    let reader =
      try isOpen ? DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true)) : nil
    let journal = isOpen ? "PRAGMA journal_mode=DELETE;" : ""
    try edit(sql.replacingOccurrences(of: journal, with: ""), path)
    let file = try DatabaseFile<Shop>(path: path)
    let loaded = try file.load(onBrokenRow: .throw)
    expectEqual(loaded.editedTables, ["notes"])
    var shop = loaded.database
    shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 77, name: "")) }
    try file.save(shop)
    try file.expectRowCounts()
    try expectEqual(file.load(onBrokenRow: .throw).editedTables, [])
    let recorded = try file.withTurn { try $0.connection.recordedSum(of: "notes") }
    guard case .integer = recorded else {
      Issue.record("no sum: \(String(describing: recorded))")
      return
    }
    try file.close()
    try reader?.close()
  }

  @Test("A change by another program while the file is open is not taken as damage")
  func editedWhileOpen() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var shop = DatabaseFileTests.sample()
    try file.save(shop)
    try edit("UPDATE notes SET text='other' WHERE id='a'", folder.file())
    shop.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: "b") { $0.text = "mine" }
      context.modifying.items.updateIfExists(id: 1) { $0.name = "mine" }
    }
    try file.save(shop)
    try file.expectRowCounts()
    let reader = try DatabaseFile<Shop>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    let loaded = try reader.load(onBrokenRow: .throw)
    expectTrue(loaded.database.notes.find(by: "a")?.text == "other" && loaded.editedTables == [])
  }

  @Test(
    "Changed columns, rebuilt tables, and a rebuilt file are not taken as damage",
    arguments: [
      ("ALTER TABLE notes DROP COLUMN stars", ["notes"]),
      ("ALTER TABLE notes ADD COLUMN other", []), ("VACUUM", []),
      ("ALTER TABLE notes ADD COLUMN other TEXT DEFAULT 'x'", []),
      ("ALTER TABLE notes ADD COLUMN twice GENERATED ALWAYS AS (text || text)", []),
      ("CREATE INDEX other ON notes(text)", []),
      ("ALTER TABLE notes RENAME COLUMN text TO words", nil),
      (
        """
        CREATE TABLE n(id PRIMARY KEY, text, rank, stars, labels, entia_order INTEGER);
        INSERT INTO n SELECT id, text || '!', rank, stars, labels, entia_order FROM notes;
        DROP TABLE notes; ALTER TABLE n RENAME TO notes
        """, ["notes"]
      ),
    ] as [(String, [String]?)])
  func changedSchema(sql: String, tables: [String]?) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    try edit(sql, path)
    let file = try DatabaseFile<Shop>(path: path)
    guard let tables else {
      let error = #expect(throws: DatabaseFileError.self) { try file.load() }
      if case .cannotDecode = error { return }
      Issue.record("\(String(describing: error))")
      return
    }
    let loaded = try file.load(onBrokenRow: .throw)
    expectEqual(loaded.editedTables, tables)
    var shop = loaded.database
    for number in 0..<3 {
      shop.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: "a") { $0.text = "\(number)" }
        context.modifying.notes.insert(Note(id: "x\(number)", text: "", stars: 1))
      }
      try file.save(shop)
      try file.expectRowCounts()
    }
    try file.close()
    try expectSums(path)
    // Triggers notice the next change.
    try edit("UPDATE notes SET text=''", path)
    let again = try DatabaseFile<Shop>(path: path)
    try expectEqual(again.load(onBrokenRow: .throw).editedTables, ["notes"])
  }

  private func expectSums(_ path: String) throws {
    let file = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true))
    try expectEqual(file.load(onBrokenRow: .throw).editedTables, [])
    try file.withTurn { open in
      let edited = try open.connection.value(
        "SELECT count(*) FROM entia_file WHERE key LIKE 'sum of %' AND typeof(value)<>'integer'")
      expectEqual(edited, .integer(0))
      let triggers = try open.connection.value(
        "SELECT count(*) FROM sqlite_schema WHERE \(EditTriggers.areOwn)")
      let tables = try open.connection.value(
        "SELECT 3 * count(*) FROM entia_file WHERE key LIKE 'sum of %'")
      expectEqual(triggers, tables)
    }
    try file.close()
  }

  @Test("A file of an earlier version is summed at its first save, all tables of it")
  func olderFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    for table in ["notes", "items", "pins", "marks", "entia_parts"] {
      try EditTriggers.remove(from: table, connection)
    }
    try connection.execute(
      "DELETE FROM entia_file WHERE key LIKE 'sum of %' OR key='schema version'")
    try connection.close()
    let file = try DatabaseFile<Shop>(path: path)
    let loaded = try file.load(onBrokenRow: .throw)
    expectEqual(loaded.editedTables, [])
    var shop = loaded.database
    shop.performBatchUpdates { $0.modifying.marks.remove("b") }
    try file.save(shop)
    try file.expectRowCounts()
    try file.close()
    try expectSums(path)
    try damage("two", "twx", path)
    let damaged = try DatabaseFile<Shop>(path: path)
    try expectDamage(of: "items") { _ = try damaged.load() }
  }

  @Test("A program of an earlier version, which moves no sums, is one that changes tables")
  func olderProgram() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    // It writes its rows with triggers.
    try edit(
      """
      UPDATE items SET name='older' WHERE id=1; INSERT INTO entia_parts VALUES ('', 'more', 'more');
      """, path)
    let file = try DatabaseFile<Shop>(path: path)
    try expectEqual(file.load(onBrokenRow: .throw).editedTables, ["items"])
  }

  @Test("A backup and a rebuilt file keep the sums")
  func copies() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let shop = try saved(path)
    let file = try DatabaseFile<Shop>(path: path)
    try file.backup(to: folder.file("copy.sqlite"))
    try expectEqual(file.load(), shop)
    try file.compact()
    try expectEqual(file.load(onBrokenRow: .throw).editedTables, [])
    try file.close()
    for name in ["database.sqlite", "copy.sqlite"] {
      try expectSums(folder.file(name))
      try damage("two", "twx", folder.file(name))
      let damaged = try DatabaseFile<Shop>(
        path: folder.file(name), configuration: .init(isReadOnly: true))
      try expectDamage(of: "items") { _ = try damaged.load() }
    }
  }

  @Test("Damage to the tables that describe the file is an error")
  func header() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    _ = try saved(path)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.setRunsTriggers(false)
    try connection.execute("UPDATE entia_parts SET part='itens' WHERE part='items'")
    try connection.close()
    for isReadOnly in [true, false] {
      try expectDamage(of: "entia_parts") {
        _ = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: isReadOnly))
      }
    }
  }

  @Test("A save that fails moves no sum")
  func failed() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var shop = DatabaseFileTests.sample()
    try file.save(shop)
    let former = shop
    shop.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: "b") { $0.text = "mine" }
      context.modifying.items.updateIfExists(id: 1) { $0.name = "mine" }
    }
    var large = shop
    large.performBatchUpdates { context in
      context.modifying.items.insert(Item(id: 9, name: String(repeating: "x", count: 1 << 20)))
    }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=1") }
    #expect(throws: DatabaseFileError.isFull(file: folder.file())) { try file.save(large) }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=1000000") }
    try file.expectRowCounts()
    try expectEqual(file.read(), former)
    try file.save(shop)
    try file.expectRowCounts()
    try expectEqual(file.read(), shop)
  }

  @Test("A row that a trigger of another program ignores is an error, and nothing is written")
  func ignored() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let shop = try saved(path)
    try edit(
      "CREATE TRIGGER other BEFORE INSERT ON notes BEGIN SELECT RAISE(IGNORE); END", path)
    for count in [1, 100] {
      let file = try DatabaseFile<Shop>(path: path)
      var changed = try file.load()
      changed.performBatchUpdates { context in
        context.modifying.marks.remove("b")
        for id in 0..<count { context.modifying.notes.insert(Note(id: "x\(id)", text: "")) }
      }
      let error = #expect(throws: DatabaseFileError.self) { try file.save(changed) }
      expectTrue(
        "\(try #require(error))".contains("a trigger of another program ignored it"), "\(count)")
      try expectEqual(file.load(), shop)
      try file.close()
    }
  }

  @Test("A migration whose rows a trigger ignores fails, and nothing is written")
  func ignoredMigration() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let shop = try saved(path)
    try edit(
      "CREATE TRIGGER other BEFORE UPDATE ON notes BEGIN SELECT RAISE(IGNORE); END", path)
    let migration = Migration.transforming("notes", named: "stars") { row in
      var changed = row
      try changed.set(7, of: "stars")
      return changed
    }
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<Shop>(path: path, migrations: [migration])
    }
    expectTrue("\(try #require(error))".contains("a trigger of another program ignored it"))
    try expectEqual(DatabaseFile<Shop>(path: path).load(), shop)
  }

  @Test("Files with triggers of other programs have no sums, and these triggers run")
  func triggers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    var shop = try saved(path)
    try edit(
      """
      CREATE TRIGGER other AFTER UPDATE ON notes BEGIN
      UPDATE notes SET stars=5 WHERE id=NEW.id; END
      """, path)
    let file = try DatabaseFile<Shop>(path: path)
    shop = try file.load()
    for number in 0..<3 {
      shop.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: "a") { $0.text = "\(number)" }
      }
      try file.save(shop)
      let loaded = try file.load(onBrokenRow: .throw)
      expectTrue(loaded.database.notes.find(by: "a")?.stars == 5 && loaded.editedTables == [])
      shop = loaded.database
    }
    try file.close()
    try edit("DROP TRIGGER other", path)
    let again = try DatabaseFile<Shop>(path: path)
    shop = try again.load()
    shop.performBatchUpdates { $0.modifying.marks.remove("b") }
    try again.save(shop)
    try again.expectRowCounts()
    try again.close()
    try expectSums(path)
  }
}
