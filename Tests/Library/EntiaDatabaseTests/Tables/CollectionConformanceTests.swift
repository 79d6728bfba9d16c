import EntiaCollections
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

/// Every sequence and collection of the room, against an array of the same elements.
@Suite("Database: conformances of sequences and collections")
struct DatabaseCollectionConformanceTests {
  /// Empty, one element, a few, and so many that every structure has several nodes.
  static let counts = [0, 1, 2, 5, 300]

  @Test("The IDs of a sorted index and their ranges, forward and backward", arguments: counts)
  func sortedIDs(count: Int) throws {
    let posts = (0..<count).map { Post(id: $0, title: "t", year: 2_000 + $0 / 2) }
    let index = try Feed(posts.shuffled()).byYear
    let all = posts.map(\.entityID)
    let part = posts.filter { $0.year > 2_000 && $0.year < 2_003 }.map(\.entityID)
    expectEqual(SequenceCheck.violations(of: index.ids(), expecting: all), [])
    expectEqual(SequenceCheck.violations(of: index.ids().reversed(), expecting: all.reversed()), [])
    let range = index.ids(in: 2_001..<2_003)
    expectEqual(SequenceCheck.violations(of: range, expecting: part), [])
    expectEqual(SequenceCheck.violations(of: range.reversed(), expecting: part.reversed()), [])
    let entries = Array(range.entries)
    expectEqual(SequenceCheck.violations(of: range.entries, expecting: entries), [])
    expectEqual(entries.map(\.id), part)
    expectEqual(index.ids().map { $0 }, all)
    expectEqual(range.map { $0 }, part)
    for id in all.prefix(3) + all.suffix(2) {
      expectEqual(index.ids().firstIndex { $0 == id }, all.firstIndex(of: id))
      expectEqual(range.firstIndex { $0 == id }, part.contains(id) ? all.firstIndex(of: id) : nil)
    }
  }

  @Test("The views of entities", arguments: counts)
  func entityViews(count: Int) throws {
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "Ann"))
      for number in 0..<count {
        context.modifying.books.insert(Book(rawID: "\(number)", title: "t", authorID: "a"))
      }
    }
    let author = try #require(library.view(of: Author.EntityID("a")))
    let views = author[inverse: \.bookAuthor]
    let expected = try (0..<count).map {
      try #require(library.view(of: Book.EntityID("\($0)")))
    }
    expectEqual(SequenceCheck.violations(of: views, expecting: expected), [])
  }

  @Test("The tables, and the held IDs as a sequence and a collection", arguments: counts)
  func tables(count: Int) {
    let authors = (0..<count).shuffled().map { Author(id: "\($0)", name: "n") }
    let hash = Tables.Hash(authors)
    let ordered = Tables.Ordered(authors)
    expectEqual(SequenceCheck.violations(of: hash, expecting: authors), [])
    expectEqual(SequenceCheck.violations(of: ordered, expecting: authors), [])
    var list = Indexes.OrderedID<Author>()
    var set = Indexes.Set<Author>()
    for author in authors {
      list.insert(author.entityID)
      set.insert(author.entityID)
    }
    let ids = authors.map(\.entityID)
    expectEqual(SequenceCheck.violations(of: list, expecting: ids), [])
    expectEqual(SequenceCheck.violations(of: list.reversed(), expecting: ids.reversed()), [])
    expectEqual(SequenceCheck.violations(of: set, expecting: ids), [])
    expectEqual(list.map { $0 }, ids)
    for id in ids.prefix(3) + [Author.EntityID("none")] {
      expectEqual(list.firstIndex { $0 == id }, ids.firstIndex(of: id))
    }
  }

  @Test("The held IDs inside a batch", arguments: counts)
  func heldIDsOfBatch(count: Int) throws {
    let ids = (1...max(count, 1)).prefix(count).map { Post.EntityID($0) }.shuffled()
    var feed = Feed()
    try feed.performBatchUpdates { context in
      context.modifying.users.insert(User(id: 0, email: "b"))
      context.modifying.posts.insert(ids.map { Post(id: $0.raw, title: "t", year: 1) })
      context.modifying.favorites.append(contentsOf: ids)
      context.modifying.unread.formUnion(ids)
      let list = context.modifying.favorites
      expectEqual(SequenceCheck.violations(of: list, expecting: ids), [])
      expectEqual(SequenceCheck.violations(of: context.modifying.unread, expecting: ids), [])
    }
    expectTrue(feed.favorites.count == count && feed.verify() == [])
  }
}
