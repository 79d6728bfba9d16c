import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// Held IDs as the collection or the set that they are, each on unique storage and beside a version
/// that must not change.
@Suite("Held IDs are collections and sets")
struct HeldIDsCollectionTests {
  typealias ID = Post.EntityID

  /// Runs the batch on storage that nothing shares, and beside a copy, which must stay as it is.
  func editing(
    _ body: (inout BatchContext<Feed>) -> Void, expecting list: [ID]? = nil, set: [ID]? = nil
  ) throws {
    var unique = try Feed.sample()
    try unique.performBatchUpdates { body(&$0) }
    let kept = try Feed.sample()
    var copy = kept
    try copy.performBatchUpdates { body(&$0) }
    expectEqual(kept, try Feed.sample())
    for result in [unique, copy] {
      expectEqual(result.favorites.ids(), list ?? kept.favorites.ids())
      expectEqual(Set(result.unread), Set(set ?? kept.unread.ids()))
      expectEqual(result.verify(), [])
    }
  }

  @Test("A list is read as an array is")
  func reading() throws {
    let list = try Feed.sample().favorites
    expectTrue(list.first == 3 && list.last == 2 && list[1] == 1 && list.count == 3)
    expectTrue(list.firstIndex(of: 1) == 1 && list.lastIndex(of: 1) == 1)
    expectTrue(list.firstIndex(of: 4) == nil && list.find(at: 3) == nil && list.find(at: 0) == 3)
    expectTrue(Array(list[1...]) == [1, 2] && Array(list.prefix(2)) == [3, 1])
    expectTrue(
      Array(list.reversed()) == [2, 1, 3] && list.index(list.startIndex, offsetBy: 3) == 3)
    expectTrue(Indexes.OrderedID<Post>().last == nil && Indexes.OrderedID<Post>().isEmpty)
  }

  @Test("A list in a batch is read as an array is, and a range stays as it was read")
  func readingInBatch() throws {
    try editing(
      { context in
        expectTrue(context.modifying.favorites.last == 2 && context.modifying.favorites[0] == 3)
        expectEqual(context.modifying.favorites.firstIndex(of: 2), 2)
        let range = context.modifying.favorites[0..<2]
        context.modifying.favorites.remove(3)
        expectTrue(Array(range) == [3, 1] && context.modifying.favorites.first == 1)
        expectEqual(context.modifying.favorites.map(\.raw), [1, 2])
      }, expecting: [1, 2])
  }

  @Test("IDs are appended and inserted several at a time, each once")
  func inserting() throws {
    try editing({ $0.modifying.favorites.append(contentsOf: [4, 3, 4]) }, expecting: [3, 1, 2, 4])
    try editing(
      { context in
        context.modifying.favorites.removeAll()
        context.modifying.favorites.append(contentsOf: [1, 2])
        for id in [3, 2, 4] as [Post.EntityID] { context.modifying.favorites.insert(id, at: 1) }
      }, expecting: [1, 4, 3, 2])
    try editing({ $0.modifying.favorites.insert(4, at: -1) }, expecting: [4, 3, 1, 2])
  }

  @Test("IDs are removed by position, by range and by a predicate")
  func removing() throws {
    try editing({ $0.modifying.favorites.remove(at: 1) }, expecting: [3, 2])
    try editing({ $0.modifying.favorites.removeAll { $0.raw > 1 } }, expecting: [1])
    try editing(
      { context in
        expectEqual(context.modifying.favorites.removeFirst(), 3)
        expectEqual(context.modifying.favorites.removeLast(), 2)
        expectEqual(context.modifying.favorites.removeLast(), 1)
        expectNil(context.modifying.favorites.removeLast())
        expectNil(context.modifying.favorites.removeFirst())
      }, expecting: [])
    try editing({ $0.modifying.favorites.removeSubrange(0..<2) }, expecting: [2])
    try editing({ $0.modifying.favorites.removeSubrange(1...) }, expecting: [3])
    try editing({ $0.modifying.favorites.removeSubrange(-5...0) }, expecting: [1, 2])
    try editing({ $0.modifying.favorites.removeSubrange(2..<99) }, expecting: [3, 1])
    try editing({ $0.modifying.favorites.removeSubrange(7...) }, expecting: [3, 1, 2])
    try editing({ $0.modifying.favorites.removeSubrange(..<(-1)) }, expecting: [3, 1, 2])
    try editing({ $0.modifying.favorites.removeSubrange(2...Int.max) }, expecting: [3, 1])
    try editing({ $0.modifying.favorites.removeSubrange(0...Int.max) }, expecting: [])
    try editing({ $0.modifying.favorites.removeSubrange(3...Int.max) }, expecting: [3, 1, 2])
    try editing({ $0.modifying.favorites.removeSubrange(Int.max...) }, expecting: [3, 1, 2])
    try editing({ $0.modifying.favorites.removeSubrange(...Int.max) }, expecting: [])
    try editing({ $0.modifying.favorites.removeSubrange(1..<Int.max) }, expecting: [3])
    try editing({ $0.modifying.favorites.removeSubrange(Int.min...1) }, expecting: [2])
  }

