import EntiaDatabase
import EntiaSharing
import EntiaStore
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
    #expect(try Self.push(into: old) { Self.insert(1, into: &$0) })

    let new = try DatabaseFile<OldShop>(path: folder.file(), configuration: Self.shared)
    #expect(
      try Self.push(into: new) { shop in
        shop.performBatchUpdates { context in
          context.modifying.books.insert(OldBook(id: 2, name: "Emma"))
          context.modifying.writers.insert(OldWriter(id: "a", name: "Jane Austen"))
        }
      })
    #expect(try old.load().snapshot.contents.books.map(\.id).sorted() == [1, 2])
    #expect(throws: SharedDatabaseError.self) {
      try Self.push(into: old) { Self.insert(3, into: &$0) }
    }
    #expect(try new.load().writers.map(\.id) == ["a"])
    #expect(try new.load().books.map(\.id).sorted() == [1, 2])
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
    #expect(
      try Self.push(into: renamed) { shop in
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
    #expect(try Self.push(into: migrated) { Self.insert(4, into: &$0) })
    #expect(try migrated.load().snapshot.contents.books.map(\.id).sorted() == [1, 2, 3, 4])
  }
}
