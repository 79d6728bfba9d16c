import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// A storage with two tables and held IDs, whose names each use chooses, as versions of a program
/// do.
protocol BookshopNames {
  static var books: String { get }
  static var writers: String { get }
  static var favorites: String { get }
}

struct Bookshop<Names: BookshopNames, Book: EntityType & Codable, Writer: EntityType & Codable>:
  NormalizedStorageType
{
  struct Contents: StorageContents {
    var books = Tables.Hash<Book>()
    var writers = Tables.Ordered<Writer>()
    var favorites = Indexes.OrderedID<Writer>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table(Names.books, \.books)
      visitor.table(Names.writers, \.writers)
      visitor.index(Names.favorites, \.favorites)
    }
  }

  var snapshot = Snapshot(Contents())
  var books: Tables.Hash<Book> { snapshot.contents.books }
  var writers: Tables.Ordered<Writer> { snapshot.contents.writers }
  var favorites: Indexes.OrderedID<Writer> { snapshot.contents.favorites }
}

enum OldNames: BookshopNames {
  static let books = "books"
  static let writers = "writers"
  static let favorites = "favorites"
}

struct OldBook: EntityType, Identifiable, Codable, Equatable {
  let id: Int
  var name: String
  var pages: Int?
}

struct OldWriter: EntityType, Identifiable, Codable, Equatable {
  let id: String
  var name: String
}

typealias OldShop = Bookshop<OldNames, OldBook, OldWriter>

extension OldShop {
  static func sample() -> OldShop {
    var shop = OldShop()
    shop.performBatchUpdates { context in
      context.modifying.books.insert([
        OldBook(id: 2, name: "Emma", pages: 300), OldBook(id: 1, name: "Dracula"),
      ])
      context.modifying.writers.insert([
        OldWriter(id: "s", name: "Bram Stoker"), OldWriter(id: "a", name: "Jane Austen"),
      ])
      context.modifying.favorites.append("a")
      context.modifying.favorites.append("s")
    }
    return shop
  }

  /// Saves the sample in a file.
  static func save(to path: String) throws {
    let file = try DatabaseFile<OldShop>(path: path)
    try file.save(sample())
    try file.close()
  }
}

@Suite("Changes of the storage that need no migration")
struct SchemaChangeTests {
  struct WiderBook: EntityType, Identifiable, Codable {
    let id: Int
    var name: String
    var pages: Int?
    var subtitle: String?
    var stars: Int

    init(id: Int, name: String, subtitle: String? = nil, stars: Int = 0) {
      self.id = id
      self.name = name
      self.subtitle = subtitle
      self.stars = stars
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try container.decode(String.self, forKey: .name)
      pages = try container.decodeIfPresent(Int.self, forKey: .pages)
      subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle)
      stars = try container.decodeIfPresent(Int.self, forKey: .stars) ?? 5
    }
  }

  struct NarrowBook: EntityType, Identifiable, Codable {
    let id: Int
    var name: String
  }

  struct Loan: EntityType, Identifiable, Codable { let id: Int }

  struct Wide: NormalizedStorageType {
    struct Contents: StorageContents {
      var books = Tables.Hash<WiderBook>()
      var loans = Tables.Hash<Loan>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("books", \.books)
        visitor.table("loans", \.loans)
      }
    }

    var snapshot = Snapshot(Contents())
    var books: Tables.Hash<WiderBook> { snapshot.contents.books }
    var loans: Tables.Hash<Loan> { snapshot.contents.loans }
  }

  typealias Narrow = Bookshop<OldNames, NarrowBook, OldWriter>

  @Test("A new table, a new optional member and one with a default are added")
  func additions() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    var file = try DatabaseFile<Wide>(path: folder.file())
    var wide = try file.load()
    expectEqual(wide.books.map(\.stars), [5, 5])
    expectEqual(wide.books.map(\.subtitle), [nil, nil])
    wide.performBatchUpdates { context in
      context.modifying.books.updateIfExists(id: 2) { $0.subtitle = "A novel" }
      context.modifying.books.insert(WiderBook(id: 3, name: "Persuasion"))
      context.modifying.loans.insert(Loan(id: 1))
    }
    // A table is new, and another one is not used any more.
    #expect(throws: DatabaseFileError.self) { try file.save(wide) }
    try file.save(wide, replacing: true)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try expectEqual(file.load(), wide)
    try expectEqual(file.unclaimed, UnclaimedParts(tables: ["favorites", "writers"], members: [:]))
    try file.close()
    // The program before still reads the file.
    let old = try DatabaseFile<OldShop>(path: folder.file())
    let shop = try old.load()
    expectEqual(shop.books.map(\.id), [2, 1, 3])
    expectEqual(shop.writers.map(\.id), ["s", "a"])
    expectEqual(shop.favorites.ids().map(\.raw), ["a", "s"])
    try expectEqual(
      old.unclaimed, UnclaimedParts(tables: ["loans"], members: ["books": ["stars", "subtitle"]]))
    try expectEqual(old.unclaimed.description, "table loans\nmembers of books: stars, subtitle")
  }

  @Test("Members and tables that the storage no longer has are kept and survive updates")
  func removals() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    let file = try DatabaseFile<Narrow>(path: folder.file())
    try expectEqual(file.unclaimed.members, ["books": ["pages"]])
    var shop = try file.load()
    try expectEqual(file.unclaimed, UnclaimedParts(tables: [], members: ["books": ["pages"]]))
    shop.performBatchUpdates { context in
      context.modifying.books.updateIfExists(id: 2) { $0.name = "Emma, again" }
      context.modifying.books.insert(NarrowBook(id: 3, name: "New"))
    }
    try file.save(shop)
    try file.withTurn {
      try $0.connection.execute("CREATE TABLE mine(a); CREATE INDEX i ON mine(a)")
    }
    try expectEqual(file.unclaimed.tables, ["mine"])
    try file.close()
    let old = try DatabaseFile<OldShop>(path: folder.file()).load()
    expectEqual(old.books.map(\.pages), [300, nil, nil])
    expectEqual(old.books.map(\.name), ["Emma, again", "Dracula", "New"])
  }

  @Test("After a failed save, a member that becomes nil is not left with its old value")
  func claimedAfterFailure() throws {
    /// Leaves a member out when it has no value.
    struct Picky: EntityType, Identifiable, Codable {
      let id: Int
      var extra: Int?
      var refuses = false

      enum CodingKeys: CodingKey { case id, extra }
      struct Refusal: Error {}

      init(id: Int, extra: Int? = nil, refuses: Bool = false) {
        (self.id, self.extra, self.refuses) = (id, extra, refuses)
      }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        extra = try container.decodeIfPresent(Int.self, forKey: .extra)
      }

      func encode(to encoder: any Encoder) throws {
        if refuses { throw Refusal() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if let extra { try container.encode(extra, forKey: .extra) }
      }
    }
    let file = try DatabaseFile<Bookshop<OldNames, Picky, OldWriter>>.inMemory()
    var shop = try file.load()
    shop.performBatchUpdates { $0.modifying.books.insert(Picky(id: 1, extra: 7)) }
    try file.save(shop)
    shop.performBatchUpdates { $0.modifying.books.insert(Picky(id: 2, refuses: true)) }
    #expect(throws: DatabaseFileError.self) { try file.save(shop) }
    try expectTrue(file.unclaimed.isEmpty)
    shop.performBatchUpdates { context in
      context.modifying.books.remove(2)
      context.modifying.books.updateIfExists(id: 1) { $0.extra = nil }
    }
    try file.save(shop)
    try expectEqual(file.load(), shop)
  }
}
