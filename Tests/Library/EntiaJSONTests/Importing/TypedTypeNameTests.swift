import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Testing

private struct Person: EntityType, Identifiable, Codable {
  let id: String
  var name: String
}

private struct Book: EntityType, Identifiable, Codable {
  let id: String
  var title: String
}

private struct Page: EntityType, Identifiable, Codable {
  let id: Int
  var text: String
  var bookID: Book.EntityID
}

private struct Shelf: EntityType, Identifiable, Codable {
  let id: Int
}

/// A reference to a row of one of several entities.
private enum Subject: Hashable, Codable, Sendable {
  case person(Person.EntityID)
  case book(Book.EntityID)
  case shelf(Shelf.EntityID)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let id = try? container.decode(Person.EntityID.self) {
      self = .person(id)
    } else if let id = try? container.decode(Book.EntityID.self) {
      self = .book(id)
    } else {
      self = .shelf(try container.decode(Shelf.EntityID.self))
    }
  }
}

private struct Loan: EntityType, Identifiable, Codable {
  let id: String
  var readerID: Person.EntityID?
  var bookIDs: [Book.EntityID]?
  var shelf: Shelf.EntityID?
  var subject: Subject?
}

private struct Lending: NormalizedStorageType {
  struct Contents: StorageContents {
    var loans = Tables.Ordered<Loan>()
    var people = Tables.Hash<Person>()
    var books = Tables.Hash<Book>()
    var pages = Tables.Hash<Page>()
    var shelves = Tables.Hash<Shelf>()
    var pageBook = ToOne<Page, Book>(\.bookID, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("loans", \.loans)
      visitor.table("people", \.people)
      visitor.table("books", \.books)
      visitor.table("pages", \.pages)
      visitor.table("shelves", \.shelves)
      visitor.relationship("pageBook", \.pageBook)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

@Suite("Typed import: the types that an input names for references")
struct TypedTypeNameTests {
  private func imported(
    _ text: String, _ format: ImportFormat
  ) -> TypedImport<Lending, Loan> {
    var options = TypedImportOptions()
    options.format = format
    options.typeNames = ["readers": Person.self, "volumes": Book.self]
    let result = Importer.importing(
      [source(text)], of: Loan.self, into: Lending(), options: options)
    let report = result.report
    expectEqual(
      report.read, report.inserted + report.updated + report.unchanged + report.rejected,
      "Law 33: read = inserted + updated + unchanged + rejected")
    return result
  }

  private func errors(_ result: TypedImport<Lending, Loan>) -> [String] {
    result.report.problems.filter { $0.severity == .error }.map { "\($0.path): \($0.message)" }
  }

  /// A JSON:API document of one loan.
  private func document(_ relationship: String, _ data: String) -> String {
    """
    {"data": {"type": "loans", "id": "l", "relationships": {"\(relationship)": {"data": \(data)}}}}
    """
  }

  @Test(
    "A link with the type of another entity is a problem",
    arguments: [
      ("books", "Book"), ("Book", "Book"), ("volumes", "Book"), ("shelves", "Shelf"),
      ("shelf", "Shelf"), ("loans", "Loan"), ("Pages", "Page"),
    ])
  func refusedLinks(type: String, entity: String) {
    let link = #"{"type": "\#(type)", "id": "7"}"#
    // A number in a string has the place of the object around it.
    let place = ["Shelf", "Page"].contains(entity) ? "" : ".id"
    let one = imported(document("reader", link), .jsonapi)
    expectNil(one.database)
    expectEqual(
      errors(one),
      [
        "$.data.relationships.reader.data\(place): expected a row of Person as \"reader\", found "
          + "the type \"\(type)\", which is \(entity)"
      ])
    if entity == "Book" { return }
    let list = #"[{"id": "1", "type": "books"}, \#(link)]"#
    let many = imported(document("books", list), .jsonapi)
    expectEqual(
      errors(many),
      [
        "$.data.relationships.books.data[1]\(place): expected a row of Book as \"books\", found "
          + "the type \"\(type)\", which is \(entity)"
      ])
    // Also where both have IDs that are numbers.
    if entity != "Page" { return }
    expectEqual(
      errors(imported(document("shelf", link), .jsonapi)),
      [
        "$.data.relationships.shelf.data: expected a row of Shelf as \"shelf\", found "
          + "the type \"\(type)\", which is \(entity)"
      ])
  }

  @Test(
    "A link may have each name of its entity, and one that no entity has",
    arguments: ["people", "Person", "person", "PEOPLE", "readers", "unknown", ""])
  func acceptedLinks(type: String) {
    let result = imported(document("reader", #"{"type": "\#(type)", "id": "7"}"#), .jsonapi)
    expectEqual(errors(result), [])
    expectEqual(result.database?.snapshot.contents.loans.find(by: "l")?.readerID, "7")
  }

  @Test("The types of one record are not those of the next")
  func severalRecords() {
    let result = imported(
      """
      {"data": [
        {"type": "loans", "id": "1", "relationships": {
          "books": {"data": [{"type": "books", "id": "b"}, {"type": "volumes", "id": "c"}]},
          "reader": {"data": {"type": "people", "id": "a"}}}},
        {"type": "loans", "id": "2", "relationships": {
          "reader": {"data": {"type": "readers", "id": "a"}},
          "shelf": {"data": {"type": "shelves", "id": "3"}},
          "books": {"data": [{"type": "unknown", "id": "b"}, {"type": "books", "id": "c"}]}}}],
       "included": [{"type": "people", "id": "a", "attributes": {"name": "Ann"}}]}
      """, .jsonapi)
    expectEqual(errors(result), [])
    expectEqual(
      result.database?.snapshot.contents.loans.map(\.bookIDs), [["b", "c"], ["b", "c"]])
    expectEqual(result.database?.snapshot.contents.loans.find(by: "2")?.shelf, 3)
  }

  @Test("A reference to one of several entities is to that of its type")
  func severalEntities() {
    for (type, id, subject) in [
      ("people", "p", Subject.person("p")), ("books", "p", .book("p")), ("shelves", "7", .shelf(7)),
      ("volumes", "7", .book("7")), ("unknown", "7", .person("7")),
    ] {
      let link = #"{"type": "\#(type)", "id": "\#(id)"}"#
      let result = imported(document("subject", link), .jsonapi)
      expectEqual(errors(result), [], "\(type)")
      expectEqual(result.database?.snapshot.contents.loans.first?.subject, subject, "\(type)")
    }
    for (record, subject) in [
      (#"{"__typename": "Person", "id": "p"}"#, Subject.person("p")),
      (#"{"__typename": "Book", "id": "p"}"#, .book("p")),
      (#"{"__typename": "Shelf", "id": 7}"#, .shelf(7)),
      (#"{"__typename": "Book", "id": "p", "title": "T"}"#, .book("p")),
      (#"{"__typename": "Person", "id": "p", "name": "N"}"#, .person("p")),
    ] {
      let result = imported(response(#""subject": \#(record)"#), .graphql)
      expectEqual(errors(result), [], "\(record)")
      let contents = result.database?.snapshot.contents
      expectEqual(contents?.loans.first?.subject, subject, "\(record)")
      expectEqual(contents?.books.count, record.contains("title") ? 1 : 0)
    }
  }

  /// A GraphQL response with one loan.
  private func response(_ member: String) -> String {
    #"{"data": {"loans": [{"__typename": "Loan", "id": "l", \#(member)}]}}"#
  }

  @Test("A list of objects that have only IDs is one of references")
  func objectsOfIDs() {
    for list in [
      #"[{"id": "b"}, {"id": "c"}]"#, #"["b", {"id": "c"}]"#,
      #"{"nodes": [{"__typename": "Book", "id": "b"}, {"id": "c", "title": "C"}]}"#,
    ] {
      let result = imported(response(#""books": \#(list)"#), .graphql)
      expectEqual(errors(result), [])
      expectEqual(result.database?.snapshot.contents.loans.first?.bookIDs, ["b", "c"], "\(list)")
    }
  }

  @Test("A nested object with the __typename of another entity is a problem")
  func refusedObjects() {
    func pages(_ type: String) -> String {
      #""books": [{"id": "a", "title": "A", "#
        + #""pages": [{"__typename": "\#(type)", "id": 1, "text": "T"}]}]"#
    }
    let found = "found the type \"Book\", which is Book"
    for (member, problem) in [
      (
        #""reader": {"__typename": "Book", "id": "b"}"#,
        "$.data.loans[0].reader.id: expected a row of Person as \"reader\", \(found)"
      ),
      (
        #""reader": {"__typename": "Book", "id": "b", "name": "Ann"}"#,
        "$.data.loans[0].reader: expected a row of Person as \"reader\", \(found)"
      ),
      (
        #""books": [{"id": "a", "__typename": "volumes", "title": "A"}, "#
          + #"{"id": "b", "title": "B", "__typename": "readers"}]"#,
        "$.data.loans[0].books[1]: expected a row of Book as \"books\", found the type "
          + "\"readers\", which is Person"
      ),
      (
        #""books": {"nodes": [{"id": "b", "__typename": "Person"}]}"#,
        "$.data.loans[0].books.nodes[0].id: expected a row of Book as \"books\", found the type "
          + "\"Person\", which is Person"
      ),
      (
        pages("Shelf"),
        "$.data.loans[0].books[0].pages[0]: expected a row of Page as \"pages\", found the type "
          + "\"Shelf\", which is Shelf"
      ),
    ] as [(String, String)] {
      let result = imported(response(member), .graphql)
      expectNil(result.database)
      expectEqual(errors(result), [problem])
    }
    for type in ["Person", "people", "readers", "Unknown"] {
      for rest in ["", #", "name": "Ann""#] {
        let result = imported(
          response(#""reader": {"__typename": "\#(type)", "id": "7"\#(rest)}"#), .graphql)
        expectEqual(errors(result), [], "\(type)")
        expectEqual(result.database?.snapshot.contents.loans.first?.readerID, "7")
      }
    }
    let children = imported(response(pages("Page")), .graphql)
    expectEqual(errors(children), [])
    expectEqual(children.database?.snapshot.contents.pages.find(by: 1)?.bookID, "a")
  }
}
