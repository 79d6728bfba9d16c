import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Arrays that a batch inserts into an empty table")
struct BatchFillTests {
  @Test("They have the outcomes, relationships and indexes of single insertions")
  func likeSingleInsertions() throws {
    for seed in LawRuns(count: 10).seeds {
      var random = SeededGenerator(seed: seed)
      let posts = (0..<random.number(in: 0..<200)).map { _ in
        Post(
          id: random.number(in: 0..<120),
          title: ["a", "b", "a title in memory of its own"][random.number(in: 0..<3)],
          year: random.number(in: 0..<3), rating: [0, 1, 2][random.number(in: 0..<3)],
          authorID: .init(random.number(in: 0..<2)))
      }
      let users = [User(id: 0, email: "a"), User(id: 1, email: "b")]
      let empty = try Feed([], users: users)
      var (filled, single) = (empty, empty)
      let results = try filled.performBatchUpdates { $0.modifying.posts.insert(posts) }
      let others = try single.performBatchUpdates { context in
        posts.map { context.modifying.posts.insert($0) }
      }
      expectEqual(results, others, "seed \(seed)")
      expectEqual(filled, single, "seed \(seed)")
      expectEqual(filled.posts.allIDs(), single.posts.allIDs(), "seed \(seed)")
      for user in users {
        expectEqual(
          filled.snapshot.contents.postAuthor.holderIDs(of: user.entityID),
          single.snapshot.contents.postAuthor.holderIDs(of: user.entityID), "seed \(seed)")
      }
      expectTrue(filled.verify() == [] && empty.posts.isEmpty, "seed \(seed)")
      expectEqual(filled.changes(since: empty), single.changes(since: empty), "seed \(seed)")
    }
  }

  @Test("They have the only relationship of a database")
  func oneRelationship() throws {
    let links = (0..<100).map { Link(id: $0, next: .init(($0 + 1) % 100)) }
    let empty = Chain()
    var (chain, single) = (empty, empty)
    let all = links + [Link(id: 7, next: 3), Link(id: 7, next: 3), Link(id: 100, next: 3)]
    try chain.performBatchUpdates { $0.modifying.links.insert(all) }
    try single.performBatchUpdates { context in
      for link in all { context.modifying.links.insert(link) }
    }
    expectEqual(chain.verify(), [])
    let holders = chain.snapshot.contents.next
    expectTrue(holders.holderIDs(of: 3) == [2, 7, 100] && holders.holderIDs(of: 8) == [])
    expectTrue(chain == single && empty.links.isEmpty)
    expectTrue(chain.links.count == 101 && chain.links.find(by: 7)?.next == 3)
  }

  @Test("A sequence may read the table into which it is inserted")
  func readingSequence() throws {
    var feed = try Feed([])
    let titles = try feed.performBatchUpdates { context in
      let posts = context.modifying.posts
      var editor = posts
      return editor.insert((0..<20).lazy.map { Post(id: $0, title: "\(posts.count)", year: 1) })
        .map(\.entity.title)
    }
    expectEqual(titles, (0..<20).map { "\($0)" })
  }
}
