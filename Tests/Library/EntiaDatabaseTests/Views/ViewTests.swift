import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Views")
struct ViewTests {
  @Test("Relationships are resolved when they are read, in both directions")
  func resolves() throws {
    let library = try Library.sample()
    let book = try #require(library.view(of: Book.EntityID("b1")))
    expectEqual(book.title, "One")
    expectEqual(book[\.bookAuthor]?.name, "Ann")
    expectEqual(book[\.bookSequel]?.title, "Two")
    expectEqual(book[\.bookAuthor]?[inverse: \.bookAuthor].map(\.rawID), ["b1", "b2"])
    expectEqual(book[inverse: \.shelfBooks].map(\.id), [1])
    let shelf = try #require(library.view(of: Shelf.EntityID(1)))
    expectEqual(shelf[\.shelfBooks].map { $0[\.bookAuthor]?.name }, ["Bob", "Ann", "Ann"])
  }

  @Test("Law 17: a dangling reference reads as missing, and inserting the target heals it")
  func dangling() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a9"))
      context.modifying.shelves.updateIfExists(id: 1) { $0.bookIDs.append("b9") }
    }
    let book = try #require(library.view(of: Book.EntityID("b4")))
    expectEqual(book.reference(\.bookAuthor), .missing("a9"))
    expectEqual(book.reference(\.bookSequel), .none)
    expectNil(book[\.bookAuthor])
    let shelf = try #require(library.view(of: Shelf.EntityID(1)))
    expectEqual(shelf.references(\.shelfBooks).map(\.entityID), ["b3", "b1", "b2", "b9"])
    expectEqual(shelf.references(\.shelfBooks).last, .missing("b9"))
    expectEqual(
      library.verify().map(\.description),
      [
        "Book b4: bookAuthor references Author a9, which does not exist",
        "Shelf 1: shelfBooks references Book b9, which does not exist",
      ])
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a9", name: "Zoe"))
      context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a9"))
    }
    expectEqual(library.view(of: Book.EntityID("b4"))?[\.bookAuthor]?.name, "Zoe")
    expectEqual(library.verify(), [])
  }

  @Test("Views and references print their contents")
  func descriptions() throws {
    let library = try Library.sample()
    let shelf = try #require(library.view(of: Shelf.EntityID(1)))
    expectEqual(shelf.description, #"Shelf(id: 1, bookIDs: [Book("b3"), Book("b1"), Book("b2")])"#)
    expectEqual(
      "\(Array(shelf[\.shelfBooks].prefix(1)))",
      #"[Book(rawID: "b3", title: "Three", authorID: Author("a2"), sequelID: nil)]"#)
    let author = try #require(library.view(of: Author.EntityID("a1")))
    let books = author[inverse: \.bookAuthor]
    expectTrue(books == author[inverse: \.bookAuthor] && books.ids == ["b1", "b2"])
    expectTrue(books.description.hasPrefix(#"[Book(rawID: "b1""#))
    expectEqual(
      books[0].reference(\.bookAuthor).description, #"loaded(Author(id: "a1", name: "Ann"))"#)
    expectEqual(books[1].reference(\.bookSequel).description, "none")
    #expect(EntityReference<Library, Book>.missing("b9").description == "missing(b9)")
  }
}

@Suite("Dependencies of resolved values")
struct DependencyNodesTests {
  @Test("Recording a dependency copies none of the others")
  func recordsInPlace() {
    var nodes = DependencyNodes()
    let tokens = (0..<100).map { _ in nodes.begin() }
    let place = nodes.users.withUnsafeBufferPointer { $0.baseAddress }
    for (user, part) in zip(tokens.dropFirst(), tokens) { nodes.add(user, to: part) }
    expectEqual(nodes.users.withUnsafeBufferPointer { $0.baseAddress }, place)
    expectEqual(nodes.users.count { !$0.isEmpty }, 99)
  }

  @Test("Invalidated users are dropped when a list would grow")
  func dropsInvalidated() {
    var nodes = DependencyNodes()
    let part = nodes.begin()
    for _ in 0..<1_000 {
      let user = nodes.begin()
      nodes.add(user, to: part)
      nodes.end([user])
    }
    #expect(nodes.users[part.node].count < 10)
  }
}
