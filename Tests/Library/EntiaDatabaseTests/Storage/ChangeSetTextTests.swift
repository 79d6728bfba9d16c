import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// What tests and logs print, and change sets that are built by hand.
@Suite("Descriptions and encoded forms of storages and change sets")
struct ChangeSetTextTests {
  private let before: Library
  private var after: Library

  init() throws {
    before = try Library.sample()
    after = before
    try after.performBatchUpdates { context in
      context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
      context.modifying.authors.insert(Author(id: "a3", name: "Eve"))
      context.modifying.shelves.remove(1)
    }
  }

  @Test("A change set prints its rows, with old and new members")
  func changes() {
    let changes = after.changes(since: before)
    expectEqual(
      changes.description,
      """
      Author: 1 inserted
        + Author(id: "a3", name: "Eve")
      Book: 1 updated
        ~ Book b1: title "One" -> "Uno"
      Shelf: 1 removed
        - Shelf(id: 1, bookIDs: [Book("b3"), Book("b1"), Book("b2")])
      """)
    expectEqual(changes.summary, "Author: 1 inserted\nBook: 1 updated\nShelf: 1 removed")
    expectEqual(Library.ChangeSet().description, "no changes")
    expectEqual(changes.loans.description, "Loan: no changes")
  }

  @Test("An ID that is empty or contains control characters is quoted, and others are not")
  func invisibleIDs() throws {
    func text(_ id: String) -> String { EntityLabel(Author.EntityID(id)).description }
    expectEqual(text(""), #"Author """#)
    expectEqual(text("a\u{0}b"), #"Author "a\0b""#)
    expectEqual(text("a\nb\u{1}"), #"Author "a\nb\u{01}""#)
    for plain in ["a1", "two words", "👩‍👧", "e\u{301}", "\"", "\\", " "] {
      expectEqual(text(plain), "Author \(plain)")
    }
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "", name: "old"))
      context.modifying.books.insert(Book(rawID: "", title: "", authorID: ""))
      context.modifying.loans.insert(Loan(id: 1, bookID: ""))
    }
    var edited = library
    try edited.performBatchUpdates { $0.modifying.authors[""]?.name = "new" }
    expectEqual(
      edited.changes(since: library).debugDescription, #"~ Author "": name "old" -> "new""#)
    let error = #expect(throws: BatchError.self) {
      try library.performBatchUpdates { _ = $0.modifying.books.remove("") }
    }
    expectEqual(error?.description.contains(#"Book "" cannot be removed"#), true)
  }

  @Test("A description is bounded")
  func bounded() throws {
    var many = before
    try many.performBatchUpdates { context in
      context.modifying.authors.insert((0..<300).map { Author(id: "n\($0)", name: "N") })
    }
    let lines = many.changes(since: before).description.split(separator: "\n")
    expectTrue(lines.count == 22 && lines.last == "  … and 280 more")
    expectEqual(lines.first, "Author: 300 inserted")
    let text = many.description.split(separator: "\n")
    expectTrue(text.count < 30 && text.contains("    … and 297 more"))
    expectEqual(many.changes(since: before).debugDescription.split(separator: "\n").count, 300)
  }

  @Test("A storage prints its tables with their first rows, and is reflected as its parts")
  func storage() throws {
    expectEqual(
      "\(before)",
      """
      Library
        authors: 2 rows
          Author(id: "a1", name: "Ann")
          Author(id: "a2", name: "Bob")
        books: 3 rows
          \(before.books.map { "\($0)" }.joined(separator: "\n    "))
        shelves: 1 row
          Shelf(id: 1, bookIDs: [Book("b3"), Book("b1"), Book("b2")])
        loans: 0 rows
      """)
    let feed = try Feed.sample()
    expectTrue(
      "\(feed)".hasSuffix("  favorites: 3 IDs\n    3\n    1\n    2\n  unread: 1 ID\n    2"))
    var dumped = ""
    dump(feed, to: &dumped)
    expectTrue(!dumped.contains("Snapshot") && !dumped.contains("Box"))
    expectTrue(dumped.contains("▿ posts: 4 elements") && dumped.contains("▿ favorites"))
    expectEqual(
      Mirror(reflecting: before).children.map(\.label),
      [
        "authors", "books", "shelves", "loans",
      ])
  }

  @Test("A change set is built by hand")
  func built() throws {
    let changes = after.changes(since: before)
    let (old, new) = try (
      #require(before.books.find(by: "b1")), #require(after.books.find(by: "b1"))
    )
    let shelf = try #require(before.shelves.find(by: 1))
    expectEqual(
      changes,
      .inserting(Author(id: "a3", name: "Eve")).updating(from: old, to: new).removing(shelf))
    expectEqual(
      changes,
      .removing(shelf).inserting(Author(id: "a3", name: "Eve")).updating(from: old, to: new))
    expectTrue(changes != .updating(from: old, to: new))
    var copy = before
    try copy.apply(.updating(from: old, to: new).removing(shelf))
    expectTrue(copy.books == after.books && copy.shelves.isEmpty)
  }

  /// Encodes and decodes a change set.
  private func roundTrip<Storage>(
    _ changes: StorageChangeSet<Storage>
  ) throws -> StorageChangeSet<Storage> {
    try JSONDecoder().decode(
      StorageChangeSet<Storage>.self, from: try JSONEncoder().encode(changes))
  }

  @Test("A decoded change set equals the encoded one, and leads to the same version")
  func encoded() throws {
    let changes = after.changes(since: before)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(changes), as: UTF8.self)
    expectEqual(
      text,
      #"{"authors":{"inserted":[{"id":"a3","name":"Eve"}]},"books":{"updated":[{"new":"#
        + #"{"authorID":"a1","rawID":"b1","sequelID":"b2","title":"Uno"},"old":{"authorID":"a1","#
        + #""rawID":"b1","sequelID":"b2","title":"One"}}]},"shelves":{"removed":"#
        + #"[{"bookIDs":["b3","b1","b2"],"id":1}]}}"#)
    try expectEqual(roundTrip(changes), changes)
    // With an order, with held IDs, and with references that dangle.
    var feed = try Feed.sample()
    let start = feed
    try feed.performBatchUpdates { context in
      context.modifying.users.insert(User(id: 5, email: "e"), at: 0)
      context.modifying.users.move(0, to: 0)
      context.modifying.posts.remove(3)
      context.modifying.favorites.append(4)
      context.modifying.unread.removeAll()
    }
    for (old, new) in [(start, feed), (feed, start)] {
      let changes = new.changes(since: old)
      let decoded = try roundTrip(changes)
      expectEqual(decoded, changes)
      var copy = old
      try copy.apply(decoded)
      expectEqual(copy, new)
    }
    var dangling = before
    try dangling.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "gone"))
    }
    var copy = before
    try copy.apply(try roundTrip(dangling.changes(since: before)))
    expectEqual(copy, dangling)
  }

  @Test("Rows that are not Codable are named by the error")
  func notCodable() throws {
    let changes = Plain.ChangeSet.inserting(Pebble(id: 1))
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(changes) }
    expectTrue("\(try #require(error))".contains("Pebble is not Encodable"))
    let decoding = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        Plain.ChangeSet.self, from: Data(#"{"pebbles":{"inserted":[{"id":1}]}}"#.utf8))
    }
    expectTrue("\(try #require(decoding))".contains("Pebble is not Decodable"))
    try expectTrue(roundTrip(Plain.ChangeSet()).isEmpty)
  }
}

private struct Pebble: EntityType, Identifiable {
  let id: Int
}

private struct Plain: NormalizedStorageType {
  struct Contents: StorageContents {
    var pebbles = Tables.Hash<Pebble>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("pebbles", \.pebbles) }
  }

  var snapshot = Snapshot(Contents())
}
