import EntiaStore
import Testing

@Suite("Law 24: a commit inside a commit joins it")
struct JoinedCommitTests {
  struct Pair: StateType {
    var first = 0
    var second = 0
  }

  private let store = Store<Pair, String>(initialState: Pair())
  private let states = Recorder<Pair>()
  private let activities = Recorder<String>()
  private let subscriptions: [StoreSubscription]

  init() {
    let (states, activities) = (states, activities)
    subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { states.record($0.primitive) },
      store.sinkActivity(queue: .passthrough) { activities.record($0) },
    ]
  }

  @Test("Both edits are published, once, under the outer name")
  func bothEdits() {
    let names = Recorder<String?>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      names.record($0.commitName)
    }
    store.commit("outer") { state in
      state.first = 1
      store.commit("inner") { $0.second = 2 }
    }
    #expect(states.elements == [Pair(first: 1, second: 2)])
    #expect(names.elements == ["outer"])
    withExtendedLifetime(subscription) {}
  }

  @Test("Two edits of one field add up, before and after the inner commit")
  func oneField() {
    store.commit { state in
      state.first += 1
      store.commit { $0.first += 10 }
      state.first += 100
    }
    #expect(store.state.first == 111)
    #expect(states.count == 1)
  }

  @Test("The inner closure runs again with the outer one, on the same state as before")
  func innerRunsAgain() {
    let inner = Recorder<Int>()
    let results = Recorder<Int>()
    store.commit { state in
      state.first += 1
      let result = store.commit { state -> Int in
        inner.record(state.first)
        state.first += 10
        return state.first
      }
      results.record(result)
    }
    #expect(inner.elements == [0, 0])
    #expect(results.elements == [10, 10])
    #expect(store.state.first == 11)
  }

  @Test("The outer closure runs once when only the inner one edits")
  func onlyInnerEdits() {
    let outer = Recorder<Int>()
    let result = store.commit { state -> Int in
      outer.record(state.first)
      store.commit { $0.first += 1 }
      return store.commit { state in
        state.first += 1
        return state.first
      }
    }
    #expect(result == 2)
    #expect(store.state.first == 2)
    #expect(outer.elements == [0])
    #expect(states.count == 1)
  }

  @Test("An inner commit that changes nothing costs no second call")
  func innerUnchanged() {
    let outer = Recorder<Int>()
    store.commit { state in
      outer.record(state.first)
      state.first = 1
      store.commit { $0.second = 0 }
    }
    #expect(outer.count == 1)
    #expect(store.state == Pair(first: 1))
  }

  @Test("A throw of the outer closure undoes the inner edits")
  func outerThrows() {
    #expect(throws: Refused.self) {
      try store.commit { _ in
        store.commit { $0.second = 2 }
        throw Refused()
      }
    }
    #expect(store.state == Pair())
    #expect(states.elements.isEmpty)
  }

  @Test("A throw of the inner closure undoes its own edits only")
  func innerThrows() {
    store.commit { state in
      state.first += 1
      store.commit { $0.second += 1 }
      #expect(throws: Refused.self) {
        try store.commit { inner in
          inner.second = 100
          store.send("never heard")
          throw Refused()
        }
      }
      store.commit { $0.second += 10 }
    }
    #expect(store.state == Pair(first: 1, second: 11))
    #expect(states.count == 1)
    #expect(activities.elements.isEmpty)
  }

  @Test("Three levels deep, all edits are there")
  func deep() {
    store.commit { outer in
      outer.first += 1
      store.commit { middle in
        middle.first += 10
        store.commit { $0.first += 100 }
        middle.second += 1
      }
      outer.second += 10
    }
    #expect(store.state == Pair(first: 111, second: 11))
    #expect(states.count == 1)
  }

  @Test("Activities of both are sent once, after the state")
  func activitiesOnce() {
    store.commit { state in
      state.first += 1
      store.send("outer")
      store.commit {
        $0.second += 1
        store.send("inner")
      }
    }
    #expect(activities.elements == ["outer", "inner"])
  }

  @Test("A component's method that commits can be called inside a commit")
  func method() {
    let counter = FixedNamesTests.Counter()
    counter.commit { state in
      state.count += 10
      counter.increment()
    }
    #expect(counter.state.count == 11)
  }

  @Test(
    "A commit joins on the same thread only: a commit of another thread waits for the commit lock")
  func otherThread() {
    let order = Recorder<String>()
    let second = BackgroundWork()
    store.commit { state in
      state.first = 1
      let store = store
      second.start {
        store.commit { state in
          order.record("second sees \(state.first)")
          state.first += 1
        }
      }
      order.record("first ends")
    }
    second.wait()
    #expect(order.elements == ["first ends", "second sees 1"])
    #expect(eventually { states.last == Pair(first: 2) })
  }
}
