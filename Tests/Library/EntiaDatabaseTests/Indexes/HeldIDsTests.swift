import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Indexes.OrderedID and Indexes.Set")
struct HeldIDsTests {
  @Test("A list is edited in a batch, each ID once and only while its entity is there")
  func editing() throws {
    var feed = try Feed.sample()
    try feed.performBatchUpdates { context in
      expectEqual(context.modifying.favorites.append(4), true)
      expectEqual(context.modifying.favorites.append(4), false)
      expectTrue(
        context.modifying.favorites.move(4, to: 0) && !context.modifying.favorites.move(9, to: 0))
      expectTrue(context.modifying.favorites.remove(1) && !context.modifying.favorites.remove(1))
      expectEqual(context.modifying.favorites.insert(1, at: 1), true)
      expectEqual(context.modifying.favorites.ids(), [4, 1, 3, 2])
      expectTrue(context.modifying.unread.insert(1) && !context.modifying.unread.insert(1))
      expectTrue(context.modifying.unread.contains(2))
    }
    let list = feed.favorites
    expectTrue(list.ids() == [4, 1, 3, 2] && list[1] == 1 && list.find(at: 4) == nil)
    expectTrue(list.firstIndex(of: 3) == 2 && list.contains(2) && list.count == 4 && !list.isEmpty)
    expectEqual(feed.posts.find(in: list).map(\.id), [4, 1, 3, 2])
    expectTrue(feed.unread.ids() == [2, 1] && feed.unread.count == 2)
  }

