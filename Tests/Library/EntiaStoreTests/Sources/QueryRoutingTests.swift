import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("Law 22: queries are looked up by the changed rows")
struct QueryRoutingTests {
  /// A price that counts how often it is compared, by the test that binds it.
  struct Rank: Comparable, Hashable, Sendable {
    @TaskLocal static var comparisons: Tally?
    let number: Int

    static func < (a: Rank, b: Rank) -> Bool {
      comparisons?.add()
      return a.number < b.number
    }
    static func == (a: Rank, b: Rank) -> Bool {
      comparisons?.add()
      return a.number == b.number
    }
  }

  struct Runner: EntityType, Identifiable {
    @TaskLocal static var comparisons: Tally?
    let id: Int
    var rank: Rank

    static func == (a: Runner, b: Runner) -> Bool {
      comparisons?.add()
      return a.id == b.id && a.rank.number == b.rank.number
    }
  }

  struct Race: NormalizedStorageType {
    struct Contents: StorageContents {
      var runners = Tables.Hash<Runner>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("runners", \.runners) }
    }

    var snapshot = Snapshot(Contents())
    var runners: Tables.Hash<Runner> { snapshot.contents.runners }
  }

  struct RaceState: StateType {
    var race = Race()
    var searchText = ""
  }

  @Test(
    "Of 1,000 queries that compare a field with a constant, a changed row evaluates those of its values"
  )
  func routed() {
    let count = 1_000
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<count).map { Item(id: $0, price: $0) }))
    let received = Recorder<[Int]>()
    let woken = Tally()
    let queries = (0..<count).map { price in
      store.query(FetchDescriptor<Item>(predicate: #Predicate { $0.price == price }), in: \.shop)
    }
    let subscriptions = queries.enumerated().map { price, query in
      query.sinkState(dropsFirst: true, queue: .passthrough) {
        received.record([price] + $0.primitive.map(\.id))
      }
    }
    let evaluated = queries.map { $0.derived(.map { _ in woken.add() }) }
      .map { $0.sinkState(dropsFirst: true, queue: .passthrough) { _ in } }
    store.put(Item(id: 5, price: 7))
    expectTrue(received.elements == [[5], [7, 5, 7]] || received.elements == [[5], [7, 7, 5]])
    // Once each for what was before, and for what is now.
    #expect(woken.count <= 4)
    store.put(Item(id: 5, name: "other", price: 7))
    expectEqual(received.count, 3)
    for step in 0..<50 { store.put(Item(id: 9, price: 100 + step)) }
    for price in [5, 7, 9, 100, 149] {
      let expected = store.shop.fetch(
        FetchDescriptor<Item>(predicate: #Predicate { $0.price == price }))
      expectEqual(Set(queries[price].value.map(\.id)), Set(expected.map(\.id)))
    }
    withExtendedLifetime((subscriptions, evaluated)) {}
  }

  @Test(
    "A query by a field that was not read during many commits examines only those that affect it")
  func sleeping() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 0, name: "a", price: 1)]))
    let comparisons = Tally()
    let query = store.query(
      FetchDescriptor<Item>(predicate: #Predicate { $0.name == "a" }), in: \.shop)
    let received = Recorder<[Int]>()
    let subscription = query.sinkState(queue: .passthrough) {
      received.record($0.primitive.map(\.id))
    }
    for id in 1...2_000 { store.put(Item(id: id, name: "b")) }
    Item.$comparisons.withValue(comparisons) { store.put(Item(id: 0, name: "c")) }
    expectEqual(received.elements, [[0], []])
    #expect(comparisons.count < 20)
    withExtendedLifetime(subscription) {}
  }

  /// Runners with the even ranks, in their order.
  private static func race(of count: Int) -> Store<RaceState, Never> {
    var state = RaceState()
    state.race.performBatchUpdates { context in
      context.modifying.runners.insert(
        (0..<count).map { Runner(id: $0, rank: Rank(number: $0 * 2)) })
    }
    return Store(initialState: state)
  }

  private static func byRank(_ store: Store<RaceState, Never>) -> LiveQuery<Runner> {
    store.query(FetchDescriptor(sortBy: [SortDescriptor(\.rank)]), in: \.race)
  }

  @Test("A sorted list of 100,000 costs few comparisons for one row, and none for a text field")
  func sortedList() {
    let count = 100_000
    let store = Self.race(of: count)
    let list = Self.byRank(store)
    let ids = list.derived(.map { $0.count })
    let received = Recorder<Int>()
    let subscription = list.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.primitive[0].id)
    }
    let lengths = ids.sinkState(queue: .passthrough) { _ in }
    let ranks = Tally()
    let rows = Tally()
    Rank.$comparisons.withValue(ranks) {
      Runner.$comparisons.withValue(rows) {
        store.commit { $0.searchText = "typing" }
        expectEqual(ranks.count, 0)
        expectEqual(rows.count, 0)
        store.commit { state in
          state.race.performBatchUpdates {
            _ = $0.modifying.runners.insert(Runner(id: 77_777, rank: Rank(number: -1)))
          }
        }
      }
    }
    expectEqual(received.elements, [77_777])
    // Two searches of 17 steps, a step at most two comparisons of ranks.
    #expect(ranks.count <= 80)
    #expect(rows.count <= 8)
    withExtendedLifetime((subscription, lengths)) {}
  }

  @Test("The difference of a list of 100,000 compares the rows that a commit changed")
  func differences() {
    let count = 100_000
    let store = Self.race(of: count)
    let list = Self.byRank(store)
    let received = Recorder<QueryDifference<Runner>>()
    let subscription = list.sinkDifferences(dropsFirst: true, queue: .passthrough) {
      received.record($0)
    }
    let ranks = Tally()
    let rows = Tally()
    Rank.$comparisons.withValue(ranks) {
      Runner.$comparisons.withValue(rows) {
        store.commit { state in
          state.race.performBatchUpdates { context in
            context.modifying.runners.insert(Runner(id: 77_777, rank: Rank(number: -1)))
            context.modifying.runners.insert(Runner(id: 5, rank: Rank(number: 11)))
            context.modifying.runners.remove(Runner.EntityID(9))
            context.modifying.runners.insert(Runner(id: count, rank: Rank(number: 21)))
          }
        }
      }
    }
    expectEqual(received.count, 1)
    expectEqual(received.last?.removed, [9])
    expectEqual(received.last?.inserted, [11])
    expectEqual(received.last?.moved.map(\.from), [77_777])
    expectEqual(received.last?.moved.map(\.to), [0])
    expectEqual(received.last?.updated, [0, 6])
    #expect(ranks.count <= 400)
    // Besides those four, the rows that share a page with one of them.
    #expect(rows.count <= 300)
    withExtendedLifetime(subscription) {}
  }
}
