import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// A storage written by hand, with parts that are given.
private struct Sketch<Parts: StorageContents & Empty>: NormalizedStorageType {
  typealias Contents = Parts
  var snapshot = Snapshot(Parts())
}

private protocol Empty {
  init()
}

private struct NoAuthors: StorageContents, Empty {
  var books = Tables.Hash<Book>()
  var bookAuthor = ToOne<Book, Author>(\.authorID, onDelete: .cascade)

  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self {
    visitor.table("books", \.books)
    visitor.relationship("bookAuthor", \.bookAuthor)
  }
}

private struct NoBooks: StorageContents, Empty {
  var byTitle = Indexes.Sorted<Book, String>(\.title)

  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self { visitor.index("byTitle", \.byTitle) }
}

private struct NoCheckedBooks: StorageContents, Empty {
  var title = Checks.Entity<Book>("there is a title") { $0.title != "" }

  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self { visitor.check("title", \.title) }
}

private struct TwoTables: StorageContents, Empty {
  var books = Tables.Hash<Book>()
  var ordered = Tables.Ordered<Book>()

  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self {
    visitor.table("books", \.books)
    visitor.table("ordered", \.ordered)
  }
}

/// Both tables, and a relationship whose rule is given.
private struct Ruled<Rule: BookAuthorRule>: StorageContents, Empty {
  var authors = Tables.Hash<Author>()
  var books = Tables.Hash<Book>()
  var bookAuthor = Rule.bookAuthor

  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self {
    visitor.table("authors", \.authors)
    visitor.table("books", \.books)
    visitor.relationship("bookAuthor", \.bookAuthor)
  }
}

private protocol BookAuthorRule {
  static var bookAuthor: ToOne<Book, Author> { get }
}

private enum CascadingRule: BookAuthorRule {
  static var bookAuthor: ToOne<Book, Author> { .init(\.authorID, onDelete: .cascade) }
}

private enum DenyingRule: BookAuthorRule {
  static var bookAuthor: ToOne<Book, Author> { .init(\.authorID) }
}

private enum RequiringRule: BookAuthorRule {
  static var bookAuthor: ToOne<Book, Author> { CascadingRule.bookAuthor.required() }
}

@Suite("Defects of hand-written storages")
struct HandWrittenStorageTests {
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("A relationship to an entity without a table stops at the first batch")
  func relationship() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var storage = Sketch<NoAuthors>()
      storage.performBatchUpdates { _ in }
    }
    expectTrue(
      Self.text(result.standardErrorContent).contains(
        "NoAuthors has no table of Author, which 'bookAuthor' needs; add a table, as in "
          + "'@Table var rows: Tables.Hash<Author> = .init()'"))
  }

  @Test("So does an index")
  func index() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Sketch<NoBooks>() }
    expectTrue(
      Self.text(result.standardErrorContent).contains(
        "NoBooks has no table of Book, which 'byTitle' needs"))
  }

  @Test("So does a check")
  func check() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Sketch<NoCheckedBooks>() }
    expectTrue(
      Self.text(result.standardErrorContent).contains(
        "NoCheckedBooks has no table of Book, which 'title' needs"))
  }

  @Test("So do two tables of one entity")
  func twoTables() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Sketch<TwoTables>() }
    expectTrue(
      Self.text(result.standardErrorContent).contains(
        "TwoTables has two tables of Book: books and ordered"))
  }

  @Test("A rule that cannot refuse needs no refusal")
  func accepting() {
    var storage = Sketch<Ruled<CascadingRule>>()
    storage.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: ""))
      context.modifying.books.insert(Book(rawID: "b", title: "", authorID: "a"))
    }
    storage.performBatchUpdates { $0.modifying.authors.remove("a") }
    expectTrue(storage.snapshot.contents.books.isEmpty)
  }

  @Test("A rule that can refuse must be declared")
  func denying() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var storage = Sketch<Ruled<DenyingRule>>()
      storage.performBatchUpdates { _ in }
    }
    let message = Self.text(result.standardErrorContent)
    expectTrue(
      message.contains("'bookAuthor' has the delete rule .deny, which can refuse a batch of "))
    expectTrue(message.contains("declare 'typealias Refusal = any Error' in "))
  }

  @Test("Required references must be declared too")
  func requiring() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var storage = Sketch<Ruled<RequiringRule>>()
      storage.performBatchUpdates { _ in }
    }
    expectTrue(
      Self.text(result.standardErrorContent).contains(
        "'bookAuthor' has required references, which can refuse a batch of "))
  }
}

@Suite("Entities of which a database has no table")
struct UnknownTableTests {
  struct Stranger: EntityType, Identifiable { let id: Int }

  private static let message =
    "Library has no table of Stranger; add a table, as in "
    + "'@Table var rows: Tables.Hash<Stranger> = .init()'"

  @Test("A fetch stops with a message")
  func fetch() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Library().fetch(FetchDescriptor<Stranger>()) }
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.message))
  }

  @Test("So does a count")
  func count() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Library().fetchCount(FetchDescriptor<Stranger>()) }
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.message))
  }

  @Test("So does a view")
  func view() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Library().view(of: Stranger.EntityID(1)) }
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.message))
  }

  @Test("So do several views, though no ID is given")
  func views() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Library().views(of: [Stranger.EntityID]()) }
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.message))
  }

  @Test("Nested parts, too, stop the process")
  func denormalized() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Library().denormalized(Stranger.EntityID(1), depth: 1) }
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains(Self.message))
  }

  @Test("An explanation notes it")
  func explanation() {
    expectEqual(
      Library().explain(FetchDescriptor<Stranger>()).notes,
      ["this database has no table of Stranger"])
  }
}
