import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Programs with other tables share a file")
struct SharedSchemaTests {
  /// The storage of a program from before there were writers.
  struct OnlyBooks: NormalizedStorageType {
    struct Contents: StorageContents {
      var books = Tables.Hash<OldBook>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("books", \.books)
      }
    }

    var snapshot = Snapshot(Contents())
  }

  private static let shared = DatabaseFileConfiguration(access: .shared)

  /// Writes a batch that begins with the version in the file, and returns whether it is committed.
  private static func push<Storage: NormalizedStorageType>(
    into file: DatabaseFile<Storage>, _ change: (inout Storage) -> Void
  ) throws -> Bool {
    _ = try file.load()
    let base = try #require(file.loaded.withLock { $0 })
    var new = base.storage
    change(&new)
    let outcome = try file.push(
      new.changes(since: base.storage), from: base.storage, to: new,
      by: BatchOrigin(client: ClientID(), mutation: 1), since: base.position)
    if case .committed = outcome { return true }
    return false
  }

  private static func insert(_ id: Int, into books: inout OnlyBooks) {
    books.performBatchUpdates { $0.modifying.books.insert(OldBook(id: id, name: "New")) }
  }

  @Test("A program with more tables adds them, and those without them read from then on")
  func more() throws {
    let folder = try TemporaryFolder()
    let old = try DatabaseFile<OnlyBooks>(path: folder.file(), configuration: Self.shared)
    try expectTrue(Self.push(into: old) { Self.insert(1, into: &$0) })

    let new = try DatabaseFile<OldShop>(path: folder.file(), configuration: Self.shared)
    try expectTrue(
      Self.push(into: new) { shop in
        shop.performBatchUpdates { context in
          context.modifying.books.insert(OldBook(id: 2, name: "Emma"))
          context.modifying.writers.insert(OldWriter(id: "a", name: "Jane Austen"))
        }
      })
    try expectEqual(old.load().snapshot.contents.books.map(\.id).sorted(), [1, 2])
    #expect(throws: SharedDatabaseError.self) {
      try Self.push(into: old) { Self.insert(3, into: &$0) }
    }
    try expectEqual(new.load().writers.map(\.id), ["a"])
    try expectEqual(new.load().books.map(\.id).sorted(), [1, 2])
  }

  @Test("Migrations rename and remove the tables that a sharing program must have")
  func migrated() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    let fewer = try DatabaseFile<OnlyBooks>(path: folder.file(), configuration: Self.shared)
    #expect(throws: SharedDatabaseError.self) {
      try Self.push(into: fewer) { Self.insert(3, into: &$0) }
    }
    try fewer.close()

    let renaming = Migration.renamingTable("books", to: "volumes")
    let renamed = try DatabaseFile<RenamedTableTests.BookRenamed>(
      path: folder.file(), configuration: Self.shared, migrations: [renaming])
    try expectTrue(
      Self.push(into: renamed) { shop in
        shop.performBatchUpdates { $0.modifying.books.insert(OldBook(id: 3, name: "New")) }
      })
    try renamed.close()

    let removing = Migration.custom("only books") { tables in
      try tables.renameTable("volumes", to: "books")
      try tables.removeTable("writers")
      try tables.removeTable("favorites")
    }
    let migrated = try DatabaseFile<OnlyBooks>(
      path: folder.file(), configuration: Self.shared, migrations: [renaming, removing])
    try expectTrue(Self.push(into: migrated) { Self.insert(4, into: &$0) })
    try expectEqual(migrated.load().snapshot.contents.books.map(\.id).sorted(), [1, 2, 3, 4])
  }

  /// Writes a file with a book, as `entia import -o` does.
  private static func importBook(to path: String) throws {
    let file = try UntypedFile()
    let (part, inserting) = try file.addPart(
      "books", members: ["id", "name"], descriptions: [:], idIndex: 0, hasIntegerID: true)
    try inserting.run([.integer(1), .text("Dracula"), UntypedFile.order(ofRowAt: 0)])
    try file.recordRowCount(1, of: part)
    try file.recordSums(with: [])
    try file.connection.copy(to: path)
  }

  @Test("A batch adds no table to a file by the tool if another table may have been renamed")
  func unmatched() throws {
    typealias Renamed = RenamedTableTests.BookRenamed
    let folder = try TemporaryFolder()
    let path = folder.file()
    try Self.importBook(to: path)
    func insert(_ shop: inout Renamed) {
      shop.performBatchUpdates { $0.modifying.books.insert(OldBook(id: 3, name: "New")) }
    }
    var file = try DatabaseFile<Renamed>(path: path, configuration: Self.shared)
    let error = #expect(throws: SharedDatabaseError.self) { try Self.push(into: file, insert) }
    expectEqual(
      error?.description,
      """
      \(path) has another schema: the file lacks volumes, writers, and has books, which the storage \
      lacks: if tables were renamed, open it with the migration renamingTable(_:to:); if not, save \
      it once with replacing: true, and without access: .shared
      """)
    try expectEqual(file.unclaimed.tables, ["books"])
    try expectTrue(file.load().books.isEmpty)
    try file.close()
    file = try DatabaseFile<Renamed>(
      path: path, configuration: Self.shared,
      migrations: [.renamingTable("books", to: "volumes")])
    try expectTrue(Self.push(into: file, insert))
    try expectEqual(file.load().books.map(\.id), [1, 3])
  }

  @Test("Errors of a shared file name it once, and no server")
  func names() throws {
    let path = "/folder/file.sqlite"
    let errors: [DatabaseFileError] = [
      .notLoaded(file: path), .tablesAreUnmatched(file: path, missing: ["a"], unclaimed: ["b"]),
      .isKept(file: path), .nameIsInUse(file: path, name: "n"), .partIsKept(file: path),
      .timedOut(file: path), .isClosed(file: path), .isReadOnly(file: path), .isBusy(file: path),
      .isReplaced(file: path), .cannotOpen(file: path, reason: "why"), .isLocked(file: path),
      .isShared(file: path), .isFull(file: path), .isForeign(file: path),
      .isNewer(file: path, reason: "why"), .isNoDatabase(file: path),
      .isDamaged(file: path, reason: "why"), .notCodable(file: path, table: "t", type: "T"),
      .isOpenElsewhere(file: path),
      .cannotEncode(file: path, table: "t", row: "1", column: nil, reason: "why"),
      .cannotDecode(file: path, table: "t", row: "1", column: nil, reason: "why"),
      .cannotMigrate(file: path, migration: "m", table: nil, row: nil, reason: "why"),
      .needsMigration(file: path, migrations: ["m"]), .refused(file: path, reasons: ["why"]),
      .failed(file: path, code: 1, reason: "why"),
    ]
    for error in errors {
      let shared = #expect(throws: SharedDatabaseError.self) {
        try SharedDatabaseError.describing(path) { throw error }
      }
      let text = try #require(shared?.description)
      expectEqual(text.components(separatedBy: path).count, 2, "\(text)")
      expectFalse(text.contains("server"), "\(text)")
    }
  }

  struct TitledBook: EntityType, Identifiable, Codable {
    let id: Int
    var title: String
  }

  /// The storage of a program that has renamed a member.
  struct OnlyTitles: NormalizedStorageType {
    struct Contents: StorageContents {
      var books = Tables.Hash<TitledBook>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("books", \.books)
      }
    }

    var snapshot = Snapshot(Contents())
  }

  /// Returns the rows of the books, and the number of versions.
  private static func rows(_ path: String) throws -> [StoredValue] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    let rows = try connection.prepare(
      """
      SELECT group_concat(id) FROM books UNION ALL SELECT count(*) FROM entia_log
      UNION ALL SELECT value FROM entia_file WHERE key='sum of books'
      """)
    var values: [StoredValue] = []
    while try rows.step() { values.append(rows.value(at: 0)) }
    return values
  }

  @Test(
    "A migration refuses the batches and the loads of live programs without it", arguments: 0..<3)
  func migratedBeside(kind: Int) async throws {
    let folder = try TemporaryFolder()
    let old = try DatabaseFile<OnlyBooks>(path: folder.file(), configuration: Self.shared)
    try expectTrue(Self.push(into: old) { Self.insert(1, into: &$0) })
    let base = try old.load()
    let follower = try DatabaseFile<OnlyBooks>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    let states = [old, follower].map { _ in SharedStore(initialState: SharedState(storage: base)) }
    _ = try follower.load()
    let sharing = try states[0].share(\.storage, through: old)
    let following = try states[1].follow(\.storage, in: follower)
    try await sharing.settled()
    let position = try #require(old.loaded.withLock { $0 }).position

    let migration: Migration =
      switch kind {
      case 0: .renamingMember("name", to: "title", of: "books")
      case 1:
        .transforming("books", named: "upper") { row in
          var row = row
          row.members["name"] = .text("NEW")
          return row
        }
      // Nothing changes but the list.
      default: .renamingTable("others", to: "more")
      }
    func expectRefusal(_ load: () throws -> Int) async throws {
      let rows = try Self.rows(folder.file())
      var new = base
      Self.insert(2, into: &new)
      let unknown = "it has migrations that this program does not have: \(migration.name)"
      let error = DatabaseFileError.isNewer(file: folder.file(), reason: unknown)
      #expect(throws: error) {
        try old.push(
          new.changes(since: base), from: base, to: new,
          by: BatchOrigin(client: ClientID(), mutation: 1), since: position)
      }
      #expect(throws: error) { try old.load() }
      #expect(throws: error) { try follower.load() }
      try states[0].edit { $0.modifying.books.insert(OldBook(id: 3, name: "late")) }
      let newer = SharedDatabaseError.isNewer(reason: "\(folder.file()): \(unknown)")
      await #expect(throws: newer) { try await sharing.settled() }
      for status in [sharing, following] {
        for _ in 0..<2_000 where status.status == .live {
          try await Task.sleep(for: .milliseconds(5))
        }
        guard case .offline(_, newer) = status.status else {
          Issue.record("\(status.status)")
          continue
        }
      }
      try expectEqual(Self.rows(folder.file()), rows)
      try expectEqual(load(), 1)
    }
    if kind == 0 {
      let new = try DatabaseFile<OnlyTitles>(
        path: folder.file(), configuration: Self.shared, migrations: [migration])
      try await expectRefusal { try new.load().snapshot.contents.books.count }
    } else {
      let new = try DatabaseFile<OnlyBooks>(
        path: folder.file(), configuration: Self.shared, migrations: [migration])
      try await expectRefusal { try new.load().snapshot.contents.books.count }
      try expectTrue(Self.push(into: new) { Self.insert(4, into: &$0) })
    }
  }
}
