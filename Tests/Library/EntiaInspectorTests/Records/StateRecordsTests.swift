import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestDomains
import Testing

@testable import EntiaInspector

@Suite("The rows of an inspected store")
struct StateRecordsTests {
  @Test("Rows have the fields of their entities, and references by the relationships")
  func rows() throws {
    let records = try StateRecords(AppState.sample())
    let database = records.database
    #expect(database.schema.entities.map(\.name) == ["authors", "books", "loans", "shelves"])
    #expect(
      database.schema.entity("books")?.relationships.map { "\($0.name) \($0.target)" } == [
        "authorID authors", "sequelID books",
      ])
    let book = try #require(database.record(RecordID(entity: "books", key: .string("b1"))))
    #expect(book.members.map(\.name) == ["rawID", "title", "authorID", "sequelID"])
    #expect(book.references.map(\.raw.key.text) == ["a1", "b2"])
    let author = try #require(database.record(RecordID(entity: "authors", key: .string("a1"))))
    #expect(author.members.map(\.name) == ["name"])
    let shelf = try #require(
      database.record(RecordID(entity: "shelves", key: .number(JSONNumber(1)))))
    #expect(shelf.references.map(\.raw.key.text) == ["b3", "b1", "b2"])
    #expect(records.members.map(\.name) == ["searchText", "count"])
    #expect(records.members.map(\.json.text) == ["\"\"", "0"])
    #expect(records.rules.source == .storage)
    #expect(
      records.rules.rules.map { "\($0.entity) \($0.member) \($0.onDelete)" } == [
        "books authorID cascade", "books sequelID nullify", "shelves bookIDs nullify",
        "loans bookID deny",
      ])
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
    #expect(whole.database.count == 6)
    #expect(whole.members.isEmpty)
    let several = StateRecords(Several())
    #expect(
      several.database.schema.entities.map(\.name) == [
        "first.authors", "first.books", "first.loans", "first.shelves", "nested.second.authors",
        "nested.second.books", "nested.second.loans", "nested.second.shelves",
      ])
    #expect(several.members.map(\.name) == ["nested.number", "list"])
    let none = StateRecords(3)
    #expect(none.database.isEmpty)
    #expect(none.members.map { "\($0.name) \($0.json.text)" } == ["state 3"])
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
    let database = StateRecords(items).database
    #expect(database.records.map(\.id.key.text) == ["same", "same #2"])
  }
}