  @Test("Removed entities drop out by themselves, by a cascade too; a thrown batch drops none")
  func dropping() throws {
    struct Stop: Error {}
    let feed = try Feed.sample()
    var copy = feed
    try copy.performBatchUpdates { $0.modifying.posts.remove(2) }
    expectTrue(copy.favorites.ids() == [3, 1] && copy.unread.isEmpty && copy.verify() == [])
    #expect(throws: Stop.self) {
      try copy.performBatchUpdates { context in
        context.modifying.users.removeAll()
        expectEqual(context.modifying.favorites.ids(), [])
        throw Stop()
      }
    }
    expectEqual(copy.favorites.ids(), [3, 1])
    expectEqual(feed.favorites.ids(), [3, 1, 2])
  }

  @Test("The list is a part of equality and of change sets; a set's order is not")
  func changes() throws {
    let before = try Feed.sample()
    var after = before
    try after.performBatchUpdates { context in
      context.modifying.posts.remove(1)
      context.modifying.favorites.insert(4, at: 0)
    }
    let changes = after.changes(since: before)
    expectTrue(changes.favorites?.inserted == [4] && changes.favorites?.removed == [1])
    expectTrue(changes.unread == nil && !changes.isEmpty && changes.count == 3)
    expectEqual(changes.summary, "Post: 1 removed\nfavorites: Post IDs: 1 inserted, 1 removed")
    var copy = before
    try copy.apply(changes)
    expectTrue(copy == after && copy.favorites.ids() == [4, 3, 2])
    try copy.apply(changes.inverted)
    expectTrue(copy == before && copy.favorites.ids() == [3, 1, 2])
    var moved = before
    try moved.performBatchUpdates { _ = $0.modifying.favorites.move(3, to: 2) }
    expectTrue(moved != before && moved.changes(since: before).count == 1)
    expectEqual(
      moved.changes(since: before).description,
      "favorites: Post IDs: 0 inserted, 0 removed, reordered")
    var one = before
    try one.performBatchUpdates { context in
      context.modifying.unread.removeAll()
      for id in [1, 2] as [Post.EntityID] { context.modifying.unread.insert(id) }
    }
    var other = before
    try other.performBatchUpdates { _ = $0.modifying.unread.insert(1) }
    expectTrue(one == other && one.changes(since: other).isEmpty)
  }

  @Test("An ID may be held before its row; without one at the end it is dropped and listed")
  func heldEarly() throws {
    var feed = try Feed.sample()
    let problems = try feed.performBatchUpdates { context in
      expectEqual(context.modifying.favorites.append(8), true)
      expectTrue(context.modifying.favorites.insert(9, at: 1) && context.modifying.unread.insert(9))
      expectEqual(context.modifying.favorites.ids(), [3, 9, 1, 2, 8])
      expectEqual(context.problems.count, 3)
      context.modifying.posts.insert(Post(id: 9, title: "t", year: 1))
      // One that came and went again is dropped with its row.
      context.modifying.favorites.append(7)
      context.modifying.posts.insert(Post(id: 7, title: "t", year: 1))
      context.modifying.posts.remove(7)
      return context.problems
    }
    expectEqual(problems.map(\.description), ["favorites cannot hold Post 8, which does not exist"])
    expectTrue(feed.favorites.ids() == [3, 9, 1, 2] && feed.unread.ids() == [2, 9])
    expectEqual(feed.verify(), [])
    let before = feed
    var batch = feed.beginBatchUpdates()
    batch.modifying.unread.insert(6)
    batch.modifying.unread.remove(6)
    batch.modifying.unread.insert(6)
    let report = try feed.commitBatchUpdates(batch)
    expectEqual(
      report.problems.map(\.description), ["unread cannot hold Post 6, which does not exist"])
    expectTrue(report.changes.isEmpty && feed == before && feed.verify() == [])
  }

  @Test("A storage where nothing refuses drops IDs without their entities, too")
  func heldEarlyWithoutRefusal() {
    var recipe = Recipe("ab")
    recipe.performBatchUpdates { context in
      context.modifying.pinned.append("x")
      context.modifying.pinned.append("c")
      context.modifying.steps.insert(Step(id: "c"))
    }
    expectTrue(recipe.pins == "abc" && recipe.verify() == [])
  }

  @Test("Positions out of bounds are clamped, and have no ID")
  func positions() throws {
    var feed = try Feed.sample()
    try feed.performBatchUpdates { context in
      expectEqual(context.modifying.favorites.insert(4, at: .max), true)
      expectEqual(context.modifying.favorites.ids(), [3, 1, 2, 4])
      expectEqual(context.modifying.favorites.move(1, to: .min), true)
      expectEqual(context.modifying.favorites.move(3, to: 99), true)
      expectEqual(context.modifying.favorites.ids(), [1, 2, 4, 3])
      expectNil(context.modifying.favorites.remove(at: 4))
      expectNil(context.modifying.favorites.remove(at: -1))
      expectEqual(context.modifying.favorites.remove(at: 2), 4)
      expectEqual(context.modifying.favorites.insert(4, at: -7), true)
    }
    expectEqual(feed.favorites.ids(), [4, 1, 2, 3])
  }

  @Test("Held IDs are encoded; decoding drops those of missing entities")
  func coding() throws {
    let feed = try Feed.sample()
    let data = try JSONEncoder().encode(feed)
    let decoded = try JSONDecoder().decode(Feed.self, from: data)
    expectTrue(decoded == feed && decoded.favorites.ids() == [3, 1, 2])
    let text = String(decoding: data, as: UTF8.self)
    let missing = Data(text.replacing("[3,1,2]", with: "[3,9,2,3]").utf8)
    let repaired = try JSONDecoder().decode(Feed.self, from: missing)
    expectTrue(repaired.favorites.ids() == [3, 2] && repaired.verify() == [])
    var contents = feed.snapshot.contents
    contents.posts.remove(1)
    var broken = feed
    broken.snapshot = Snapshot(unchecked: contents)
    expectTrue(
      broken.verify().map(\.description).contains(
        "favorites: Post 1 is held but does not exist"))
  }

  @Test("Laws 3, 13: over random histories, versions and changes agree with plain arrays")
  func histories() throws {
    var random = SeededGenerator(seed: 4)
    var feed = Feed()
    try feed.performBatchUpdates { $0.modifying.users.insert(User(id: 0, email: "b")) }
    var list: [Post.EntityID] = []
    for _ in 0..<150 {
      let before = feed
      let id = Post.EntityID(random.number(in: 0..<6))
      let kind = random.number(in: 0..<6)
      let marked = (0..<3).map { _ in Post.EntityID(random.number(in: 0..<6)) }
      try feed.performBatchUpdates { context in
        for id in marked where !context.modifying.unread.insert(id) {
          context.modifying.unread.remove(id)
        }
        switch kind {
        case 0, 1: context.modifying.posts.insert(Post(id: id.raw, title: "", year: 0))
        case 2: context.modifying.posts.remove(id)
        case 3:
          if context.modifying.favorites.append(id) { list.append(id) }
        case 4:
          if let at = list.firstIndex(of: id), context.modifying.favorites.move(id, to: 0) {
            list.insert(list.remove(at: at), at: 0)
          }
        default:
          if context.modifying.favorites.remove(id) { list.removeAll { $0 == id } }
        }
      }
      list.removeAll { !feed.posts.contains($0) }
      expectTrue(feed.favorites.ids() == list && feed.verify() == [])
      let changes = feed.changes(since: before)
      expectEqual(changes.isEmpty, feed == before)
      let (new, old) = (feed.favorites, before.favorites)
      expectEqual(changes.favorites?.inserted ?? [], new.filter { !old.contains($0) })
      expectEqual(changes.favorites?.removed ?? [], old.filter { !new.contains($0) })
      let (newSet, oldSet) = (feed.unread.ids(), before.unread.ids())
      expectEqual(changes.unread?.inserted ?? [], newSet.filter { !oldSet.contains($0) })
      expectEqual(changes.unread?.removed ?? [], oldSet.filter { !newSet.contains($0) })
      var copy = before
      try copy.apply(changes)
      expectTrue(copy == feed && copy.favorites.ids() == list)
      try copy.apply(changes.inverted)
      expectEqual(copy, before)
      expectTrue(changes.composed(with: changes.inverted).isEmpty)
    }
  }

  @Test("A merge takes the IDs that either side inserted or removed, of existing entities")
  func merging() throws {
    let base = try Feed.sample()
    var mine = base
    try mine.performBatchUpdates { context in
      context.modifying.favorites.move(2, to: 0)
      context.modifying.posts.remove(4)
    }
    var theirs = base
    try theirs.performBatchUpdates { context in
      context.modifying.favorites.remove(3)
      context.modifying.favorites.append(4)
      context.modifying.unread.insert(1)
    }
    let merged = try mine.merging(theirs, base: base).storage
    expectEqual(merged.favorites.ids(), [2, 1])
    expectEqual(merged.unread.ids(), [2, 1])
    expectEqual(merged.verify(), [])
    let other = try theirs.merging(mine, base: base).storage
    expectTrue(other.favorites.ids() == [2, 1] && other.verify() == [])
    // Only one side changed its list: its order is kept.
    try expectEqual(base.merging(theirs, base: base).storage.favorites.ids(), [1, 2, 4])
  }
}
