import EntiaDatabase
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaStore

@Suite("Law 27: tracked reads that have been notified are released")
struct TrackedReadsTests {
  private func track<Value>(_ notified: Tally, _ read: () -> Value) -> Value {
    withObservationTracking(read) { notified.add() }
  }

  /// How many observers of changes a store has, those of rows included.
  private func observers<State, Activity>(of store: Store<State, Activity>) -> Int {
    store.core.broadcaster.contents.withLock { $0.delivery.observerCount }
  }

  private static func shop() -> Store<ShopState, Never> {
    Store(initialState: ShopState(items: (0..<9).map { Item(id: $0, price: $0) }))
  }

  @Test("1,000 tracked values that were released are computed at no commit after their change")
  func derivedValues() {
    let store = Self.shop()
    let (notified, computed) = (Tally(), Tally())
    for _ in 0..<1_000 {
      _ = track(notified) {
        store.derived(
          .map { state in
            computed.add()
            return state.searchText
          }
        ).value
      }
    }
    store.commit { $0.searchText = "a" }
    expectEqual(notified.count, 1_000)
    let before = computed.count
    store.commit { $0.searchText = "b" }
    expectEqual(computed.count, before)
    expectEqual(observers(of: store), 0)
  }

  @Test("Law 20: predicates that read other variables of nested closures share no result")
  func nestedVariables() {
    let store = Self.shop()
    let groups = [[1], [2]]
    let first = store.query(
      FetchDescriptor<Item>(
        predicate: #Predicate { item in
          groups.contains { x in groups.contains { y in x.contains(item.price) && y.isEmpty } }
        }), in: \.shop)
    let second = store.query(
      FetchDescriptor<Item>(
        predicate: #Predicate { item in
          groups.contains { x in groups.contains { y in y.contains(item.price) && x.isEmpty } }
        }), in: \.shop)
    let third = store.query(
      FetchDescriptor<Item>(
        predicate: #Predicate { item in
          groups.contains { x in groups.contains { y in y.contains(item.price) && x.isEmpty } }
        }), in: \.shop)
    expectTrue(first.source !== second.source)
    expectTrue(third.source === second.source)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("1,000 tracked queries that were released are updated at no commit after their change")
  func queries() {
    let store = Self.shop()
    let (notified, examined) = (Tally(), Tally())
    for _ in 0..<1_000 {
      _ = track(notified) {
        store.query(
          FetchDescriptor<Item> { item in
            examined.add()
            return item.price > 3
          }, in: \.shop
        ).value
      }
    }
    store.put(Item(id: 1, price: 8))
    expectEqual(notified.count, 1_000)
    let before = examined.count
    store.put(Item(id: 1, price: 9))
    expectEqual(examined.count, before)
    expectEqual(observers(of: store), 0)
  }

  @Test("Rows are listed until the first change that a tracking was notified of")
  func rows() {
    let store = Self.shop()
    let notified = Tally()
    let rows = store.core.observation.rows
    for id in 0..<9 {
      for _ in 0..<10 { _ = track(notified) { store.entity(Item.EntityID(id), in: \.shop).value } }
    }
    expectEqual(rows.count, 9)
    store.commit { $0.searchText = "other" }
    expectEqual(rows.count, 9)
    for id in 0..<9 { store.put(Item(id: id, price: 100)) }
    expectEqual(notified.count, 90)
    expectEqual(rows.count, 0)
  }

  @Test("A row that a table of a store looks up is tracked alone")
  func foundRows() {
    let store = Self.shop()
    let items = store.table(Item.self, in: \.shop)
    let (notified, missing) = (Tally(), Tally())
    expectEqual(track(notified) { items.find(by: 1) }?.price, 1)
    expectNil(track(missing) { items.find(by: 100) })
    store.put(Item(id: 2, price: 20))
    store.commit { $0.searchText = "other" }
    expectTrue(notified.count == 0 && missing.count == 0)
    store.put(Item(id: 1, price: 10))
    store.put(Item(id: 100))
    expectTrue(notified.count == 1 && missing.count == 1)
    expectTrue(items.find(by: 1)?.price == 10 && store.core.observation.rows.count == 0)
  }

  @Test("A change before the tracking is installed does not count")
  func beforeInstallation() {
    let store = Self.shop()
    let notified = Tally()
    track(notified) {
      _ = store.derived(.map { $0.searchText }).value
      _ = store.query(FetchDescriptor<Item> { $0.price > 3 }, in: \.shop).value
      _ = store.entity(Item.EntityID(8), in: \.shop).value
      onAnotherThread {
        for price in 10...12 {
          store.put(Item(id: 8, price: price))
          store.commit { $0.searchText += "x" }
        }
      }
    }
    expectEqual(notified.count, 0)
    expectEqual(observers(of: store), 2)
    expectEqual(store.core.observation.rows.count, 1)
    store.commit { $0.searchText += "x" }
    expectEqual(notified.count, 1)
    // The tracking has ended for all that it read.
    store.put(Item(id: 8, price: 13))
    store.commit { $0.searchText += "x" }
    expectEqual(notified.count, 1)
    expectEqual(observers(of: store), 0)
    expectEqual(store.core.observation.rows.count, 0)
  }

  @Test("Pending reads are notified after others of the same value have been")
  func stillWaiting() {
    let store = Self.shop()
    let (first, second) = (Tally(), Tally())
    let held = store.derived(.select(\.searchText))
    _ = track(first) { (held.value, store.other.items.count) }
    _ = track(second) { held.value }
    store.commit { state in
      state.other.performBatchUpdates { _ = $0.modifying.items.insert(Item(id: 1)) }
    }
    expectEqual(first.count, 1)
    store.commit { $0.searchText = "a" }
    expectEqual(first.count, 1)
    expectEqual(second.count, 1)
    _ = track(second) { held.value }
    store.commit { $0.searchText = "b" }
    expectEqual(second.count, 2)
  }

  @Test("A tracking that ended because of another value leaves few values behind")
  func endedElsewhere() {
    let store = Self.shop()
    let (notified, computed) = (Tally(), Tally())
    for number in 0..<1_000 {
      _ = track(notified) {
        _ = store.searchText
        _ = store.entity(Item.EntityID(number), in: \.shop).value
        return store.derived(
          .map { state in
            computed.add()
            return state.shop.items.count
          }
        ).value
      }
      store.commit { $0.searchText += "x" }
    }
    expectEqual(notified.count, 1_000)
    #expect(observers(of: store) <= 32)
    #expect(store.core.observation.rows.count <= 32)
    let before = computed.count
    store.commit { $0.searchText = "" }
    #expect(computed.count <= before + 32)
  }

  @Test("Reading one definition again and again leaves one entry")
  func sameDefinition() {
    let store = Self.shop()
    let notified = Tally()
    let held = store.derived(.map { $0.searchText.count })
    func observed(_ name: String, _ read: () -> Void) {
      let before = observers(of: store)
      for _ in 0..<1_000 { track(notified, read) }
      #expect(observers(of: store) <= before + 1, "\(name)")
    }
    observed("held value") { _ = held.value }
    observed("path") { _ = store.derived(.select(\.searchText)).value }
    observed("row") { _ = store.entity(Item.EntityID(1), in: \.shop).value }
    observed("rows") { _ = store.entities([Item.EntityID(1), 2], in: \.shop).value }
    observed("query") { _ = store.query(FetchDescriptor<Item>(), in: \.shop).value }
    observed("sorted query") {
      _ =
        store.query(
          FetchDescriptor<Item>(
            predicate: #Predicate { $0.price > 3 && $0.name.contains("a") },
            sortBy: [SortDescriptor(\.name)], fetchLimit: 3), in: \.shop
        ).value
    }
    let price = notified.count
    observed("captured value") {
      _ =
        store.query(
          FetchDescriptor<Item>(predicate: #Predicate { $0.price == price }), in: \.shop
        ).value
    }
    observed("count") { _ = store.count(FetchDescriptor<Item>(), in: \.shop).value }
    observed("groups") {
      _ = store.query(FetchDescriptor<Item>(), in: \.shop).grouped(by: \.price).value
    }
    observed("sections") {
      _ = store.query(FetchDescriptor<Item>(), in: \.shop).sections(by: \.price).value
    }
    expectEqual(store.core.observation.rows.count, 2)
    expectEqual(notified.count, 0)
  }

  @Test("Reading one relationship again and again leaves one entry")
  func sameRelationship() throws {
    let store = Store<_, Never>(initialState: try Reading.State.sample())
    let notified = Tally()
    for _ in 0..<1_000 {
      _ = track(notified) {
        store.related(Reading.Book.EntityID(1), \.bookAuthor, in: \.library).value
      }
      _ = track(notified) {
        store.related(Reading.Author.EntityID(1), inverse: \.bookAuthor, in: \.library).value
      }
    }
    expectEqual(observers(of: store), 2)
    store.commit { $0.searchText = "x" }
    expectEqual(notified.count, 0)
    try store.commit { state in
      try state.library.performBatchUpdates {
        $0.modifying.authors.updateIfExists(id: 1) { $0.name = "Bea" }
      }
    }
    expectEqual(notified.count, 1_000)
    expectEqual(observers(of: store), 1)
  }

  @Test("Different queries have separate results")
  func differentDefinitions() {
    let store = Self.shop()
    var queries: [LiveQuery<Item>] = []
    var descriptors: [FetchDescriptor<Item>] = []
    struct Limit: Codable, Equatable, Sendable {
      var price: Int

      // Equal whatever the price, which the predicate reads.
      static func == (lhs: Limit, rhs: Limit) -> Bool { true }
    }
    for price in 0..<3 {
      let limit = Limit(price: price)
      descriptors += [
        FetchDescriptor(predicate: #Predicate { $0.price == price }),
        FetchDescriptor(predicate: #Predicate { $0.price > price }),
        FetchDescriptor(predicate: #Predicate { $0.price != price }),
        FetchDescriptor(predicate: #Predicate { $0.price == limit.price }),
        FetchDescriptor(sortBy: [SortDescriptor(\.price, order: .reverse)], fetchLimit: price),
        FetchDescriptor(fetchLimit: 3, fetchOffset: price),
        FetchDescriptor { $0.price == price },
      ]
    }
    queries = descriptors.map { store.query($0, in: \.shop) }
    for (query, descriptor) in zip(queries, descriptors) {
      expectEqual(query.value, store.shop.fetch(descriptor))
    }
    expectEqual(store.query(FetchDescriptor<Item>(), in: \.other).value, [])
    withExtendedLifetime(queries) {}
  }

  @Test("A read between commits that lead back to the value before it is notified")
  func readInBetween() {
    let store = Self.shop()
    let notified = Tally()
    let held = store.derived(.select(\.searchText))
    let row = store.query(
      FetchDescriptor<Item>(predicate: #Predicate { $0.price == 100 }), in: \.shop)
    _ = withObservationTracking {
      (held.value, row.value)
    } onChange: {
    }
    // While this observer is called, the commits below wait for the passthrough observers.
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      guard state.previous?.other.items.count == 0 else { return }
      onAnotherThread {
        store.commit { $0.searchText = "x" }
        store.put(Item(id: 1, price: 100))
        expectEqual(track(notified) { held.value }, "x")
        expectEqual(track(notified) { row.value.count }, 1)
        store.commit { $0.searchText = "" }
        store.put(Item(id: 1, price: 1))
      }
    }
    store.commit { state in
      state.other.performBatchUpdates { _ = $0.modifying.items.insert(Item(id: 1)) }
    }
    expectTrue(eventually { notified.count == 2 })
    withExtendedLifetime(subscription) {}
  }

  @Test("Parts read by key paths that differ are released too")
  func parts() {
    struct Numbers: StateType { var all = Array(repeating: 0, count: 2_000) }
    let store = Store<Numbers, Never>(initialState: Numbers())
    let notified = Tally()
    for index in 0..<1_000 {
      _ = track(notified) { store[dynamicMember: \.all[index]] }
      store.commit { $0.all[index] = 1 }
    }
    expectEqual(notified.count, 1_000)
    #expect(store.core.observation.partCount <= 32)
  }

  /// An argument of a key path that counts comparisons.
  private struct Numbered: Hashable, Sendable {
    static let comparisons = Tally()
    let number: Int

    static func == (a: Self, b: Self) -> Bool {
      comparisons.add()
      return a.number == b.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct Doubling: StateType {
    var factor = 2
    subscript(number: Numbered) -> Int { factor * number.number }
  }

  @Test("A tracked read of a part is not compared with the other parts, which are all notified")
  func partsAreFoundByHash() {
    let store = Store<Doubling, Never>(initialState: Doubling())
    let notified = Tally()
    for _ in 0..<2 {
      for number in 0..<500 {
        let value = track(notified) { store[dynamicMember: \.[Numbered(number: number)]] }
        expectEqual(value, 2 * number)
      }
    }
    #expect(Numbered.comparisons.count <= 2_000)
    expectEqual(store.core.observation.partCount, 500)
    store.commit { $0.factor = 3 }
    // The product of 0 is unchanged.
    expectEqual(notified.count, 2 * 499)
  }
}
