import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("The laws of a store, over random histories")
struct StoreLawTests {
  /// Everything that follows a database, each beside what it must be.
  struct Followers {
    typealias Check = @Sendable (ShopState) -> Bool

    let store: Store<ShopState, Never>
    let checks: [(name: String, isRight: Check, received: Recorder<Bool>)]
    let subscriptions: [StoreSubscription]

    init(_ store: Store<ShopState, Never>) {
      self.store = store
      var checks: [(String, Check, Recorder<Bool>)] = []
      var subscriptions: [StoreSubscription] = []
      func follow<Value: Equatable & Sendable>(
        _ name: String, _ value: Derived<Value>,
        _ expected: @escaping @Sendable (ShopState) -> Value
      ) {
        let last = Recorder<Value>()
        let received = Recorder<Bool>()
        subscriptions.append(
          value.sinkState(queue: .passthrough) { change in
            // Law 21: nobody is notified what he received before.
            received.record(last.last != change.primitive)
            last.record(change.primitive)
          })
        checks.append(
          (name, { value.value == expected($0) && last.last == expected($0) }, received))
      }
      let one = Item.EntityID(1)
      let items = store.query(FetchDescriptor<Item>(), in: \.shop)
      let cheap = FetchDescriptor<Item>(
        predicate: #Predicate { $0.price == 1 }, sortBy: [SortDescriptor(\.name)])
      let count = store.count(FetchDescriptor<Item> { $0.price > 2 }, in: \.shop)
      follow("entity", store.entity(one, in: \.shop)) { $0.shop.items.find(by: one) }
      follow("query", items.derived(.map { $0 })) { Array($0.shop.items) }
      follow("routed", store.query(cheap, in: \.shop).derived(.map { $0 })) {
        $0.shop.fetch(cheap)
      }
      follow("count", count) { $0.shop.items.count { $0.price > 2 } }
      follow("groups", items.grouped(by: \.price).derived(.map { $0.map(\.entities) })) {
        $0.shop.fetchGrouped(FetchDescriptor<Item>(), by: \.price).map(\.entities)
      }
      follow(
        "combined",
        Derived.combined(count, store.entity(one, in: \.shop)) { "\($0) \($1?.name ?? "")" }
      ) { state in
        "\(state.shop.items.count { $0.price > 2 }) \(state.shop.items.find(by: one)?.name ?? "")"
      }
      self.checks = checks
      self.subscriptions = subscriptions
    }

    func verify(_ place: String) throws {
      let state = store.state
      for check in checks {
        try #require(check.isRight(state), "\(check.name), \(place)")
        try #require(
          check.received.elements.allSatisfy { $0 }, "\(check.name) told again, \(place)")
      }
    }
  }

  private static func items(_ random: inout SeededGenerator) -> [Item] {
    (0..<6).map { id in
      Item(
        id: id, name: ["a", "b", "c"].randomElement(using: &random) ?? "",
        price: .random(in: 0..<4, using: &random))
    }
  }

  @Test(
    "Law 20: everything that follows equals its recomputation under the four-phase walk",
    arguments: 0..<scaled(7))
  func fourPhases(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let all = Self.items(&random)
    let store = Store<_, Never>(initialState: ShopState(items: all))
    let followers = Followers(store)
    try followers.verify("seed \(seed), at first")
    for id in all.map(\.id).shuffled(using: &random) {
      store.drop(id)
      try followers.verify("seed \(seed), removed \(id)")
    }
    for item in all.shuffled(using: &random) {
      store.put(item)
      try followers.verify("seed \(seed), added \(item.id) back")
    }
    for item in all.shuffled(using: &random) {
      var edited = item
      edited.price = .random(in: 0..<4, using: &random)
      edited.name = ["a", "b", "c"].randomElement(using: &random) ?? ""
      store.put(edited)
      try followers.verify("seed \(seed), edited \(item.id)")
    }
    for item in all.shuffled(using: &random) {
      store.put(item)
      try followers.verify("seed \(seed), edited \(item.id) back")
    }
  }

