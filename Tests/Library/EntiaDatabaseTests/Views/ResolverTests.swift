import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("Resolver")
struct ResolverTests {
  @Test("A shape nests the values that it reads, and encodes as nested JSON")
  func nests() throws {
    let library = try Library.sample()
    var resolver = Resolver<Library>()
    let resolved = resolver.resolve(ShelfCard.self, of: 1, in: library)
    let shelf = try #require(resolved)
    expectEqual(shelf.books.map(\.title), ["Three", "One", "Two"])
    expectEqual(shelf.books.map(\.author?.name), ["Bob", "Ann", "Ann"])
    expectEqual(shelf.books[1].author?.titles, ["One", "Two"])
    expectEqual(shelf.books[1].sequel, "Two")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expectEqual(
      String(decoding: try encoder.encode(shelf.books[0]), as: UTF8.self),
      #"{"author":{"name":"Bob","titles":["Three"]},"title":"Three"}"#)
  }

  @Test("Law 22: an unchanged value is not built again, whatever else was committed")
  func remembers() throws {
    var library = try Library.sample()
    var resolver = Resolver<Library>()
    _ = resolver.resolve(ShelfCard.self, of: 1, in: library)
    // A shelf, three books and two authors; one of these is asked for twice.
    expectEqual(resolver.madeCount, 6)
    _ = resolver.resolve(ShelfCard.self, of: 1, in: library)
    expectEqual(resolver.madeCount, 6)
    try library.performBatchUpdates { context in
      context.modifying.shelves.insert(Shelf(id: 2, bookIDs: []))
      context.modifying.authors.insert(Author(id: "a9", name: "Zoe"))
      context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a9"))
    }
    _ = resolver.resolve(ShelfCard.self, of: 1, in: library)
    expectEqual(resolver.madeCount, 6)
    // Bob's card, his book's, and the shelf's.
    try library.performBatchUpdates { context in
      context.modifying.authors.updateIfExists(id: "a2") { $0.name = "Bert" }
    }
    let after = resolver.resolve(ShelfCard.self, of: 1, in: library)
    expectEqual(resolver.madeCount, 9)
    expectEqual(after?.books.map(\.author?.name), ["Bert", "Ann", "Ann"])
  }

  @Test("Law 17: a value is built again when a missing row is inserted or a read row removed")
  func misses() throws {
    var library = try Library.sample()
    var resolver = Resolver<Library>()
    let missing = resolver.resolve(BookCard.self, of: "b9", in: library)
    expectTrue(missing == nil && resolver.count == 1)
    let before = library
    try library.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a9"))
    }
    let there = resolver.resolve(BookCard.self, of: "b9", in: library)
    expectTrue(there?.title == "Nine" && there?.author == nil)
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a9", name: "Zoe"))
    }
    let healed = resolver.resolve(BookCard.self, of: "b9", in: library)
    expectTrue(healed?.author?.name == "Zoe" && healed?.author?.titles == ["Nine"])
    let back = resolver.resolve(BookCard.self, of: "b9", in: before)
    expectNil(back)
  }

  @Test("Law 18: a shape that repeats on its own branch ends there, and depth is bounded")
  func bounded() throws {
    var library = Library()
    try library.performBatchUpdates { context in
      for number in 0..<300 {
        let next = number < 3 ? (number + 1) % 3 : number == 299 ? 299 : number + 1
        context.modifying.books.insert(
          Book(
            rawID: "b\(number)", title: "", authorID: "a", sequelID: .init("b\(next)")))
      }
    }
    var resolver = Resolver<Library>()
    let first = resolver.resolve(Series.self, of: "b0", in: library)
    expectEqual(first?.ids, ["b0", "b1", "b2"])
    // What was cut on the branch of another is whole on its own.
    let second = resolver.resolve(Series.self, of: "b1", in: library)
    expectEqual(second?.ids, ["b1", "b2", "b0"])
    let again = resolver.resolve(Series.self, of: "b0", in: library)
    expectEqual(again?.ids, ["b0", "b1", "b2"])
    let long = resolver.resolve(Series.self, of: "b100", in: library)
    expectEqual(long?.ids.count, Resolver<Library>.maximumDepth)
    let end = resolver.resolve(Series.self, of: "b290", in: library)
    expectEqual(end?.ids.count, 10)
  }

  @Test("A resolver empties its cache when it exceeds its limit")
  func limit() throws {
    let library = try Library.sample()
    var resolver = Resolver<Library>(limit: 3)
    _ = resolver.resolve(BookCard.self, of: ["b1", "b2", "b3"], in: library)
    expectEqual(resolver.count, 5)
    let book = resolver.resolve(BookCard.self, of: "b1", in: library)
    expectTrue(book?.title == "One" && resolver.count == 2)
  }

  @Test(
    "Law 20: whatever the history, a resolver agrees with a new one", arguments: Corpus.storages)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var library = try Library.sample()
    var versions = [library]
    var resolver = Resolver<Library>()
    for step in 0..<300 {
      if random.oneIn(6), let version = versions.randomElement(using: &random) {
        library = version
      }
      try? library.performBatchUpdates { try LibrarySubject.edit(&$0, using: &random) }
      if random.oneIn(3) { try LibrarySubject.reorder(&library, using: &random) }
      if random.oneIn(4) { versions.append(library) }
      for number in 0..<6 where random.oneIn(2) {
        var fresh = Resolver<Library>()
        let book: Book.EntityID = "b\(number)"
        let shelf = Shelf.EntityID(number)
        let cards = (
          resolver.resolve(BookCard.self, of: book, in: library),
          fresh.resolve(BookCard.self, of: book, in: library)
        )
        expectEqual(cards.0, cards.1, "seed \(seed), step \(step), book \(number)")
        let shelves = (
          resolver.resolve(ShelfCard.self, of: shelf, in: library),
          fresh.resolve(ShelfCard.self, of: shelf, in: library)
        )
        expectEqual(shelves.0, shelves.1, "seed \(seed), step \(step), shelf \(number)")
        let series = (
          resolver.resolve(Series.self, of: book, in: library),
          fresh.resolve(Series.self, of: book, in: library)
        )
        expectEqual(series.0, series.1, "seed \(seed), step \(step), series \(number)")
      }
    }
    #expect(resolver.madeCount < 100_000)
  }
}
