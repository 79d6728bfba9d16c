import Dispatch
import EntiaStore
import Testing

@Suite("Law 27: nothing outlives its last owner")
struct LifetimeTests {
  struct Value: StateType { var count = 0 }

  /// A state that shows when it is released.
  struct Watched: Sendable {
    var count = 0
    var token: Token?
  }

  @Test("A released subscription ends and frees its closure")
  func releasedSubscription() {
    let store = Store<Value, Never>(initialState: Value())
    let told = Recorder<Int>()
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      var subscription: StoreSubscription? = store.sinkState(queue: .passthrough) { state in
        withExtendedLifetime(strong) { told.record(state.count) }
      }
      #expect(subscription != nil)
      subscription = nil
    }
    #expect(token == nil)
    store.commit { $0.count = 1 }
    #expect(told.elements == [0])
  }

  @Test("A canceled subscription frees its closure while it is still held")
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
    #expect(token != nil)
    for subscription in subscriptions { subscription.cancel() }
    #expect(token == nil)
  }

  @Test("storeWhileSourceActive keeps a subscription until the store goes")
  func storedSubscription() {
    weak var token: Token?
    weak var weakStore: Store<Value, Never>?
    let told = Recorder<Int>()
    do {
      let store = Store<Value, Never>(initialState: Value())
      weakStore = store
      let strong = Token()
      token = strong
      store.sinkState(queue: .passthrough) { state in
        withExtendedLifetime(strong) { told.record(state.count) }
      }.storeWhileSourceActive()
      store.commit { $0.count = 1 }
      #expect(told.elements == [0, 1])
    }
    #expect(weakStore == nil)
    #expect(token == nil)
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
    #expect(token == nil)
    #expect(weakSubscription == nil)
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
    #expect(weakStore == nil)
    #expect(token == nil)
    subscription.cancel()
  }

  @Test("A store that an own observer holds is freed when the subscription ends")
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
    #expect(weakStore == nil)
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
      #expect(derived.value == 0)
    }
    #expect(weakDerived == nil)
    #expect(token == nil)
  }

  @Test("A subscription keeps what is derived alive, and frees it when it ends")
  func derivedSubscription() {
    let store = Store<Value, Never>(initialState: Value())
    let told = Recorder<String>()
    weak var token: Token?
    var subscription: StoreSubscription? = {
      let strong = Token()
      token = strong
      return
        store
        .derived(.map { state in withExtendedLifetime(strong) { state.count } })
        .derived(.map { "\($0)" })
        .sinkState(queue: .passthrough) { told.record($0.primitive) }
    }()
    store.commit { $0.count = 1 }
    #expect(told.elements == ["0", "1"])
    #expect(token != nil)
    #expect(subscription != nil)
    subscription = nil
    #expect(token == nil)
  }

  @Test("A stored subscription to a derived value goes with the store")
  func storedDerivedSubscription() {
    weak var token: Token?
    do {
      let store = Store<Value, Never>(initialState: Value())
      let strong = Token()
      token = strong
      let told = Recorder<Int>()
      store.derived(.map { state in withExtendedLifetime(strong) { state.count } })
        .sinkState(queue: .passthrough) { told.record($0.primitive) }
        .storeWhileSourceActive()
      store.commit { $0.count = 1 }
      #expect(told.elements == [0, 1])
    }
    #expect(token == nil)
  }

  @Test("A derived value outlives the store with its last value")
  func derivedOutlives() {
    let derived = {
      let store = Store<Value, Never>(initialState: Value())
      store.commit { $0.count = 3 }
      return store.derived(.select(\.count))
    }()
    #expect(derived.value == 3)
    let told = Recorder<Int>()
    let subscription = derived.sinkState(queue: .passthrough) { told.record($0.primitive) }
      .storeWhileSourceActive()
    #expect(told.elements == [3])
    subscription.cancel()
  }

  @Test("Late subscriptions to a value whose store is gone are freed too")
  func lateSubscription() {
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      let derived = Store<Value, Never>(initialState: Value()).derived(
        .map { state in withExtendedLifetime(strong) { state.count } })
      derived.sinkState(queue: .passthrough) { _ in }.storeWhileSourceActive()
    }
    #expect(token == nil)
  }

  @Test("Old states are freed once nobody is to be told of them")
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
      #expect(derived.value == 0)
    }
    #expect(token != nil)
    store.commit { $0.token = nil }
    #expect(token == nil)
    withExtendedLifetime((subscription, derived)) {}
  }

  @Test("What a failed or joined commit leaves behind is freed")
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
        store.commit { $0.token = strong }
        _ = store.commit { _ in strong }
        state.token = nil
      }
    }
    #expect(token == nil)
  }

  @Test("A store released by its own observer ends its subscriptions there and then")
  func releasedInObserver() {
    let told = Recorder<String>()
    let holder = Holder()
    holder.store = Store(initialState: Value())
    holder.store?.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      told.record("first")
      holder.store = nil
    }.storeWhileSourceActive()
    weak let store = holder.store
    holder.store?.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      told.record("second, store is \(store == nil ? "gone" : "there")")
    }.storeWhileSourceActive()
    holder.store?.commit { $0.count = 1 }
    // The commit itself holds the store until it has told everybody.
    #expect(told.elements == ["first", "second, store is there"])
    #expect(store == nil)
  }

  @Test("A store that goes while another thread delivers ends what has not begun")
  func releasedWhileDelivering() {
    let queue = DispatchQueue(label: "observers")
    let begun = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let told = Recorder<String>()
    do {
      let store = Store<Value, Never>(initialState: Value())
      store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
        told.record("begun")
        begun.signal()
        released.wait()
        told.record("finished")
      }.storeWhileSourceActive()
      store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
        told.record("too late")
      }.storeWhileSourceActive()
      store.commit { $0.count = 1 }
      begun.wait()
    }
    released.signal()
    queue.sync {}
    #expect(told.elements == ["begun", "finished"])
  }

  @Test("Deliveries waiting in a queue do not keep a store's state alive")
  func pendingDeliveries() {
    let queue = DispatchQueue(label: "observers")
    queue.suspend()
    weak var token: Token?
    let told = Recorder<Int>()
    do {
      let store = Store<Watched, Never>(initialState: Watched())
      store.sinkState(queue: .asyncSerialQueue(queue)) { told.record($0.count) }
        .storeWhileSourceActive()
      let strong = Token()
      token = strong
      store.commit { $0.token = strong }
    }
    #expect(token == nil)
    queue.resume()
    queue.sync {}
    #expect(told.elements.isEmpty)
  }

  /// Holds a store so that an observer can release it; used on one thread only.
  final class Holder: @unchecked Sendable {
    var store: Store<Value, Never>?
  }
}
