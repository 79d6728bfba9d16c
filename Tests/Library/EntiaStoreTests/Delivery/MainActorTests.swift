import Dispatch
import EntiaStore
import EntiaTestSupport
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

  @Test("On the main actor, the first call and those for its commits are immediate")
  func immediate() {
    var received: [Int] = []
    let subscription = store.sinkState { state in
      MainActor.preconditionIsolated()
      received.append(state.count)
    }
    expectEqual(received, [0])
    store.commit { $0.count = 1 }
    expectEqual(received, [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 21: asyncMain delivers later, once for all commits until then")
  func asynchronous() async {
    var received: [Int] = []
    let subscription = store.sinkState(queue: .asyncMain) { state in
      MainActor.preconditionIsolated()
      received.append(state.count)
    }
    store.commit { $0.count = 1 }
    store.commit { $0.count = 2 }
    expectEqual(received, [])
    await mainQueueIsServed()
    expectEqual(received, [0, 2])
    store.commit { $0.count = 3 }
    await mainQueueIsServed()
    expectEqual(received, [0, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("A commit of another thread is delivered on the main actor later")
  func fromOutside() async {
    let received = Recorder<[Int?]>()
    let store = store
    let subscription = store.sinkState { state in
      MainActor.preconditionIsolated()
      received.record([state.previous?.count, state.count])
    }
    await Task.detached { store.commit { $0.count = 1 } }.value
    await mainQueueIsServed()
    await Task.detached { store.commit { $0.count = 2 } }.value
    await mainQueueIsServed()
    expectEqual(received.elements, [[nil, 0], [0, 1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Subscribing from another thread: all calls are on the main actor, the first one first")
  func subscribingOutside() async {
    let received = Recorder<Int>()
    let store = store
    let subscription = await Task.detached {
      let subscription = store.sinkState { state in
        MainActor.preconditionIsolated()
        received.record(state.count)
      }
      store.commit { $0.count = 1 }
      return subscription
    }.value
    await mainQueueIsServed()
    expectEqual(received.elements, [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test("Earlier commits of other threads are not delivered after a commit of the main actor")
  func orderAcrossThreads() async {
    let received = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { received.record($0.count) }
    onAnotherThread { store.commit { $0.count = 1 } }
    expectEqual(received.elements, [0])
    store.commit { $0.count = 2 }
    expectEqual(received.elements, [0, 2])
    await mainQueueIsServed()
    expectEqual(received.elements, [0, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("An observer canceled on the main actor receives no waiting event")
  func cancelingPending() async {
    let received = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { received.record($0.count) }
    onAnotherThread { store.commit { $0.count = 1 } }
    subscription.cancel()
    await mainQueueIsServed()
    expectEqual(received.elements, [0])
  }

  @Test("Activities keep their order on the main actor, each after its state or a later one")
  func activities() async {
    let received = Recorder<String>()
    let store = store
    let states = store.sinkState(dropsFirst: true) { _ in received.record("state") }
    let activities = store.sinkActivity { received.record($0) }
    await Task.detached {
      for count in 1...10 {
        store.commit { $0.count = count }
        store.send("after \(count)")
      }
    }.value
    store.send("here")
    await mainQueueIsServed()
    await expectTrue(eventuallyOnMain { received.last == "here" })
    expectEqual(received.elements.first, "state")
    expectEqual(
      received.elements.filter { $0 != "state" }, (1...10).map { "after \($0)" } + ["here"])
    withExtendedLifetime((states, activities)) {}
  }

  @Test("Law 24: commits of observers on the main actor are delivered afterwards, in order")
  func committingInSink() {
    var received: [String] = []
    let store = store
    let first = store.sinkState { state in
      received.append("first \(state.count)")
      if state.count == 1 { store.commit { $0.count = 2 } }
    }
    let second = store.sinkState { received.append("second \($0.count)") }
    store.commit { $0.count = 1 }
    expectEqual(received, ["first 0", "second 0", "first 1", "second 1", "first 2", "second 2"])
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "Law 24: a commit by a passthrough observer is delivered on the main actor after the current one"
  )
  func committingElsewhere() {
    let received = Recorder<String>()
    let store = store
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { state in
        if state.count == 1 { store.commit { $0.count = 2 } }
      },
      store.sinkState(dropsFirst: true) { received.record("main \($0.count)") },
      store.sinkState(dropsFirst: true, queue: .passthrough) { received.record("\($0.count)") },
    ]
    store.commit { $0.count = 1 }
    // The main actor is behind by two commits when it is notified.
    expectEqual(received.elements, ["1", "2", "main 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "Law 23: writers on many threads, states delivered in order on the main actor, the last included"
  )
  func stress() async {
    let commits = scaled(67)
    let received = Recorder<Int>()
    let store = store
    let subscription = store.sinkState { received.record($0.count) }
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
    await expectTrue(eventuallyOnMain { received.last == 5 * commits })
    expectTrue(zip(received.elements, received.elements.dropFirst()).allSatisfy { $0 < $1 })
    withExtendedLifetime(subscription) {}
  }
}
