import Dispatch
import EntiaStore
import EntiaTestSupport
import Foundation
import Observation
import Testing

@Suite("Delivery")
struct DeliveryTests {
  struct Value: StateType { var count = 0 }

  private let store = Store<Value, String>(initialState: Value())

  @Test("Passthrough delivers on the committing thread before commit returns")
  func passthrough() {
    let received = Recorder<[Int?]>()
    let subscription = store.sinkState(queue: .passthrough) {
      received.record([$0.previous?.count, $0.count])
    }
    expectEqual(received.elements, [[nil, 0]])
    store.commit { $0.count = 1 }
    store.commit { $0.count = 2 }
    expectEqual(received.elements, [[nil, 0], [0, 1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  /// What another thread does after a commit has posted its events, and before it delivers them.
  enum Interruption: CaseIterable { case subscribes, delivers }

  @Test(
    "Law 21: passthrough observers are called by the committing thread, whatever other threads do",
    arguments: Interruption.allCases)
  func passthroughIsNotHandedOver(_ interruption: Interruption) {
    let received = Recorder<String>()
    let store = store
    let committing = pthread_self()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record("\(state.count) \(pthread_equal(pthread_self(), committing) != 0)")
    }
    let queue = DispatchQueue(label: "another")
    let later = store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in }
    // A delivery that is scheduled and has not begun.
    queue.suspend()
    store.commit { $0.count = 1 }
    // Observation is notified between posting and delivery.
    withObservationTracking {
      _ = store.state.count
    } onChange: {
      onAnotherThread {
        queue.resume()
        switch interruption {
        case .subscribes:
          store.sinkState(dropsFirst: true, queue: .passthrough) { _ in }.cancel()
        case .delivers: queue.sync {}
        }
      }
    }
    store.commit { $0.count = 2 }
    expectEqual(received.elements, ["1 true", "2 true"])
    withExtendedLifetime((subscription, later)) {}
  }

  @Test("dropsFirst omits the first call, and the next one has the previous state")
  func dropsFirst() {
    let received = Recorder<[Int?]>()
    store.commit { $0.count = 1 }
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record([$0.previous?.count, $0.count])
    }
    expectTrue(received.elements.isEmpty)
    store.commit { $0.count = 2 }
    expectEqual(received.elements, [[1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Observers of activities receive those sent after their subscription")
  func activities() {
    let received = Recorder<String>()
    store.send("nobody is there")
    let subscription = store.sinkActivity(queue: .passthrough) { received.record($0) }
    store.send("a")
    store.commit { $0.count += 1 }
    store.send("b")
    expectEqual(received.elements, ["a", "b"])
    subscription.cancel()
    store.send("too late")
    expectEqual(received.elements, ["a", "b"])
  }

  @Test("Activities and states are delivered in order, also when sent and committed by observers")
  func order() {
    let received = Recorder<String>()
    let store = store
    let subscriptions = [
      store.sinkState(queue: .passthrough) { state in
        received.record("state \(state.count)")
        if state.count == 1 {
          store.send("sent at 1")
          store.commit { $0.count = 2 }
          store.send("sent after 2")
        }
      },
      store.sinkActivity(queue: .passthrough) { received.record($0) },
    ]
    store.send("before")
    store.commit { $0.count = 1 }
    expectEqual(
      received.elements, ["state 0", "before", "state 1", "sent at 1", "state 2", "sent after 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("An activity sent inside a commit is delivered after the commit's state")
  func activityInCommit() {
    let received = Recorder<String>()
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { received.record("\($0.count)") },
      store.sinkActivity(queue: .passthrough) { received.record($0) },
    ]
    store.commit {
      store.send("sent")
      $0.count = 1
    }
    store.commit { _ in store.send("without a change") }
    expectEqual(received.elements, ["1", "sent", "without a change"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 21: a custom queue receives the last state and every activity, in order")
  func serialQueue() {
    let queue = DispatchQueue(label: "observers")
    let received = Recorder<String>()
    let subscriptions = [
      store.sinkState(queue: .asyncSerialQueue(queue)) { state in
        dispatchPrecondition(condition: .onQueue(queue))
        received.record("\(state.previous?.count ?? -1)-\(state.count)")
      },
      store.sinkActivity(queue: .asyncSerialQueue(queue)) { received.record($0) },
    ]
    for count in 1...100 {
      store.commit { $0.count = count }
      store.send("\(count)")
    }
    expectTrue(eventually { received.last == "100" })
    let activities = received.elements.filter { !$0.dropFirst().contains("-") }
    expectEqual(activities, (1...100).map(String.init))
    let states = received.elements.filter { $0.dropFirst().contains("-") }
      .map { $0.split(separator: "-", omittingEmptySubsequences: false).suffix(2).map(String.init) }
    // Each has the one before it as its previous, whatever coalesced in between.
    expectEqual(states.first, ["1", "0"])
    expectTrue(zip(states.dropFirst(), states.dropFirst(2)).allSatisfy { $0[1] == $1[0] })
    expectEqual(states.last?[1], "100")
    // An activity comes after the state that was committed before it, or a later one.
    var newest = 0
    for element in received.elements {
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
    let received = Recorder<Int>()
    let subscription = store.sinkState(queue: .asyncSerialQueue(queue)) {
      received.record($0.count)
    }
    onThreads(4) { _ in
      for _ in 0..<50 { store.commit { $0.count += 1 } }
    }
    expectTrue(eventually { received.last == 200 })
    expectTrue(zip(received.elements, received.elements.dropFirst()).allSatisfy { $0 < $1 })
    withExtendedLifetime(subscription) {}
  }

  @Test("Observers are not notified of events before their subscription")
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
    expectEqual(early.elements, [0, 1, 2])
    expectEqual(late.elements, [1, 2])
    withExtendedLifetime((first, second)) {}
  }
}
