import Dispatch
import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("Law 21: observers that fall behind")
struct BoundedDeliveryTests {
  struct Value: StateType {
    var count = 0
    var token: Token?

    static func == (lhs: Value, rhs: Value) -> Bool {
      lhs.count == rhs.count && lhs.token === rhs.token
    }
  }

  /// A queue whose observers are behind until they are allowed to catch up.
  final class SlowQueue: Sendable {
    let queue = DispatchQueue(label: "observers")

    init() { queue.suspend() }

    func catchUp() {
      queue.resume()
      queue.sync {}
      queue.suspend()
    }

    deinit { queue.resume() }
  }

  @Test("An observer that falls behind retains two versions, not one for each commit")
  func versions() {
    let slow = SlowQueue()
    let store = Store<Value, Never>(initialState: Value(), undoDepth: 0)
    let subscriptions = [
      store.sinkState(queue: .asyncSerialQueue(slow.queue)) { _ in },
      store.derived(.select(\.count)).sinkState(queue: .asyncSerialQueue(slow.queue)) { _ in },
    ]
    slow.catchUp()
    let tokens = (0..<1_000).map { count in
      let token = Token()
      store.commit { $0 = Value(count: count, token: token) }
      return Weak(token)
    }
    #expect(tokens.count { $0.token != nil } <= 2)
    slow.catchUp()
    withExtendedLifetime(subscriptions) {}
  }

  struct Weak {
    weak var token: Token?

    init(_ token: Token) { self.token = token }
  }