  @Test("A predicate that throws removes nothing, and one that writes the list is safe")
  func predicates() throws {
    struct Stop: Error {}
    try editing(
      { context in
        #expect(throws: Stop.self) {
          try context.modifying.favorites.removeAll { id in
            if id == 2 { throw Stop() }
            return true
          }
        }
      }, expecting: [3, 1, 2])
    try editing(
      { context in
        var other = context.modifying.favorites
        context.modifying.favorites.removeAll { id in
          other.remove(1)
          return id == 3
        }
      }, expecting: [2])
  }

  @Test("A set has the algebra of a set, through the editor")
  func setAlgebra() throws {
    try editing({ $0.modifying.unread.formUnion([1, 2, 1]) }, set: [1, 2])
    try editing({ $0.modifying.unread.subtract([2, 4]) }, set: [])
    try editing(
      { context in
        context.modifying.unread.formUnion([1, 3])
        context.modifying.unread.formIntersection([3, 2, 4])
      }, set: [2, 3])
    try editing({ $0.modifying.unread.removeAll { $0 == 2 } }, set: [])
    try editing({ $0.modifying.favorites.formUnion([4, 1]) }, expecting: [3, 1, 2, 4])
    try editing({ $0.modifying.favorites.formIntersection([2, 3]) }, expecting: [3, 2])
    try editing({ $0.modifying.unread.formUnion($0.modifying.favorites) }, set: [1, 2, 3])
  }

  @Test("An ID that a union inserts without its row is dropped and listed")
  func missingRows() throws {
    var feed = try Feed.sample()
    let problems = try feed.performBatchUpdates { context in
      context.modifying.unread.formUnion([8])
      context.modifying.unread.formUnion([9])
      context.modifying.favorites.append(contentsOf: [7, 4])
      return context.problems
    }
    expectEqual(problems.count, 3)
    expectTrue(feed.favorites.ids() == [3, 1, 2, 4] && feed.unread.ids() == [2])
  }

  @Test("Law 1: the algebra of held IDs is that of the standard library's sets")
  func algebraOfValues() throws {
    var random = SeededGenerator(seed: 19)
    func some() -> [ID] {
      (0..<random.number(in: 0..<6)).map { _ in ID(random.number(in: 1..<5)) }
    }
    for _ in 0..<300 {
      let (ids, other) = (some(), some())
      check(Indexes.Set<Post>().union(ids), Set(ids), other)
      check(Indexes.OrderedID<Post>().union(ids), Set(ids), other)
    }
  }

  func check<IDs: HeldIDs>(_ held: IDs, _ model: Set<ID>, _ other: [ID])
  where IDs.Entity == Post {
    // A sequence that can be iterated once.
    func once() -> AnyIterator<ID> { AnyIterator(other.makeIterator()) }
    expectEqual(Set(held), model)
    expectEqual(Set(held.union(once())), model.union(other))
    expectEqual(Set(held.intersection(once())), model.intersection(other))
    expectEqual(Set(held.subtracting(once())), model.subtracting(other))
    expectEqual(Set(held.symmetricDifference(once())), model.symmetricDifference(other))
    expectEqual(held.isSubset(of: once()), model.isSubset(of: other))
    expectEqual(held.isSuperset(of: once()), model.isSuperset(of: other))
    expectEqual(held.isDisjoint(with: once()), model.isDisjoint(with: other))
    expectEqual(held.isEqualSet(to: once()), model == Set(other))
    expectEqual(Set(held), model)
  }
}
