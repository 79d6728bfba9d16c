import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

enum NewNames: BookshopNames {
  static let books = "works"
  static let writers = "Authors"
  static let favorites = "sqlite_favorites"
}

struct NewBook: EntityType, Codable, Equatable {
  var entityID: EntityID { EntityID(number) }
  typealias EntityIDRawType = Int
  let number: Int
  var title: String
  var pages: Int?
  var rating: Double
}

struct NewAuthor: EntityType, Identifiable, Codable, Equatable {
  let id: String
  var first: String
  var last: String
}

typealias NewShop = Bookshop<NewNames, NewBook, NewAuthor>

extension NewShop {
  static let migrations: [Migration] = [
    .renamingMember("name", to: "title", of: "books"),
    .renamingMember("id", to: "number", of: "books"),
    .renamingTable("books", to: "works"),
    .addingMember("rating", to: "works", value: 2.5),
    .renamingTable("writers", to: "Writers"),
    .renamingTable("Writers", to: "Authors"),
    .renamingTable("favorites", to: "sqlite_favorites"),
    .transforming("Authors", named: "split names") { row in
      var row = row
      let words = try row.value(String.self, of: "name").split(separator: " ")
      row["first"] = .text(String(words[0]))
      try row.set(words.dropFirst().joined(separator: " "), of: "last")
      row.members["name"] = nil
      return row
    },
    .custom("page counts") { tables in
      var rows = try tables.rows(of: "works")
      for index in rows.indices where rows[index]["pages"] == .null {
        rows[index]["pages"] = .integer(Int64(rows.count))
      }
      try tables.setRows(rows, of: "works")
    },
  ]

  /// What the migrations make of the sample.
  static func migratedSample() -> NewShop {
    var shop = NewShop()
    shop.performBatchUpdates { context in
      context.modifying.books.insert([
        NewBook(number: 2, title: "Emma", pages: 300, rating: 2.5),
        NewBook(number: 1, title: "Dracula", pages: 2, rating: 2.5),
      ])
      context.modifying.writers.insert([
        NewAuthor(id: "s", first: "Bram", last: "Stoker"),
        NewAuthor(id: "a", first: "Jane", last: "Austen"),
      ])
      context.modifying.favorites.append("a")
      context.modifying.favorites.append("s")
    }
    return shop
  }
}

