import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 24: observers that read, commit, subscribe and cancel")
struct ReentrancyTests {
  struct Value: StateType {
    var count = 0
    var copy = 0
  }

  private let store = Store<Value, Never>(initialState: Value())

  @Test("A commit inside an observer is made immediately and delivered after the current one")
  func committing() {
    let received = Recorder<String>()
    let store = store
    let first = store.sinkState(queue: .passthrough) { state in
      received.record("first \(state.count) \(state.copy)")
      state.ifChanged(\.count) { count in store.commit { $0.copy = count } }
      expectEqual(store.state.copy, state.count)
    }
    let second = store.sinkState(queue: .passthrough) { state in
      received.record("second \(state.count) \(state.copy)")
    }
    store.commit { $0.count = 1 }
    expectEqual(
      received.elements,
      [
        "first 0 0", "second 0 0", "first 1 0", "second 1 0", "first 1 1", "second 1 1",
      ])
    withExtendedLifetime((first, second)) {}
  }

  @Test("An observer that commits during its first call is notified afterwards, not recursively")
  func committingInFirstCall() {
    let received = Recorder<String>()
    let store = store
    let subscription = store.sinkState(queue: .passthrough) { state in
      received.record("begins \(state.count)")
      if state.count < 3 { store.commit { $0.count += 1 } }
      received.record("ends \(state.count)")
    }
    expectEqual(received.elements, (0...3).flatMap { ["begins \($0)", "ends \($0)"] })
    withExtendedLifetime(subscription) {}
  }

  @Test("A long chain of commits by an observer does not deepen the stack")
  func longChain() {
    let store = store
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      if state.count < 50_000 { store.commit { $0.count += 1 } }
    }
    store.commit { $0.count = 1 }
    expectEqual(store.state.count, 50_000)
    withExtendedLifetime(subscription) {}
  }

  @Test("A subscription made inside an observer begins with the current state and misses nothing")
  func subscribing() {
    let received = Recorder<Int>()
    let kept = Recorder<StoreSubscription>()
    let store = store
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      guard state.count == 1 else { return }
      store.commit { $0.count = 2 }
      // Two states are on their way; this observer must get only what comes after the second.
      kept.record(store.sinkState(queue: .passthrough) { received.record($0.count) })
      expectEqual(received.elements, [2])
      store.commit { $0.count = 3 }
    }
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [2, 3])
    withExtendedLifetime((subscription, kept)) {}
  }

  @Test("Canceled inside its own call, an observer gets no further call")
  func cancelingOneself() {
    let received = Recorder<Int>()
    let own = Recorder<StoreSubscription>()
    let store = store
    own.record(
      store.sinkState(queue: .passthrough) { state in
        received.record(state.count)
        guard state.count == 1 else { return }
        store.commit { $0.count = 2 }
        own.last?.cancel()
        store.commit { $0.count = 3 }
      })
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [0, 1])
    expectEqual(store.state.count, 3)
  }

  @Test("An observer canceled by another one before its call is not called")
  func cancelingAnother() {
    let received = Recorder<Int>()
    let victim = Recorder<StoreSubscription>()
    let killer = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      victim.last?.cancel()
    }
    victim.record(store.sinkState(queue: .passthrough) { received.record($0.count) })
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [0])
    withExtendedLifetime(killer) {}
  }

  @Test("Canceling twice, and after the release of the store, does nothing")
  func cancelingTwice() {
    let received = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.count) }
    let other = store.sinkState(queue: .passthrough) { received.record($0.count + 10) }
    subscription.cancel()
    subscription.cancel()
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [0, 10, 11])
    let orphan = Store<Value, Never>(initialState: Value())
      .sinkState(queue: .passthrough) { _ in received.record(100) }
    orphan.storeWhileSourceActive()
    orphan.cancel()
    expectEqual(received.elements, [0, 10, 11, 100])
    withExtendedLifetime(other) {}
  }

  @Test("An observer that waits for another thread's commit does not deadlock")
  func waitingForAnotherThread() {
    let received = Recorder<Int>()
    let store = store
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record(state.count)
      if state.count == 1 { onAnotherThread { store.commit { $0.count = 2 } } }
    }
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("Two stores that observe each other reach equal states")
  func twoStores() {
    let other = Store<Value, Never>(initialState: Value())
    let store = store
    let there = store.sinkState(queue: .passthrough) { state in
      state.ifChanged(\.count) { count in other.commit { $0.count = count } }
    }
    let back = other.sinkState(queue: .passthrough) { state in
      state.ifChanged(\.count) { count in store.commit { $0.count = count } }
    }
    store.commit { $0.count = 5 }
    expectEqual(other.state.count, 5)
    other.commit { $0.count = 6 }
    expectEqual(store.state.count, 6)
    withExtendedLifetime((there, back)) {}
  }
}
