import Dispatch
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 27: nothing outlives its last owner")
struct LifetimeTests {
  struct Value: StateType { var count = 0 }

  /// A state that shows when it is released.
  struct Watched: Sendable {
    var count = 0
    var token: Token?
  }

  @Test("A released subscription ends and releases its closure")
  func releasedSubscription() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<Int>()
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      var subscription: StoreSubscription? = store.sinkState(queue: .passthrough) { state in
        withExtendedLifetime(strong) { received.record(state.count) }
      }
      expectTrue(subscription != nil)
      subscription = nil
    }
    expectNil(token)
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [0])
  }

  @Test("A canceled subscription releases its closure while it is retained")
  func canceledSubscription() {
    let store = Store<Value, String>(initialState: Value())
    weak var token: Token?
    let subscriptions = {
      let strong = Token()
      token = strong
      return [
        store.sinkState(queue: .passthrough) { _ in withExtendedLifetime(strong) {} },
        store.sinkActivity(queue: .passthrough) { _ in withExtendedLifetime(strong) {} },
        store.derived(.select(\.count)).sinkState(queue: .passthrough) { _ in
          withExtendedLifetime(strong) {}
        },
      ]
    }()
    expectTrue(token != nil)
    for subscription in subscriptions { subscription.cancel() }
    expectNil(token)
  }

  @Test("storeWhileSourceActive retains a subscription until the release of the store")
  func storedSubscription() {
    weak var token: Token?
    weak var weakStore: Store<Value, Never>?
    let received = Recorder<Int>()
    do {
      let store = Store<Value, Never>(initialState: Value())
      weakStore = store
      let strong = Token()
      token = strong
      store.sinkState(queue: .passthrough) { state in
        withExtendedLifetime(strong) { received.record(state.count) }
      }.storeWhileSourceActive()
      store.commit { $0.count = 1 }
      expectEqual(received.elements, [0, 1])
    }
    expectNil(weakStore)
    expectNil(token)
  }

  @Test("A stored subscription can be canceled")
  func cancelingStored() {
    let store = Store<Value, Never>(initialState: Value())
    weak var token: Token?
    weak var weakSubscription: StoreSubscription?
    do {
      let strong = Token()
      token = strong
      let subscription = store.sinkState(queue: .passthrough) { _ in
        withExtendedLifetime(strong) {}
      }.storeWhileSourceActive()
      weakSubscription = subscription
      subscription.cancel()
    }
    expectNil(token)
    expectNil(weakSubscription)
  }

  @Test("A subscription does not keep the store or its state alive")
  func subscriptionHoldsNothing() {
    weak var token: Token?
    weak var weakStore: Store<Watched, Never>?
    let subscription = {
      let store = Store<Watched, Never>(initialState: Watched())
      weakStore = store
      let strong = Token()
      token = strong
      store.commit { $0.token = strong }
      return store.sinkState(queue: .passthrough) { _ in }
    }()
    expectNil(weakStore)
    expectNil(token)
    subscription.cancel()
  }

  @Test("A store that its observer retains is released when the subscription ends")
  func cycle() {
    weak var weakStore: Store<Value, Never>?
    do {
      let store = Store<Value, Never>(initialState: Value())
      weakStore = store
      let subscription = store.sinkState(queue: .passthrough) { _ in
        withExtendedLifetime(store) {}
      }.storeWhileSourceActive()
      subscription.cancel()
    }
    expectNil(weakStore)
  }

  @Test("A derived value and its derivation are freed with their last owner")
  func derivedValue() {
    let store = Store<Value, Never>(initialState: Value())
    weak var token: Token?
    weak var weakDerived: Derived<Int>?
    do {
      let strong = Token()
      token = strong
      let derived = store.derived(.map { state in withExtendedLifetime(strong) { state.count } })
      weakDerived = derived
      expectEqual(derived.value, 0)
    }
    expectNil(weakDerived)
    expectNil(token)
  }

  @Test("A subscription retains a derived value, and releases it when it ends")
  func derivedSubscription() {
    let store = Store<Value, Never>(initialState: Value())
    let received = Recorder<String>()
    weak var token: Token?
    var subscription: StoreSubscription? = {
      let strong = Token()
      token = strong
      return
        store
        .derived(.map { state in withExtendedLifetime(strong) { state.count } })
        .derived(.map { "\($0)" })
        .sinkState(queue: .passthrough) { received.record($0.primitive) }
    }()
    store.commit { $0.count = 1 }
    expectEqual(received.elements, ["0", "1"])
    expectTrue(token != nil)
    expectTrue(subscription != nil)
    subscription = nil
    expectNil(token)
  }

  @Test("A stored subscription to a derived value is released with the store")
  func storedDerivedSubscription() {
    weak var token: Token?
    do {
      let store = Store<Value, Never>(initialState: Value())
      let strong = Token()
      token = strong
      let received = Recorder<Int>()
      store.derived(.map { state in withExtendedLifetime(strong) { state.count } })
        .sinkState(queue: .passthrough) { received.record($0.primitive) }
        .storeWhileSourceActive()
      store.commit { $0.count = 1 }
      expectEqual(received.elements, [0, 1])
    }
    expectNil(token)
  }

  @Test("A derived value outlives the store with its last value")
  func derivedOutlives() {
    let derived = {
      let store = Store<Value, Never>(initialState: Value())
      store.commit { $0.count = 3 }
      return store.derived(.select(\.count))
    }()
    expectEqual(derived.value, 3)
    let received = Recorder<Int>()
    let subscription = derived.sinkState(queue: .passthrough) { received.record($0.primitive) }
      .storeWhileSourceActive()
    expectEqual(received.elements, [3])
    subscription.cancel()
  }

  @Test("Subscriptions to a value of a released store are released")
  func lateSubscription() {
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      let derived = Store<Value, Never>(initialState: Value()).derived(
        .map { state in withExtendedLifetime(strong) { state.count } })
      derived.sinkState(queue: .passthrough) { _ in }.storeWhileSourceActive()
    }
    expectNil(token)
  }

  @Test("Old states are released when no observer has to be notified of them")
  func oldStates() {
    // What can be undone is kept, too, so nothing can be here.
    let store = Store<Watched, Never>(initialState: Watched(), undoDepth: 0)
    let subscription = store.sinkState(queue: .passthrough) { _ in }
    let derived = store.derived(.select(\.count))
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      store.commit { $0.token = strong }
      expectEqual(derived.value, 0)
    }
    expectTrue(token != nil)
    store.commit { $0.token = nil }
    expectNil(token)
    withExtendedLifetime((subscription, derived)) {}
  }

  @Test("The values of a failed commit, and those that a commit drops, are released")
  func commits() {
    let store = Store<Watched, Never>(initialState: Watched())
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      #expect(throws: Refused.self) {
        try store.commit { state in
          state.token = strong
          throw Refused()
        }
      }
      store.commit { state in
        state.count += 1
        state.token = strong
        state.token = nil
      }
    }
    expectNil(token)
  }

  @Test("A store released by its own observer ends its subscriptions immediately")
  func releasedInObserver() {
    let received = Recorder<String>()
    let holder = Holder()
    holder.store = Store(initialState: Value())
    holder.store?.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      received.record("first")
      holder.store = nil
    }.storeWhileSourceActive()
    weak let store = holder.store
    holder.store?.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      received.record("second, store is \(store == nil ? "gone" : "there")")
    }.storeWhileSourceActive()
    holder.store?.commit { $0.count = 1 }
    // The commit itself holds the store until it has called all observers.
    expectEqual(received.elements, ["first", "second, store is there"])
    expectNil(store)
  }

  @Test("A store released during a delivery on another thread ends the calls that have not begun")
  func releasedWhileDelivering() {
    let queue = DispatchQueue(label: "observers")
    let begun = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let received = Recorder<String>()
    do {
      let store = Store<Value, Never>(initialState: Value())
      store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
        received.record("begun")
        begun.signal()
        released.wait()
        received.record("finished")
      }.storeWhileSourceActive()
      store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
        received.record("too late")
      }.storeWhileSourceActive()
      store.commit { $0.count = 1 }
      begun.wait()
    }
    released.signal()
    queue.sync {}
    expectEqual(received.elements, ["begun", "finished"])
  }

  @Test("Deliveries waiting in a queue do not retain a store's state")
  func pendingDeliveries() {
    let queue = DispatchQueue(label: "observers")
    queue.suspend()
    weak var token: Token?
    let received = Recorder<Int>()
    do {
      let store = Store<Watched, Never>(initialState: Watched())
      store.sinkState(queue: .asyncSerialQueue(queue)) { received.record($0.count) }
        .storeWhileSourceActive()
      let strong = Token()
      token = strong
      store.commit { $0.token = strong }
    }
    expectNil(token)
    queue.resume()
    queue.sync {}
    expectTrue(received.elements.isEmpty)
  }

  /// Holds a store so that an observer can release it; used on one thread only.
  final class Holder: @unchecked Sendable {
    var store: Store<Value, Never>?
  }
}
