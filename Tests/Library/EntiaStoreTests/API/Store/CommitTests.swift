import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Commits")
struct CommitTests {
  struct Pair: StateType {
    var first = 0
    var second = 0
  }

  /// A state that cannot be compared.
  struct Opaque: Sendable { var value = 0 }

  @Test("A commit gives what its closure returns")
  func result() {
    let store = Store<Pair, Never>(initialState: Pair())
    let old = store.commit { state in
      defer { state.first = 5 }
      return state.first
    }
    expectEqual(old, 0)
    expectEqual(store.state.first, 5)
  }

  @Test("Law 8: a throw leaves the state as it was and notifies nobody")
  func throwing() {
    let store = Store<Pair, String>(initialState: Pair())
    let states = Recorder<Pair>()
    let activities = Recorder<String>()
    let subscriptions = [
      store.sinkState(queue: .passthrough) { states.record($0.primitive) },
      store.sinkActivity(queue: .passthrough) { activities.record($0) },
    ]
    #expect(throws: Refused(reason: "half way")) {
      try store.commit { state in
        state.first = 1
        store.send("never heard")
        throw Refused(reason: "half way")
      }
    }
    expectEqual(store.state, Pair())
    expectEqual(states.elements, [Pair()])
    expectTrue(activities.elements.isEmpty)
    store.commit { $0.first = 2 }
    expectEqual(states.elements, [Pair(), Pair(first: 2)])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A commit that changes nothing notifies nobody, when the state is Equatable")
  func unchanged() {
    let store = Store<Pair, Never>(initialState: Pair())
    let equal = Recorder<Int>()
    let first = store.sinkState(queue: .passthrough) { equal.record($0.first) }
    store.commit { $0.first = 0 }
    store.commit { state in
      state.first = 9
      state.first = 0
    }
    expectEqual(equal.elements, [0])

    let opaque = Store<Opaque, Never>(initialState: Opaque())
    let all = Recorder<Int>()
    let second = opaque.sinkState(queue: .passthrough) { all.record($0.value) }
    opaque.commit { $0.value = 0 }
    expectEqual(all.elements, [0, 0])
    withExtendedLifetime((first, second)) {}
  }

  @Test("Whether a state is Equatable is found out for composed types too")
  func composed() {
    let store = Store<[Int?], Never>(initialState: [1, nil])
    let counts = Recorder<Int>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      counts.record($0.count)
    }
    store.commit { $0 = [1, nil] }
    store.commit { $0 = [nil] }
    expectEqual(counts.elements, [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("A commit's name reaches the observers")
  func names() {
    let store = Store<Pair, Never>(initialState: Pair())
    let names = Recorder<String?>()
    let subscription = store.sinkState(queue: .passthrough) { names.record($0.commitName) }
    store.commit("first") { $0.first = 1 }
    store.commit { $0.first = 2 }
    expectEqual(names.elements, [nil, "first", nil])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 24: reading the store inside a commit gives the state before it")
  func readingInside() {
    let store = Store<Pair, Never>(initialState: Pair())
    let doubled = store.derived(.map { $0.first * 2 })
    store.commit { state in
      state.first = 3
      expectEqual(store.state.first, 0)
      expectEqual(doubled.value, 0)
    }
    expectEqual(store.state.first, 3)
    expectEqual(doubled.value, 6)
  }

  @Test("Law 23: readers on other threads do not wait for a commit's closure")
  func readersDoNotWait() {
    let store = Store<Pair, Never>(initialState: Pair())
    let seen = Recorder<Int>()
    store.commit { state in
      state.first = 1
      // Would never return if reading took the commit lock.
      onAnotherThread { seen.record(store.state.first) }
    }
    onAnotherThread { seen.record(store.state.first) }
    expectEqual(seen.elements, [0, 1])
  }

  @Test("A commit to another store inside a commit is made at once")
  func otherStore() {
    let store = Store<Pair, Never>(initialState: Pair())
    let other = Store<Pair, Never>(initialState: Pair())
    store.commit { state in
      state.first = 1
      other.commit { $0.first = 2 }
      expectEqual(other.state.first, 2)
    }
    expectEqual(store.state.first, 1)
  }
}