  @Test("Coalesced commits without a net change are not a change")
  func thereAndBack() {
    let slow = SlowQueue()
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<[Int?]>()
    let first = store.sinkState(queue: .asyncSerialQueue(slow.queue)) {
      received.record([$0.previous?.count, $0.count])
    }
    slow.catchUp()
    store.commit { $0.count = 1 }
    // It begins with 1, so the way back is a change for it.
    let second = store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(slow.queue)) {
      received.record([$0.previous?.count, $0.count, -1])
    }
    store.commit { $0.count = 0 }
    slow.catchUp()
    expectEqual(received.elements, [[nil, 0], [0, 1], [1, 0], [1, 0, -1]])
    store.commit { $0.count = 5 }
    store.commit { $0.count = 0 }
    slow.catchUp()
    expectEqual(received.count, 4)
    withExtendedLifetime((first, second)) {}
  }

  @Test("Rows and queries of an observer that falls behind are compared with its last call")
  func rows() {
    let slow = SlowQueue()
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, price: 1)]))
    let received = Recorder<String>()
    let query = FetchDescriptor<Item>(predicate: #Predicate { $0.price == 1 })
    let subscriptions = [
      store.entity(Item.EntityID(1), in: \.shop)
        .sinkState(dropsFirst: true, queue: .asyncSerialQueue(slow.queue)) {
          received.record("row \($0.previous?.primitive?.price ?? -1) \($0.primitive?.price ?? -1)")
        },
      store.query(query, in: \.shop)
        .sinkDifferences(dropsFirst: true, queue: .asyncSerialQueue(slow.queue)) {
          received.record("query \($0)")
        },
      store.count(query, in: \.shop)
        .sinkState(dropsFirst: true, queue: .asyncSerialQueue(slow.queue)) {
          received.record("count \($0.previous?.primitive ?? -1) \($0.primitive)")
        },
    ]
    slow.catchUp()
    for price in 2...9 { store.put(Item(id: 1, price: price)) }
    store.put(Item(id: 1, price: 1))
    slow.catchUp()
    expectEqual(received.elements, [])
    store.put(Item(id: 2, price: 1))
    store.put(Item(id: 3, price: 1))
    store.put(Item(id: 1, price: 4))
    store.drop(2)
    slow.catchUp()
    expectEqual(received.elements, ["row 1 4", "query removed [0], inserted [0], of 1"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A slow first call is followed by one for all commits meanwhile")
  func slowFirstCall() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<[Int?]>()
    let subscription = store.sinkState(queue: .passthrough) { state in
      received.record([state.previous?.count, state.count])
      if state.previous == nil {
        onAnotherThread { for count in 1...100 { store.commit { $0.count = count } } }
      }
    }
    expectEqual(received.elements, [[nil, 0], [0, 100]])
    withExtendedLifetime(subscription) {}
  }

  @Test("A commit delivers a bounded number of the commits of other threads")
  func boundedCommit() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<Int>()
    let own = Recorder<Int>()
    let thread = ObjectIdentifier(Thread.current)
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record(state.count)
      if ObjectIdentifier(Thread.current) == thread { own.record(state.count) }
      if state.count < 1_000 { onAnotherThread { store.commit { $0.count += 1 } } }
    }
    store.commit { $0.count = 1 }
    #expect(own.count < 20)
    expectTrue(eventually { received.last == 1_000 })
    expectEqual(received.elements, Array(1...1_000))
    // It keeps up again: called before `commit` returns, on its thread.
    expectTrue(
      eventually {
        store.commit { $0.count += 1 }
        return own.last == store.state.count
      })
    withExtendedLifetime(subscription) {}
  }

  @Test("A first delivery makes a bounded number of calls for the commits of other threads")
  func boundedFirstDelivery() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<Int>()
    let own = Recorder<Int>()
    let thread = ObjectIdentifier(Thread.current)
    let subscription = store.sinkState(queue: .passthrough) { state in
      received.record(state.count)
      if ObjectIdentifier(Thread.current) == thread { own.record(state.count) }
      if state.count < 1_000 { onAnotherThread { store.commit { $0.count += 1 } } }
    }
    #expect(own.count < 20)
    expectTrue(eventually { received.last == 1_000 })
    expectEqual(received.elements, Array(0...1_000))
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "At most one call a commit, from the value of the last call; activities in order, all of them",
    arguments: 0..<scaled(14))
  func law(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let slow = SlowQueue()
    let store = Store<ShopState, Int>(
      initialState: ShopState(items: [Item(id: 0, price: 0)]))
    var followers: [Follower] = []
    var activities: [Int] = []
    let received = Recorder<Int>()
    let listener = store.sinkActivity(queue: .asyncSerialQueue(slow.queue)) { received.record($0) }
    for step in 0..<200 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        let id = Int.random(in: 0..<3, using: &random)
        let before = store.state
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4: store.put(Item(id: id, price: .random(in: 0..<3, using: &random)))
        case 4..<7: store.drop(id)
        default: store.replace(id)
        }
        // Rows that are removed and inserted again leave the state equal, in another order.
        if !store.state.shop.items.elementsEqual(before.shop.items) {
          for index in followers.indices { followers[index].commits += 1 }
        }
      case 4:
        activities.append(step)
        store.send(step)
      case 5:
        followers.append(Follower(store, on: slow.queue, &random))
      case 6:
        if let index = followers.indices.randomElement(using: &random) {
          followers.remove(at: index)
        }
      default:
        slow.catchUp()
        for follower in followers {
          try #require(follower.problem(in: store.state) == nil, "seed \(seed), step \(step)")
        }
        try #require(received.elements == activities, "seed \(seed), step \(step)")
      }
    }
    withExtendedLifetime(listener) {}
  }

  /// An observer of one value, and what it received.
  struct Follower {
    let value: @Sendable (ShopState) -> String
    let received = Recorder<[String?]>()
    /// The value when it was added, if it does not receive that one.
    let baseline: String?
    let dropsFirst: Bool
    let subscription: StoreSubscription
    /// The commits since it was added that changed something.
    var commits = 0

    init(
      _ store: Store<ShopState, Int>, on queue: DispatchQueue, _ random: inout SeededGenerator
    ) {
      let received = received
      let dropsFirst = Bool.random(using: &random)
      func sink<Part>(
        _ value: Derived<Part>, _ text: @escaping @Sendable (Part) -> String
      ) -> StoreSubscription {
        value.sinkState(dropsFirst: dropsFirst, queue: .asyncSerialQueue(queue)) {
          received.record([$0.previous.map { text($0.primitive) }, text($0.primitive)])
        }
      }
      let all = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.price)])
      let routed = FetchDescriptor<Item>(predicate: #Predicate { $0.price == 1 })
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        value = { Self.text($0.shop.items.find(by: Item.EntityID(1)).map { [$0] } ?? []) }
        subscription = sink(store.entity(Item.EntityID(1), in: \.shop)) {
          Self.text($0.map { [$0] } ?? [])
        }
      case 1:
        value = { Self.text($0.shop.fetch(all)) }
        subscription = sink(store.query(all, in: \.shop).derived(.map { $0 }), Self.text)
      case 2:
        value = { Self.text($0.shop.fetch(routed)) }
        subscription = store.query(routed, in: \.shop)
          .sinkState(dropsFirst: dropsFirst, queue: .asyncSerialQueue(queue)) {
            received.record([
              $0.previous.map { Self.text($0.primitive) }, Self.text($0.primitive),
            ])
          }
      case 3:
        value = { "\($0.shop.fetchCount(routed))" }
        subscription = sink(store.count(routed, in: \.shop)) { "\($0)" }
      case 4:
        // Rows that are removed and inserted again are the last ones of the table.
        let unsorted = FetchDescriptor<Item>()
        value = { Self.text($0.shop.fetch(unsorted)) }
        subscription = sink(store.query(unsorted, in: \.shop).derived(.map { $0 }), Self.text)
      case 5:
        var first = FetchDescriptor<Item>(predicate: #Predicate { $0.price != 1 })
        first.fetchLimit = 1
        value = { [first] in Self.text($0.shop.fetch(first)) }
        subscription = sink(store.query(first, in: \.shop).derived(.map { $0 }), Self.text)
      default:
        // The order of a hash table is no part of its equality.
        let content: @Sendable (ShopState) -> String = { state in
          Self.text(state.shop.items.sorted { $0.id < $1.id })
        }
        value = content
        subscription = store.sinkState(
          dropsFirst: dropsFirst, queue: .asyncSerialQueue(queue)
        ) { received.record([$0.previous.map { content($0.primitive) }, content($0.primitive)]) }
      }
      self.dropsFirst = dropsFirst
      baseline = dropsFirst ? value(store.state) : nil
    }

    private static func text(_ items: [Item]) -> String {
      items.map { "\($0.id):\($0.price)" }.joined(separator: " ")
    }

    /// What breaks the law once the observer has caught up.
    func problem(in state: ShopState) -> String? {
      var last = baseline
      let calls = received.elements
      if calls.count > commits + (dropsFirst ? 0 : 1) { return "\(calls.count) calls" }
      for call in calls {
        if call[0] != last { return "previous is \(call[0] ?? "nil"), not \(last ?? "nil")" }
        if call[0] == call[1] { return "no change of \(call[1] ?? "nil")" }
        last = call[1]
      }
      return last == value(state) ? nil : "ends with \(last ?? "nil"), not \(value(state))"
    }
  }

  @Test("An observer that commits in its first call stays on the committing thread")
  func committingFirstCall() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { state in
      received.record(state.count)
      if state.count < 20 { store.commit { $0.count += 1 } }
    }
    expectEqual(received.elements, Array(0...20))
    store.commit { $0.count = 100 }
    expectEqual(received.elements, Array(0...20) + [100])
    let parts = Recorder<Int>()
    let part = store.derived(.select(\.count)).sinkState(queue: .passthrough) { change in
      parts.record(change.primitive)
      if change.primitive < 110 { store.commit { $0.count += 1 } }
    }
    expectEqual(parts.elements, Array(100...110))
    store.commit { $0.count = 200 }
    expectTrue(parts.last == 200 && received.last == 200)
    withExtendedLifetime((subscription, part)) {}
  }

  @Test("Its own commits between those of other threads do not use up a first call's share")
  func mixedFirstCall() {
    let store = Store<Value, Never>(initialState: Value())
    let own = Recorder<Int>()
    let thread = ObjectIdentifier(Thread.current)
    let subscription = store.sinkState(queue: .passthrough) { state in
      if ObjectIdentifier(Thread.current) == thread { own.record(state.count) }
      if state.count >= 20 { return }
      if state.count % 10 == 5 {
        onAnotherThread { store.commit { $0.count += 1 } }
      } else {
        store.commit { $0.count += 1 }
      }
    }
    expectEqual(own.elements, Array(0...20))
    store.commit { $0.count = 100 }
    expectEqual(own.last, 100)
    withExtendedLifetime(subscription) {}
  }
}