  @Test("Law 25: undo and redo restore the values of all observers", arguments: 0..<scaled(7))
  func undo(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<_, Never>(initialState: ShopState(items: Self.items(&random)))
    let followers = Followers(store)
    var states = [store.state]
    for _ in 0..<12 {
      let item = Self.items(&random).randomElement(using: &random)
      if let item, Bool.random(using: &random) {
        store.put(item)
      } else {
        store.drop(item?.id ?? 0)
      }
      if store.state != states.last { states.append(store.state) }
    }
    for state in states.dropLast().reversed() {
      expectTrue(store.undo())
      expectEqual(store.state, state, "seed \(seed)")
      try followers.verify("seed \(seed), undone")
    }
    for state in states.dropFirst() {
      expectTrue(store.redo())
      expectEqual(store.state, state, "seed \(seed)")
      try followers.verify("seed \(seed), redone")
    }
  }

  @Test("Law 22: unrelated rows and subscribers add no work", arguments: 0..<scaled(2))
  func bounded(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func work(rows: Int, observers: Int) -> (comparisons: Int, calls: Int) {
      let store = Store<_, Never>(
        initialState: ShopState(items: (0..<rows).map { Item(id: $0, price: $0) }))
      let calls = Tally()
      let subscriptions = (1..<observers + 1).map { id in
        let receive: @Sendable () -> Void = { calls.add() }
        return id.isMultiple(of: 2)
          ? store.entity(Item.EntityID(id), in: \.shop)
            .sinkState(dropsFirst: true, queue: .passthrough) { _ in receive() }
          : store.query(FetchDescriptor<Item>(predicate: #Predicate { $0.price == id }), in: \.shop)
            .sinkState(dropsFirst: true, queue: .passthrough) { _ in receive() }
      }
      let comparisons = Tally()
      Item.$comparisons.withValue(comparisons) {
        store.put(Item(id: 0, name: "new"))
        store.commit { $0.searchText = "x" }
      }
      withExtendedLifetime(subscriptions) {}
      return (comparisons.count, calls.count)
    }
    let few = work(rows: 200, observers: 10)
    let many = work(rows: Int.random(in: 1_000..<3_000, using: &random), observers: 900)
    expectEqual(few.calls, 0)
    expectEqual(many.calls, 0)
    #expect(many.comparisons <= few.comparisons)
  }

  @Test("Law 24: observers that commit, subscribe and cancel at random", arguments: 0..<scaled(7))
  func reentrance(seed: Int) {
    let random = Mutex(SeededGenerator(seed: UInt64(seed)))
    let store = Store<Int, Never>(initialState: 0)
    let kept = Mutex<[StoreSubscription]>([])
    let received = Recorder<Int>()
    let witness = store.sinkState(queue: .passthrough) { received.record($0.primitive) }
    @Sendable func act(_ state: Int) {
      guard state < 200 else { return }
      switch random.withLock({ Int.random(in: 0..<5, using: &$0) }) {
      case 0: store.commit { $0 += 1 }
      case 1:
        store.commit { $0 += 1 }
        store.commit { $0 += 1 }
      case 2:
        let new = store.sinkState(dropsFirst: true, queue: .passthrough) { act($0.primitive) }
        kept.withLock { $0.append(new) }
      case 3:
        let dropped = kept.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        dropped?.cancel()
      default: #expect(store.state >= state)
      }
    }
    for _ in 0..<50 {
      act(store.state)
      store.commit { $0 += 1 }
    }
    let states = received.elements
    expectEqual(states.last, store.state, "seed \(seed)")
    expectTrue(zip(states, states.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    let dropped = kept.withLock { $0 }
    for subscription in dropped { subscription.cancel() }
    withExtendedLifetime(witness) {}
  }

  /// A value that several threads may touch, one at a time.
  ///
  /// Sendable although it holds a `var`: every access goes through the lock.
  private final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      lock.withLock { body(&value) }
    }
  }
}
