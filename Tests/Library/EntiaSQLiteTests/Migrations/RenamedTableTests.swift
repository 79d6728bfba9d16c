import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Tables that were renamed without a migration")
struct RenamedTableTests {
  enum RenamedBooks: BookshopNames {
    static let books = "volumes"
    static let writers = "writers"
    static let favorites = "favorites"
  }

  enum RenamedFavorites: BookshopNames {
    static let books = "books"
    static let writers = "writers"
    static let favorites = "stars"
  }

  typealias BookRenamed = Bookshop<RenamedBooks, OldBook, OldWriter>
  typealias FavoritesRenamed = Bookshop<RenamedFavorites, OldBook, OldWriter>

  struct Loan: EntityType, Identifiable, Codable { let id: Int }

  /// A storage that lacks some tables, and may have another one.
  struct OnlyWriters<Names: LoanNames>: NormalizedStorageType {
    struct Contents: StorageContents {
      var writers = Tables.Ordered<OldWriter>()
      var loans = Tables.Hash<Loan>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("writers", \.writers)
        if Names.hasLoans { visitor.table("loans", \.loans) }
      }
    }

    var snapshot = Snapshot(Contents())
  }

  protocol LoanNames { static var hasLoans: Bool { get } }
  enum WithoutLoans: LoanNames { static let hasLoans = false }
  enum WithLoans: LoanNames { static let hasLoans = true }

  let folder: TemporaryFolder
  var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
  }

  func change<Names>(_ shop: inout Bookshop<Names, OldBook, OldWriter>) {
    shop.performBatchUpdates { context in
      context.modifying.books.insert(OldBook(id: 9, name: "New"))
      context.modifying.favorites.append("s")
    }
  }

  /// Expects that a load lists the tables, and that nothing is saved.
  func check<Names>(
    _ type: Bookshop<Names, OldBook, OldWriter>.Type, missing: String, unclaimed: String
  ) throws {
    typealias Shop = Bookshop<Names, OldBook, OldWriter>
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try DatabaseFile<Shop>(path: path)
    #expect(throws: DatabaseFileError.notLoaded(file: path)) { try file.save(Shop()) }
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.unmatchedTables, UnmatchedTables(missing: [missing], unclaimed: [unclaimed]))
    var shop = try file.load()
    change(&shop)
    let error = DatabaseFileError.tablesAreUnmatched(
      file: path, missing: [missing], unclaimed: [unclaimed])
    expectTrue(error.description.contains("the file lacks \(missing), and has \(unclaimed)"))
    #expect(throws: error) { try file.save(shop) }
    let store = Store<Shop, Never>(initialState: shop)
    #expect(throws: error) { try store.keep(\.self, in: file) }
    #expect(throws: error) { try file.save(shop) }
    try file.close()
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), bytes)
  }

  @Test("A load lists them, and no save follows")
  func renamed() throws {
    try check(BookRenamed.self, missing: "volumes", unclaimed: "books")
    try check(FavoritesRenamed.self, missing: "stars", unclaimed: "favorites")
  }

  @Test("With all tables renamed, a save before a load is refused too")
  func notLoaded() throws {
    enum Other: BookshopNames {
      static let (books, writers, favorites) = ("b", "w", "f")
    }
    let file = try DatabaseFile<Bookshop<Other, OldBook, OldWriter>>(path: path)
    let error = DatabaseFileError.tablesAreUnmatched(
      file: path, missing: ["b", "f", "w"], unclaimed: ["books", "favorites", "writers"])
    #expect(throws: error) { try file.save(.init()) }
  }

  @Test("A migration renames them, and a replacing save begins anew beside them")
  func accepted() async throws {
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let migrated = try DatabaseFile<BookRenamed>(
      path: copy, migrations: [.renamingTable("books", to: "volumes")])
    try expectNil(migrated.load(onBrokenRow: .skip).unmatchedTables)
    try expectEqual(migrated.load().books.map(\.id), [2, 1])
    var file = try DatabaseFile<BookRenamed>(path: path)
    var shop = try file.load()
    change(&shop)
    try file.save(shop, replacing: true)
    change(&shop)
    try file.save(shop)
    try file.close()
    file = try DatabaseFile(path: path)
    let loaded = try file.load(onBrokenRow: .skip)
    expectTrue(loaded.database == shop && loaded.unmatchedTables == nil)
    try expectEqual(file.unclaimed.tables, ["books"])
    let store = Store<BookRenamed, Never>(initialState: loaded.database)
    let keeper = try store.keep(\.self, in: file)
    try await keeper.saved()
    try file.close()
    // The program before still has its rows.
    try expectEqual(DatabaseFile<OldShop>(path: path).load().books.map(\.id), [2, 1])
  }

  @Test("A table that an earlier program gave up, and a new one now, are no renamed table")
  func removedBefore() throws {
    let writers: Tables.Ordered<OldWriter>
    do {
      let file = try DatabaseFile<OnlyWriters<WithoutLoans>>(path: path)
      try expectNil(file.load(onBrokenRow: .skip).unmatchedTables)
      var storage = try file.load()
      storage.performBatchUpdates { $0.modifying.writers.insert(OldWriter(id: "n", name: "")) }
      try file.save(storage)
      writers = storage.snapshot.contents.writers
      try file.close()
    }
    let file = try DatabaseFile<OnlyWriters<WithLoans>>(path: path)
    let loaded = try file.load(onBrokenRow: .skip)
    expectTrue(
      loaded.unmatchedTables == nil && loaded.database.snapshot.contents.writers == writers)
    try file.save(loaded.database)
  }

  @Test("A file that has lost its content is refused, and a new one has content from the start")
  func emptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    for isReadOnly in [false, true] {
      let error = #expect(throws: DatabaseFileError.self) {
        try DatabaseFile<OldShop>(path: path, configuration: .init(isReadOnly: isReadOnly))
      }
      expectEqual(error?.description.contains("it has lost its content (0 bytes)"), true)
    }
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<OldShop>.migrationPlan(path: path, migrations: [])
    }
    try expectTrue(Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    let new = folder.file("new.sqlite")
    try expectTrue(SQLiteConnection.createFile(at: new))
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: new)).count, 4_096)
    try expectFalse(SQLiteConnection.createFile(at: new))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    expectEqual(names.sorted(), ["database.sqlite", "new.sqlite"])
    let file = try DatabaseFile<OldShop>(path: new)
    try expectEqual(file.load(), OldShop())
    try file.save(OldShop.sample())
    try expectEqual(file.read(), OldShop.sample())
  }
}