@Suite("Migrations")
struct MigrationTests {
  func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test(
    "Members and tables are renamed, split, filled and computed, with the order of rows and held IDs"
  )
  func allKinds() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    var file = try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations)
    var shop = try file.load()
    let expected = NewShop.migratedSample()
    expectEqual(shop, expected)
    expectEqual(shop.books.map(\.number), [2, 1])
    expectEqual(shop.writers.map(\.id), ["s", "a"])
    expectEqual(shop.favorites.ids().map(\.raw), ["a", "s"])
    try expectTrue(file.unclaimed.isEmpty)
    let columns = try file.withTurn {
      try $0.connection.value("SELECT group_concat(name) FROM pragma_table_info('Authors')")
    }
    expectEqual(columns, .text("id,entia_order,first,last"))
    // The migrated file is saved, and opened again without another migration.
    shop.performBatchUpdates { context in
      context.modifying.books.updateIfExists(id: 1) { $0.title = "Carmilla" }
      context.modifying.books.insert(NewBook(number: 3, title: "New", rating: 1))
    }
    try file.save(shop)
    try file.close()
    let never = Migration.custom("page counts") { _ in throw CocoaError(.featureUnsupported) }
    file = try DatabaseFile(
      path: folder.file(), migrations: NewShop.migrations.dropLast() + [never])
    try expectEqual(file.load(), shop)
  }

  @Test("A new file has all migrations, and none of them runs")
  func newFile() throws {
    let folder = try TemporaryFolder()
    let fails = Migration.custom("fails") { _ in throw CocoaError(.featureUnsupported) }
    var file = try DatabaseFile<OldShop>(path: folder.file(), migrations: [fails])
    try file.save(OldShop.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file(), migrations: [fails])
    try expectEqual(file.load(), OldShop.sample())
  }

  @Test("When a migration fails, at any step, the old file stays whole", arguments: 0..<9)
  func failing(step: Int) throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    struct Refusal: Error {}
    let before = try bytes(folder.file())
    var migrations = NewShop.migrations
    migrations.insert(.custom("breaks") { _ in throw Refusal() }, at: step + 1)
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<NewShop>(path: folder.file(), migrations: migrations)
    }
    expectEqual(
      error?.description,
      """
      \(folder.file()) cannot be migrated, and is unchanged: migration "breaks": Refusal()
      """)
    try expectEqual(bytes(folder.file()), before)
    let old = try DatabaseFile<OldShop>(path: folder.file())
    try expectEqual(old.load(), OldShop.sample())
    try old.close()
    // The next attempt starts from the beginning.
    let file = try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations)
    try expectEqual(file.load(), NewShop.migratedSample())
  }

  @Test("Errors name the migration, the table and the row")
  func errors() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    func message(_ migration: Migration) throws -> String? {
      let error = #expect(throws: DatabaseFileError.self) {
        try DatabaseFile<OldShop>(path: folder.file(), migrations: [migration])
      }
      return error?.description.replacing(
        "\(folder.file()) cannot be migrated, and is unchanged: ", with: "")
    }
    try expectEqual(
      message(
        .transforming("books", named: "t") {
          _ = try $0.value(Int.self, of: "name")
          return $0
        }),
      """
      migration "t", row 2, table books: name: expected Int, found "Emma"
      """)
    try expectEqual(
      message(
        .transforming("books", named: "t") { row in
          var row = row
          row.id = .integer(1)
          return row
        })?.hasPrefix("migration \"t\", row 1, table books: another row has this ID"), true)
    try expectEqual(
      message(
        .transforming("books", named: "t") { MigrationRow(id: .null, members: $0.members) }),
      "migration \"t\", row NULL, table books: it has no ID")
    try expectEqual(
      message(.renamingMember("name", to: "pages", of: "books")),
      """
      migration "rename member name of books to pages", table books: name and pages have values: \
      use a transforming migration
      """)
    try expectEqual(
      message(.renamingTable("writers", to: "books")),
      """
      migration "rename table writers to books", table writers: books has rows, too: merge them \
      in a custom migration
      """)
    try expectEqual(
      message(.custom("m") { try $0.removeMember("id", of: "books") }),
      "migration \"m\", table books: id is the ID and cannot be removed")
    // A change that failed fails the migration, even if its code catches the error.
    try expectEqual(
      message(
        .custom("m") { tables in
          do { try tables.removeMember("id", of: "books") } catch {}
        }), "migration \"m\", table books: id is the ID and cannot be removed")
    let twice = [Migration.custom("one") { _ in }, .custom("one") { _ in }]
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<OldShop>(path: folder.file(), migrations: twice)
    }
    try expectEqual(DatabaseFile<OldShop>(path: folder.file()).load(), OldShop.sample())
  }

  @Test("Rows may exchange their IDs and be removed, and tables be made, merged and removed")
  func rowsAndTables() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    let file = try DatabaseFile<OldShop>(
      path: folder.file(),
      migrations: [
        .transforming("books", named: "exchange") { row in
          var row = row
          row.id = row.id == .integer(1) ? .integer(2) : .integer(1)
          return row
        },
        .transforming("writers", named: "remove") { $0.id == .text("s") ? nil : $0 },
        .custom("merge") { tables in
          expectEqual(tables.names, ["books", "favorites", "writers"])
          var writers = try tables.rows(of: "writers")
          writers.insert(
            MigrationRow(id: .text("m"), members: ["id": .text("m"), "name": .text("M")]), at: 0)
          try tables.setRows(writers, of: "writers")
          try tables.setRows(writers, of: "copies \"of\" writers")
          try tables.setRows([MigrationRow(id: .text("m"))], of: "favorites")
          try tables.removeMember("pages", of: "books")
          try tables.removeTable("nothing")
          try expectTrue(tables.rows(of: "nothing").isEmpty)
          try expectEqual(
            tables.rows(of: "copies \"of\" writers").map(\.id), [.text("m"), .text("a")])
        },
      ])
    let shop = try file.load()
    expectEqual(shop.books.map(\.id), [1, 2])
    expectEqual(shop.books.map(\.name), ["Emma", "Dracula"])
    expectEqual(shop.books.map(\.pages), [nil, nil])
    expectEqual(shop.writers.map(\.id), ["m", "a"])
    expectEqual(shop.favorites.ids().map(\.raw), ["m"])
    try expectEqual(file.unclaimed.tables, ["copies \"of\" writers"])
  }

  @Test("Names that SQLite or Entia reserves, and that differ only in case, are renamed")
  func hostileNames() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    var migrations: [Migration] = []
    let names = [
      "Name", "NAME", "sqlite_x", "entia_id", "", "a\0b", "\"; DROP TABLE x", "😀", "name",
    ]
    for (old, new) in zip(["name"] + names, names) {
      migrations.append(.renamingMember(old, to: new, of: "books"))
    }
    let tables = ["Books", "BOOKS", "sqlite_books", "entia_parts", "", "writers ", "\"'[", "books"]
    for (old, new) in zip(["books"] + tables, tables) {
      migrations.append(.renamingTable(old, to: new))
    }
    let file = try DatabaseFile<OldShop>(path: folder.file(), migrations: migrations)
    try expectEqual(file.load(), OldShop.sample())
    try expectTrue(file.unclaimed.isEmpty)
    let name = try file.withTurn {
      try $0.connection.value("SELECT name FROM books WHERE id=1")
    }
    expectEqual(name, .text("Dracula"))
  }

  @Test("What a file does not have needs no change, and an empty target gives way")
  func absent() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    // As a program leaves it that stopped before it set a value.
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("ALTER TABLE books ADD COLUMN caption")
    try other.close()
    let file = try DatabaseFile<OldShop>(
      path: folder.file(),
      migrations: [
        .renamingTable("nothing", to: "books"), .renamingMember("none", to: "name", of: "books"),
        .addingMember("name", to: "nothing", value: 1), .transforming("nothing", named: "t") { $0 },
        .custom("empty") { tables in try tables.setRows([], of: "readers") },
        .renamingTable("readers", to: "writers"),
        .renamingMember("caption", to: "name", of: "books"),
        .renamingMember("name", to: "caption", of: "books"),
        .renamingMember("caption", to: "name", of: "books", named: "and back"),
      ])
    try expectEqual(file.load(), OldShop.sample())
  }

  @Test("A file with a migration that the program does not have is newer, and stays as it was")
  func newer() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations).close()
    let before = try bytes(folder.file())
    let known = Array(NewShop.migrations.dropLast())
    let error = DatabaseFileError.isNewer(
      file: folder.file(), reason: "it has migrations that this program does not have: page counts")
    #expect(throws: error) { try DatabaseFile<NewShop>(path: folder.file(), migrations: known) }
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: folder.path), ["database.sqlite"])
    #expect(throws: error) {
      try DatabaseFile<NewShop>.migrationPlan(path: folder.file(), migrations: known)
    }
    #expect(throws: DatabaseFileError.self) { try DatabaseFile<OldShop>(path: folder.file()) }
    try expectEqual(bytes(folder.file()), before)
  }

  @Test("A plan lists what would be done, and changes nothing")
  func plan() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    let before = try bytes(folder.file())
    let plan = try DatabaseFile<NewShop>.migrationPlan(
      path: folder.file(), migrations: NewShop.migrations)
    expectTrue(plan.applied.isEmpty)
    expectEqual(plan.pending.map(\.name), NewShop.migrations.map(\.name))
    expectTrue(plan.description.hasPrefix("rename member name of books to title\n"))
    expectTrue(plan.description.contains("\nsplit names: transform the rows of Authors\n"))
    try expectEqual(bytes(folder.file()), before)
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<NewShop>.migrationPlan(path: folder.file("none"), migrations: [])
    }
    // Nor does a file that is only read.
    let needs = DatabaseFileError.needsMigration(
      file: folder.file(), migrations: [NewShop.migrations[0].name])
    #expect(throws: needs) {
      try DatabaseFile<NewShop>(
        path: folder.file(), configuration: .init(isReadOnly: true),
        migrations: [NewShop.migrations[0]])
    }
    try expectEqual(bytes(folder.file()), before)
    try DatabaseFile<NewShop>(path: folder.file(), migrations: NewShop.migrations).close()
    let after = try DatabaseFile<NewShop>.migrationPlan(
      path: folder.file(), migrations: NewShop.migrations)
    expectTrue(after.pending.isEmpty && after.applied == NewShop.migrations.map(\.name))
    expectEqual(after.description, "nothing to migrate")
  }

  @Test("Rows that something else inserted stay the last, and values of every type are converted")
  func values() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    var file = try DatabaseFile<OldShop>(path: folder.file())
    try file.withTurn {
      try $0.connection.edit("INSERT INTO writers(id, name) VALUES ('z', 'Z')")
    }
    try file.close()
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    file = try DatabaseFile(
      path: folder.file(),
      migrations: [
        .addingMember("born", to: "writers", value: date),
        .addingMember("tags", to: "writers", value: ["a", "b"]),
        .transforming("writers", named: "t") { row in
          var row = row
          try expectEqual(row.value(Date?.self, of: "born"), date)
          try expectEqual(row.value([String].self, of: "tags"), ["a", "b"])
          try expectNil(row.value(Int?.self, of: "none"))
          expectEqual(row["born"], .real(0.1))
          try row.set(Int?.none, of: "tags")
          expectEqual(row["tags"], .null)
          row["name"] = .text(try row.value(of: "name") + "!")
          return row
        },
      ])
    try expectEqual(file.load().writers.map(\.name), ["Bram Stoker!", "Jane Austen!", "Z!"])
  }
}
