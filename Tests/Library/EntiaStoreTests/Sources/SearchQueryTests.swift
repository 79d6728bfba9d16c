import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

/// Live queries that match a text.
@Suite("Queries that search")
struct SearchQueryTests {
  struct State: StateType {
    var feed = Feed()
    var text = ""
  }

  private static let searches = [
    FetchDescriptor<Post>(matching: "war", in: \Feed.Contents.postText, fetchLimit: 3),
    FetchDescriptor<Post>(matching: "pea -war", in: \Feed.Contents.postText),
    FetchDescriptor<Post>(
      matching: "title:w", in: \Feed.Contents.postText, predicate: #Predicate { $0.year > 1 },
      sortBy: [SortDescriptor(\.year), SortDescriptor(\.id)]),
    FetchDescriptor<Post>(predicate: #Predicate { $0.title.contains("war") }),
  ]

  @Sendable
  private static func edit(_ feed: inout Feed, _ kind: Int, _ id: Int, _ title: String) throws {
    try feed.performBatchUpdates { context in
      switch kind {
      case 0: context.modifying.posts.remove(.init(id))
      case 1: context.modifying.posts.updateIfExists(id: .init(id)) { $0.year += 1 }
      case 2: context.modifying.posts.updateIfExists(id: .init(id)) { $0.title = title }
      default: context.modifying.posts.insert(Post(id: id, title: title, year: id % 3))
      }
    }
  }

  @Test(
    "Law 45: in histories of commits, undo, drafts and layers, a search is that of its rows",
    arguments: 0..<scaled(3))
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<State, Never>(initialState: State(feed: try Feed([])))
    let live = Self.searches.map { store.query($0, in: \.feed) }
    var lists = Self.searches.map { _ in [Post]() }
    let received = Self.searches.map { _ in Recorder<QueryDifference<Post>>() }
    let subscriptions = zip(live, received).map { query, received in
      query.sinkDifferences(queue: .passthrough) { received.record($0) }
    }
    var read = Self.searches.map { _ in 0 }
    var draft = store.draft(\.feed, merge: ThreeWayMerge(otherwise: .theirs))
    var layers: [StoreLayer<State>] = []
    for step in 0..<80 {
      let (kind, id) = (random.number(in: 0..<7), random.number(in: 0..<10))
      let title = ["war", "peace", "war and peace", "a word of war"][random.number(in: 0..<4)]
      let action = random.number(in: 0..<14)
      do {
        switch action {
        case 0..<6: try store.commit { try Self.edit(&$0.feed, kind, id, title) }
        case 6, 7: try draft.update { try Self.edit(&$0, kind, id, title) }
        case 8: try draft.save()
        case 9: draft = store.draft(\.feed, merge: ThreeWayMerge(otherwise: .theirs))
        case 10: layers.append(try store.addLayer { try Self.edit(&$0.feed, kind, id, title) })
        case 11 where !layers.isEmpty:
          let layer = layers.remove(at: random.number(in: 0..<layers.count))
          do { try layer.confirm() } catch { layer.rollBack() }
        case 12: store.undo()
        default: store.redo()
        }
      } catch {
        // A refusal is part of the history too.
      }
      let place = "seed \(seed), step \(step), action \(action)"
      for feed in [store.committedState.feed, store.state.feed, draft.value] {
        try Self.compareWithNewIndex(feed, place)
      }
      let feed = store.state.feed
      for (number, descriptor) in Self.searches.enumerated() {
        let expected = feed.fetch(descriptor)
        for difference in received[number].elements.dropFirst(read[number]) {
          lists[number] = QueryTests.applying(difference, to: lists[number])
        }
        read[number] = received[number].count
        try #require(lists[number] == expected, "\(place), search \(number): by differences")
        try #require(live[number].value == expected, "\(place), search \(number): read")
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  /// Compares the searches of a version with those of an index that is built from its rows.
  private static func compareWithNewIndex(_ feed: Feed, _ place: String) throws {
    try #require(feed.verify() == [], "\(place)")
    let index = feed.snapshot.contents.postText
    var built = Indexes.Text<Post>(\.title, \.code)
    built.rebuild { visit in for post in feed.posts { visit(post) } }
    for query in ["war", "w p", "\"war and\"", "-peace"] {
      func scores(_ index: Indexes.Text<Post>) -> [Int: Double] {
        Dictionary(uniqueKeysWithValues: index.search(query).map { ($0.id.raw, $0.score) })
      }
      // Equal scores are in insertion order, which a new index does not have.
      try #require(scores(index) == scores(built), "\(place): \(query)")
    }
  }

  @Test("A commit elsewhere does not search again; one of a row of the table does, once")
  func work() throws {
    let posts = (1...50).map { id in
      Post(id: id, title: id.isMultiple(of: 2) ? "war" : "peace", year: 0)
    }
    let store = Store<_, Never>(initialState: State(feed: try Feed(posts)))
    let query = LiveQuerySource<State, Feed, Post>(
      store.core.broadcaster, store.core.detector(at: \.feed), \.feed, Self.searches[0],
      rows: DifferingRows(Feed.self, Post.self))
    func value() -> [Int] {
      query.value(at: SourceVersion(current: store.core.broadcaster.current)).value.map(\.id)
    }
    expectEqual(value(), [2, 4, 6])
    let before = query.work
    store.commit { $0.text = "war" }
    try store.commit { state in
      try state.feed.performBatchUpdates { context in
        context.modifying.users.insert(User(id: 5, email: "war"))
      }
    }
    expectEqual(value(), [2, 4, 6])
    expectEqual(query.work.fetches, before.fetches)
    try store.commit { try Self.edit(&$0.feed, 2, 2, "peace") }
    expectEqual(value(), [4, 6, 8])
    expectEqual(query.work.fetches, before.fetches + 1)
    store.undo()
    expectEqual(value(), [2, 4, 6])
  }
}
