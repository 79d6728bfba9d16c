import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Observing entities")
struct EntityTests {
  @Test("Law 22: of very many observers of entities, a commit of one row evaluates and calls one")
  func onlyWhatChanged() {
    let count = shortened(100_000)
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<count).map { Item(id: $0) }))
    let received = Recorder<Item?>()
    let subscriptions = (0..<count).map { id in
      store.entity(Item.EntityID(id), in: \.shop)
        .sinkState(dropsFirst: true, queue: .passthrough) { received.record($0.primitive) }
    }
    let comparisons = Tally()
    Item.$comparisons.withValue(comparisons) {
      store.put(Item(id: 7, name: "seven"))
      store.commit { $0.searchText = "nothing of theirs" }
      store.put(Item(id: 7, name: "seven"))
    }
    expectEqual(received.elements, [Item(id: 7, name: "seven")])
    #expect(comparisons.count < 20)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("The insertion, removal and second insertion of a missing entity are observed")
  func misses() {
    let store = Store<_, Never>(initialState: ShopState())
    let item = store.entity(Item.EntityID(1), in: \.shop)
    let received = Recorder<Item?>()
    let subscription = item.sinkState(queue: .passthrough) { received.record($0.primitive) }
    store.put(Item(id: 2))
    store.put(Item(id: 1))
    store.drop(1)
    store.put(Item(id: 1, name: "back"))
    expectEqual(received.elements, [nil, Item(id: 1), nil, Item(id: 1, name: "back")])
    expectEqual(item.value, Item(id: 1, name: "back"))
    withExtendedLifetime(subscription) {}
  }

  @Test("Several entities are returned in the order of their IDs, and notified once a commit")
  func several() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1), Item(id: 2)]))
    let items = store.entities([3, 2, 1].map { Item.EntityID($0) }, in: \.shop)
    let received = Recorder<[Int]>()
    let subscription = items.sinkState(queue: .passthrough) { change in
      received.record(change.primitive.map(\.id))
    }
    store.put(Item(id: 3), Item(id: 1, name: "one"))
    store.put(Item(id: 4))
    store.drop(2)
    expectEqual(received.elements, [[2, 1], [3, 2, 1], [3, 1]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Two databases of one type in one state are kept apart")
  func databases() {
    let store = Store<_, Never>(initialState: ShopState())
    let received = Recorder<Item?>()
    let subscription = store.entity(Item.EntityID(1), in: \.other)
      .sinkState(dropsFirst: true, queue: .passthrough) { received.record($0.primitive) }
    store.put(Item(id: 1))
    expectTrue(received.elements.isEmpty)
    store.commit { state in
      state.other.performBatchUpdates { _ = $0.modifying.items.insert(Item(id: 1)) }
    }
    expectEqual(received.elements, [Item(id: 1)])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 27: the end of a subscription releases its closure, and others continue")
  func ending() {
    let store = Store<_, Never>(initialState: ShopState())
    let first = Recorder<Item?>()
    let second = Recorder<Item?>()
    let item = store.entity(Item.EntityID(1), in: \.shop)
    weak var watched: Token?
    var ending: StoreSubscription?
    do {
      let token = Token()
      watched = token
      ending = item.sinkState(dropsFirst: true, queue: .passthrough) { change in
        first.record(change.primitive)
        withExtendedLifetime(token) {}
      }
    }
    let staying = item.sinkState(dropsFirst: true, queue: .passthrough) {
      second.record($0.primitive)
    }
    store.put(Item(id: 1))
    expectTrue(watched != nil)
    ending = nil
    expectNil(watched)
    store.put(Item(id: 1, name: "later"))
    expectEqual(first.count, 1)
    expectEqual(second.count, 2)
    withExtendedLifetime((ending, staying)) {}
  }

  @Test("A value derived from an entity is updated with it")
  func chained() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, name: "a")]))
    let name = store.entity(Item.EntityID(1), in: \.shop).derived(.map { $0?.name })
    let received = Recorder<String?>()
    let subscription = name.sinkState(queue: .passthrough) { received.record($0.primitive) }
    store.put(Item(id: 1, name: "a", price: 3))
    store.put(Item(id: 1, name: "b"))
    expectEqual(received.elements, ["a", "b"])
    expectEqual(name.value, "b")
    withExtendedLifetime(subscription) {}
  }

  @MainActor
  @Test("An observer on the main actor is called there")
  func mainActor() async {
    let store = Store<_, Never>(initialState: ShopState())
    let received = Recorder<Item?>()
    let subscription = store.entity(Item.EntityID(1), in: \.shop)
      .sinkState { received.record($0.primitive) }
    store.put(Item(id: 1))
    expectEqual(received.elements, [nil, Item(id: 1)])
    await withCheckedContinuation { continuation in
      let later = store.entity(Item.EntityID(1), in: \.shop)
        .sinkState(queue: .asyncMain) { change in
          received.record(change.primitive)
          if change.primitive?.name == "end" { continuation.resume() }
        }
      store.put(Item(id: 1, name: "end"))
      later.storeWhileSourceActive()
    }
    expectEqual(received.last, Item(id: 1, name: "end"))
    withExtendedLifetime(subscription) {}
  }
}
