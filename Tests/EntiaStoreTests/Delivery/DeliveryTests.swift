import Dispatch
import EntiaStore
import Testing

@Suite("Delivery")
struct DeliveryTests {
  struct Value: StateType { var count = 0 }

  private let store = Store<Value, String>(initialState: Value())

  @Test("Passthrough delivers on the committing thread before commit returns")
  func passthrough() {
    let told = Recorder<[Int?]>()
    let subscription = store.sinkState(queue: .passthrough) {
      told.record([$0.previous?.count, $0.count])
    }
    #expect(told.elements == [[nil, 0]])
    store.commit { $0.count = 1 }
    store.commit { $0.count = 2 }
    #expect(told.elements == [[nil, 0], [0, 1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("dropsFirst leaves out the first call, and the next one knows what was before")
  func dropsFirst() {
    let told = Recorder<[Int?]>()
    store.commit { $0.count = 1 }
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      told.record([$0.previous?.count, $0.count])
    }
    #expect(told.elements.isEmpty)
    store.commit { $0.count = 2 }
    #expect(told.elements == [[1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("An activity reaches those who observe activities, from then on")
  func activities() {
    let told = Recorder<String>()
    store.send("nobody is there")
    let subscription = store.sinkActivity(queue: .passthrough) { told.record($0) }
    store.send("a")
    store.commit { $0.count += 1 }
    store.send("b")
    #expect(told.elements == ["a", "b"])
    subscription.cancel()
    store.send("too late")
    #expect(told.elements == ["a", "b"])
  }

  @Test("Activities and states come in order, also when sent and committed by observers")
  func order() {
    let told = Recorder<String>()
    let store = store
    let subscriptions = [
      store.sinkState(queue: .passthrough) { state in
        told.record("state \(state.count)")
        if state.count == 1 {
          store.send("sent at 1")
          store.commit { $0.count = 2 }
          store.send("sent after 2")
        }
      },
      store.sinkActivity(queue: .passthrough) { told.record($0) },
    ]
    store.send("before")
    store.commit { $0.count = 1 }
    #expect(
      told.elements == ["state 0", "before", "state 1", "sent at 1", "state 2", "sent after 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("An activity sent inside a commit comes after the commit's state")
  func activityInCommit() {
    let told = Recorder<String>()
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { told.record("\($0.count)") },
      store.sinkActivity(queue: .passthrough) { told.record($0) },
    ]
    store.commit {
      store.send("sent")
      $0.count = 1
    }
    store.commit { _ in store.send("without a change") }
    #expect(told.elements == ["1", "sent", "without a change"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 21: a queue of one's own gets the last state and every activity, in order")
  func serialQueue() {
    let queue = DispatchQueue(label: "observers")
    let told = Recorder<String>()
    let subscriptions = [
      store.sinkState(queue: .asyncSerialQueue(queue)) { state in
        dispatchPrecondition(condition: .onQueue(queue))
        told.record("\(state.previous?.count ?? -1)-\(state.count)")
      },
      store.sinkActivity(queue: .asyncSerialQueue(queue)) { told.record($0) },
    ]
    for count in 1...100 {
      store.commit { $0.count = count }
      store.send("\(count)")
    }
    #expect(eventually { told.last == "100" })
    let activities = told.elements.filter { !$0.dropFirst().contains("-") }
    #expect(activities == (1...100).map(String.init))
    let states = told.elements.filter { $0.dropFirst().contains("-") }
      .map { $0.split(separator: "-", omittingEmptySubsequences: false).suffix(2).map(String.init) }
    // Each has the one before it as its previous, whatever coalesced in between.
    #expect(states.first == ["1", "0"])
    #expect(zip(states.dropFirst(), states.dropFirst(2)).allSatisfy { $0[1] == $1[0] })
    #expect(states.last?[1] == "100")
    // An activity comes after the state that was committed before it, or a later one.
    var newest = 0
    for element in told.elements {
      if let number = Int(element) {
        #expect(newest >= number)
      } else {
        newest = element.split(separator: "-").last.flatMap { Int($0) } ?? newest
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test("An observer on a concurrent queue is still called one at a time, in order")
  func concurrentQueue() {
    let queue = DispatchQueue(label: "observers", attributes: .concurrent)
    let told = Recorder<Int>()
    let subscription = store.sinkState(queue: .asyncSerialQueue(queue)) { told.record($0.count) }
    onThreads(4) { _ in
      for _ in 0..<50 { store.commit { $0.count += 1 } }
    }
    #expect(eventually { told.last == 200 })
    #expect(zip(told.elements, told.elements.dropFirst()).allSatisfy { $0 < $1 })
    withExtendedLifetime(subscription) {}
  }

  @Test("Observers that came later are not told what happened before")
  func late() {
    let queue = DispatchQueue(label: "observers")
    let early = Recorder<Int>()
    let late = Recorder<Int>()
    queue.suspend()
    let first = store.sinkState(queue: .asyncSerialQueue(queue)) { early.record($0.count) }
    store.commit { $0.count = 1 }
    let second = store.sinkState(queue: .asyncSerialQueue(queue)) { late.record($0.count) }
    store.commit { $0.count = 2 }
    queue.resume()
    queue.sync {}
    #expect(early.elements == [0, 1, 2])
    #expect(late.elements == [1, 2])
    withExtendedLifetime((first, second)) {}
  }
}
