import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Indexes, never out of step")
struct IndexTests {
  @Test("Indexes.Hash and Indexes.Unique find by key")
  func finding() throws {
    let feed = try Feed([
      Post(id: 2, title: "A", year: 1, code: "x"), Post(id: 1, title: "A", year: 1),
      Post(id: 3, title: "B", year: 1, code: "y"),
    ])
    expectEqual(feed.titles.ids(for: "A"), [2, 1])
    expectTrue(feed.titles.ids(for: "C") == [])
    expectTrue(feed.titles.count == 2 && feed.titles.keys() == ["A", "B"])
    expectTrue(feed.code.find(by: "x") == 2 && feed.code.find(by: "z") == nil)
    expectTrue(feed.code.count == 2 && feed.code.find(by: "y") == 3)
    expectEqual(feed.email.find(by: "a@b.c"), 0)
  }

  @Test("A batch sees its own writes in indexes, and a thrown batch leaves none")
  func staged() throws {
    struct Stop: Error {}
    var feed = try Feed([Post(id: 1, title: "A", year: 1960, code: "x")])
    #expect(throws: Stop.self) {
      try feed.performBatchUpdates { context in
        context.modifying.posts.updateIfExists(id: 1) { $0.year = 1970 }
        context.modifying.posts.insert(Post(id: 2, title: "B", year: 1950, code: "x"))
        expectEqual(Array(context.modifying.byYear.ids()), [2, 1])
        expectEqual(context.modifying.code.ids(for: "x"), [1, 2])
        throw Stop()
      }
    }
    expectEqual(Array(feed.byYear.ids(in: 1960...)), [1])
    expectTrue(feed.code.find(by: "x") == 1 && feed.code.ids(for: "x") == [1])
    expectEqual(feed.verify(), [])
  }

  @Test("Cascades, change sets and their inverses keep indexes in step")
  func changeSets() throws {
    var feed = try Feed([
      Post(id: 1, title: "A", year: 1960), Post(id: 2, title: "B", year: 1950),
    ])
    let before = feed
    try feed.performBatchUpdates { $0.modifying.users.remove(0) }
    expectTrue(feed.byYear.count == 0 && feed.titles.count == 0 && feed.email.count == 0)
    try feed.apply(feed.changes(since: before).inverted)
    expectTrue(Array(feed.byYear.ids()) == [2, 1] && feed.email.find(by: "a@b.c") == 0)
    expectTrue(feed == before && feed.verify() == [])
  }

  @Test("Indexes are not encoded, and are rebuilt by decoding")
  func coding() throws {
    let feed = try Feed([Post(id: 1, title: "A", year: 1960, code: "x")])
    let data = try JSONEncoder().encode(feed)
    expectFalse(String(decoding: data, as: UTF8.self).contains("byYear"))
    let decoded = try JSONDecoder().decode(Feed.self, from: data)
    expectTrue(decoded == feed && decoded.code.find(by: "x") == 1)
    expectEqual(decoded.verify(), [])
  }

  @Test("verify() lists the index, the entity and the key that differ from the rows")
  func verify() throws {
    let feed = try Feed([Post(id: 1, title: "A", year: 1960, code: "x")])
    var contents = feed.snapshot.contents
    contents.byYear.rebuild { _ in }
    contents.code.rowChanged(from: nil, to: Post(id: 7, title: "", year: 1, code: "x"))
    contents.titles.rowChanged(from: feed.posts.find(by: 1), to: nil)
    var broken = feed
    broken.snapshot = Snapshot(unchecked: contents)
    expectEqual(
      broken.verify().map(\.description),
      [
        "byYear: Post 1 is not stored under 1960, the key of its row",
        "code: Post 7 is not stored under x, the key of its row",
        "titles: Post 1 is not stored under A, the key of its row",
        "code: Post 1 and Post 7 have the same key x",
      ])
  }
}
