import Dispatch
import EntiaStore
import Testing

@MainActor
@Suite("Delivery on the main actor")
struct MainActorTests {
  struct Value: StateType { var count = 0 }

  private let store = Store<Value, String>(initialState: Value())

  /// Lets everything that has been put on the main queue so far run.
  private func mainQueueIsServed() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  @Test("On the main actor, the first call and those for its commits come at once")
  func immediate() {
    var told: [Int] = []
    let subscription = store.sinkState { state in
      MainActor.preconditionIsolated()
      told.append(state.count)
    }
    #expect(told == [0])
    store.commit { $0.count = 1 }
    #expect(told == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 21: asyncMain is told later, once for all commits until then")
  func asynchronous() async {
    var told: [Int] = []
    let subscription = store.sinkState(queue: .asyncMain) { state in
      MainActor.preconditionIsolated()
      told.append(state.count)
    }
    store.commit { $0.count = 1 }
    store.commit { $0.count = 2 }
    #expect(told == [])
    await mainQueueIsServed()
    #expect(told == [0, 2])
    store.commit { $0.count = 3 }
    await mainQueueIsServed()
    #expect(told == [0, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("A commit of another thread is told on the main actor later")
  func fromOutside() async {
    let told = Recorder<[Int?]>()
    let store = store
    let subscription = store.sinkState { state in
      MainActor.preconditionIsolated()
      told.record([state.previous?.count, state.count])
    }
    await Task.detached { store.commit { $0.count = 1 } }.value
    await mainQueueIsServed()
    await Task.detached { store.commit { $0.count = 2 } }.value
    await mainQueueIsServed()
    #expect(told.elements == [[nil, 0], [0, 1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Subscribing from another thread: the first call comes on the main actor, then the rest")
  func subscribingOutside() async {
    let told = Recorder<Int>()
    let store = store
    let subscription = await Task.detached {
      let subscription = store.sinkState { state in
        MainActor.preconditionIsolated()
        told.record(state.count)
      }
      store.commit { $0.count = 1 }
      return subscription
    }.value
    await mainQueueIsServed()
    #expect(told.elements == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test("What other threads committed earlier is not told after what the main actor commits now")
  func orderAcrossThreads() async {
    let told = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { told.record($0.count) }
    onAnotherThread { store.commit { $0.count = 1 } }
    #expect(told.elements == [0])
    store.commit { $0.count = 2 }
    #expect(told.elements == [0, 2])
    await mainQueueIsServed()
    #expect(told.elements == [0, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("Canceled on the main actor, an observer gets nothing that is still on its way")
  func cancelingPending() async {
    let told = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { told.record($0.count) }
    onAnotherThread { store.commit { $0.count = 1 } }
    subscription.cancel()
    await mainQueueIsServed()
    #expect(told.elements == [0])
  }

  @Test("Activities keep their order on the main actor, each after its state or a later one")
  func activities() async {
    let told = Recorder<String>()
    let store = store
    let states = store.sinkState(dropsFirst: true) { _ in told.record("state") }
    let activities = store.sinkActivity { told.record($0) }
    await Task.detached {
      for count in 1...10 {
        store.commit { $0.count = count }
        store.send("after \(count)")
      }
    }.value
    store.send("here")
    await mainQueueIsServed()
    #expect(await eventuallyOnMain { told.last == "here" })
    #expect(told.elements.first == "state")
    #expect(
      told.elements.filter { $0 != "state" } == (1...10).map { "after \($0)" } + ["here"])
    withExtendedLifetime((states, activities)) {}
  }

  @Test("Law 24: observers on the main actor that commit are told afterwards, in order")
  func committingInSink() {
    var told: [String] = []
    let store = store
    let first = store.sinkState { state in
      told.append("first \(state.count)")
      if state.count == 1 { store.commit { $0.count = 2 } }
    }
    let second = store.sinkState { told.append("second \($0.count)") }
    store.commit { $0.count = 1 }
    #expect(
      told == ["first 0", "second 0", "first 1", "second 1", "first 2", "second 2"])
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "Law 24: a commit by a passthrough observer is told on the main actor after the current one")
  func committingElsewhere() {
    let told = Recorder<String>()
    let store = store
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { state in
        if state.count == 1 { store.commit { $0.count = 2 } }
      },
      store.sinkState(dropsFirst: true) { told.record("main \($0.count)") },
      store.sinkState(dropsFirst: true, queue: .passthrough) { told.record("\($0.count)") },
    ]
    store.commit { $0.count = 1 }
    // The main actor is behind by two commits when it is told.
    #expect(told.elements == ["1", "2", "main 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 23: writers on many threads, states told in order on the main actor, the last too")
  func stress() async {
    let commits = scaled(200)
    let told = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { told.record($0.count) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<commits { store.commit { $0.count += 1 } }
        }
      }
      for _ in 0..<commits {
        store.commit { $0.count += 1 }
        if Bool.random() { await Task.yield() }
      }
    }
    #expect(await eventuallyOnMain { told.last == 5 * commits })
    #expect(zip(told.elements, told.elements.dropFirst()).allSatisfy { $0 < $1 })
    withExtendedLifetime(subscription) {}
  }
}
