import EntiaCoding
import EntiaDatabase
import EntiaExplorer
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaInspector

@Suite("The rows of an inspected store")
struct StateRecordsTests {
  private func numbers(_ targets: PageDatabase.Targets) -> [Int] {
    switch targets {
    case .none: []
    case .one(let row): [row]
    case .many(let rows): rows
    }
  }

  @Test("Rows have the fields of their entities, and references by the relationships")
  func rows() throws {
    let records = try StateRecords(AppState.sample())
    let database = records.database
    expectEqual(database.tables.map(\.name), ["authors", "books", "loans", "shelves"])
    let names = database.tables.map { table in
      table.relationships.map { "\($0.name) \(database.tables[$0.targets[0]].name)" }
    }
    expectEqual(
      names, [[], ["authorID authors", "sequelID books"], ["bookID books"], ["bookIDs books"]])
    let books = database.tables[1]
    expectEqual(books.memberNames, ["rawID", "title", "authorID", "sequelID"])
    let book = String(decoding: books.line(0), as: UTF8.self)
    expectTrue(book.hasPrefix("[\"b1\",{\"rawID\":\"b1\",\"title\":"))
    expectTrue(book.hasSuffix("\"authorID\":\"a1\",\"sequelID\":\"b2\"}]\n"))
    // Rows are numbered by table and ID: two authors, three books, and so on.
    expectEqual(books.targets(0).map(numbers), [[0], [3]])
    expectEqual(database.tables[0].memberNames, ["name"])
    let shelves = database.tables[3]
    expectTrue(String(decoding: shelves.line(0), as: UTF8.self).hasPrefix("[1,{"))
    expectEqual(shelves.targets(0).map(numbers), [[4, 2, 3]])
    expectEqual(records.members.map(\.name), ["searchText", "count"])
    expectEqual(records.members.map(\.json.text), ["\"\"", "0"])
    expectEqual(database.ruleSource, .storage)
    expectEqual(
      database.tables.map { $0.relationships.map(\.rule.onDelete) },
      [[], [.cascade, .nullify], [.deny], [.nullify]])
  }

  @Test("A state may be a database, have several, or have none")
  func states() throws {
    struct Several {
      var first = Library()
      var nested = Nested()
      struct Nested {
        var second = Library()
        var number = 1
      }
      var list = [1]
    }
    let whole = try StateRecords(Library.sample())
    expectEqual(whole.database.tables.map(\.rowCount).reduce(0, +), 6)
    expectTrue(whole.members.isEmpty)
    let several = StateRecords(Several())
    expectEqual(
      several.database.tables.map(\.name),
      [
        "first.authors", "first.books", "first.loans", "first.shelves", "nested.second.authors",
        "nested.second.books", "nested.second.loans", "nested.second.shelves",
      ])
    expectEqual(several.members.map(\.name), ["nested.number", "list"])
    let none = StateRecords(3)
    expectTrue(none.database.tables.isEmpty)
    expectEqual(none.members.map { "\($0.name) \($0.json.text)" }, ["state 3"])
  }

  @Test("Databases in optionals, cases, lists and dictionaries are listed, at any depth")
  func nestedDatabases() throws {
    struct Leaf {
      var library = try? Library.sample()
      var text = "x"
    }
    struct Box<Content> {
      var content: Content
    }
    enum Session {
      case open(Library, user: String)
    }
    struct State {
      var deep: Box<Box<Box<Box<Leaf?>>>> = Box(
        content: Box(content: Box(content: Box(content: Leaf()))))
      var missing: Library?
      var session = Session.open(Library(), user: "Ada")
      var list = [Library(), Library()]
      var spaces = ["home": Library()]
      var numbers = ["one": 1]
    }
    let records = StateRecords(State())
    let names = records.database.tables.filter { $0.name.hasSuffix("authors") }.map(\.name)
    expectEqual(
      names,
      [
        "deep.content.content.content.content.library.authors", "list.0.authors",
        "list.1.authors", "session.open.0.authors", "spaces.home.authors",
      ])
    expectEqual(
      records.members.map { "\($0.name) \($0.json.text)" },
      [
        "deep.content.content.content.content.text \"x\"", "missing null",
        "session.open.user \"Ada\"", "numbers {\"one\":1}",
      ])
  }

  @Test("A reference leads to its row, also if their IDs are equal and have different texts")
  func equalIDs() throws {
    struct Place: EntityType, Identifiable {
      let id: Double
      var nextID: EntityID?
      var name = "cafe\u{301}"
    }
    struct Named: EntityType, Identifiable {
      let id: String
      var placeNames: [EntityID] = []
    }
    struct Places: NormalizedStorageType {
      struct Contents: StorageContents {
        var places = Tables.Hash<Place>()
        var names = Tables.Hash<Named>()
        var next = ToOne<Place, Place>(\.nextID, onDelete: .nullify)
        var others = ToMany<Named, Named>(\.placeNames, onDelete: .nullify)
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self {
          visitor.table("places", \.places)
          visitor.table("names", \.names)
          visitor.relationship("next", \.next)
          visitor.relationship("others", \.others)
        }
      }
      var snapshot = Snapshot(Contents())
    }
    var places = Places()
    places.performBatchUpdates { context in
      context.modifying.places.insert(Place(id: -0.0, nextID: Place.EntityID(0.0)))
      context.modifying.names.insert(Named(id: "caf\u{E9}", placeNames: ["cafe\u{301}"]))
    }
    let tables = StateRecords(places).database.tables
    expectEqual(tables.map { $0.targets(0).map(numbers) }, [[[0]], [[1]]])
  }

  @Test("The rows of an ordered table keep their order, and those of a hashed one are sorted by ID")
  func order() throws {
    var inbox = Inbox()
    try inbox.performBatchUpdates { context in
      context.modifying.writers.insert(["w2", "w1", "w3"].map { Writer(id: $0) })
      context.modifying.notes.insert([2, 1].map { Note(id: $0, writerID: "w1") })
    }
    let tables = StateRecords(inbox).database.tables
    let ids = tables.map { table in
      (0..<table.rowCount).map { row in
        String(decoding: table.line(row), as: UTF8.self).split(separator: ",")[0].dropFirst()
      }
    }
    expectEqual(ids, [["1", "2"], ["\"w2\"", "\"w1\"", "\"w3\""]])
    // Rows are numbered by table and order: two notes, and then the writers.
    let index = try #require(tables[0].relationships.firstIndex { $0.name == "writerID" })
    expectEqual((0...1).map { numbers(tables[0].targets($0)[index]) }, [[3], [3]])
  }

  @Test("Different IDs with the same text are different rows")
  func sameTexts() throws {
    final class Tag: Hashable, Sendable, CustomStringConvertible {
      var description: String { "same" }
      static func == (lhs: Tag, rhs: Tag) -> Bool { lhs === rhs }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    struct Item: EntityType {
      typealias EntityIDRawType = Tag
      let entityID: EntityID
    }
    struct Items: NormalizedStorageType {
      struct Contents: StorageContents {
        var items = Tables.Hash<Item>()
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("items", \.items) }
      }
      typealias Refusal = Never
      var snapshot = Snapshot(Contents())
    }
    var items = Items()
    items.performBatchUpdates { context in
      context.modifying.items.insert([
        Item(entityID: .init(Tag())), Item(entityID: .init(Tag())),
      ])
    }
    let table = StateRecords(items).database.tables[0]
    let lines = (0..<table.rowCount).map { String(decoding: table.line($0), as: UTF8.self) }
    expectEqual(lines.map { $0.prefix { $0 != "," } }, ["[\"same\"", "[\"same #2\""])
  }
}
