import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

@Suite("States as a sequence, and commits in the background")
struct StatesTests {
  @Test("A loop receives the current state and the newest one, and ends with the store")
  func loop() async {
    var store: Store<Int, Never>? = Store(initialState: 1)
    var iterator = store?.states.makeAsyncIterator()
    await expectEqual(iterator?.next(), 1)
    for number in 2..<50 { store?.commit { $0 = number } }
    // What was missed is not given later.
    await expectEqual(iterator?.next(), 49)
    let doubled = store?.derived(.map { $0 * 2 })
    var values = doubled?.states.makeAsyncIterator()
    await expectEqual(values?.next(), 98)
    store = nil
    await expectEqual(iterator?.next(), .some(.none))
    await expectEqual(values?.next(), .some(.none))
  }

  @Test("Law 27: the end of a loop ends its observation")
  func leaving() async {
    let store = Store<Int, Never>(initialState: 0)
    for await state in store.states {
      if state == 3 { break }
      store.commit { $0 += 1 }
    }
    expectEqual(store.state, 3)
    let task = Task {
      for await _ in store.states {}
      return true
    }
    task.cancel()
    await expectTrue(task.value)
  }

  @Test("Activities as a sequence: a slow loop receives those that the buffering keeps")
  func activities() async {
    var store: Store<Int, String>? = Store(initialState: 0)
    var all = store?.activities.makeAsyncIterator()
    var newest = store?.activities(buffering: .newest(2)).makeAsyncIterator()
    var oldest = store?.activities(buffering: .oldest(2)).makeAsyncIterator()
    for number in 0..<5 { store?.send("\(number)") }
    store = nil
    func rest(_ iterator: inout AsyncStream<String>.Iterator?) async -> [String] {
      var found: [String] = []
      while let next = await iterator?.next() { found.append(next) }
      return found
    }
    await expectEqual(rest(&all), ["0", "1", "2", "3", "4"])
    await expectEqual(rest(&newest), ["3", "4"])
    await expectEqual(rest(&oldest), ["0", "1"])
  }

  @Test("A loop that begins after the end of the store ends too")
  func afterTheEnd() async {
    var store: Store<Int, String>? = Store(initialState: 1)
    let doubled = store?.derived(.map { $0 * 2 })
    let (states, activities) = (doubled?.states, store?.activities)
    store = nil
    var values = states?.makeAsyncIterator()
    await expectEqual(values?.next(), 2)
    await expectEqual(values?.next(), .some(.none))
    var sent = activities?.makeAsyncIterator()
    await expectEqual(sent?.next(), .some(.none))
  }

  @Test("States as a sequence: a slow loop receives those that the buffering keeps")
  func buffering() async {
    var store: Store<Int, Never>? = Store(initialState: 1)
    var all = store?.states(buffering: .unbounded).makeAsyncIterator()
    for number in 2..<6 { store?.commit { $0 = number } }
    store = nil
    var found: [Int] = []
    while let next = await all?.next() { found.append(next) }
    expectEqual(found, [1, 2, 3, 4, 5])
  }

  @Test("A background commit returns when observers on all queues have been called")
  func background() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let received = Recorder<String>()
    let queue = DispatchQueue(label: "observer")
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) {
        received.record("here \($0.primitive)")
      },
      store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) {
        received.record("queue \($0.primitive)")
      },
      store.sinkState(dropsFirst: true, queue: .asyncMain) {
        received.record("main \($0.primitive)")
      },
    ]
    for number in 1..<20 {
      let result = try await store.backgroundCommit("number") { state in
        state = number
        return state * 10
      }
      expectEqual(result, number * 10)
      expectEqual(received.count, number * 3)
    }
    await #expect(throws: Refused()) {
      try await store.backgroundCommit { _ in throw Refused() }
    }
    expectEqual(store.state, 19)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "A background commit waits for an observer whose first call is in progress on another thread",
    .timeLimit(.minutes(15)))
  func firstCallInProgress() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let calls = Recorder<Int>()
    let begun = Tally()
    let resumed = DispatchSemaphore(value: 0)
    let observing = BackgroundWork()
    observing.start {
      store.sinkState(queue: .passthrough) { changes in
        if changes.previous == nil {
          begun.add()
          resumed.wait()
        }
        calls.record(changes.primitive)
      }.storeWhileSourceActive()
    }
    while begun.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let committing = Task.detached {
      try await store.backgroundCommit { $0 = 1 }
      return calls.elements
    }
    while store.state == 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(20))
    expectEqual(calls.elements, [])
    resumed.signal()
    try await expectEqual(committing.value, [0, 1])
    observing.wait()
  }

  @Test("A milestone does not wait for later commits to an observer in its first call")
  func commitsInFirstCall() {
    let store = Store<Int, Never>(initialState: 0)
    let calls = Tally()
    let reached = Recorder<Int>()
    let (begun, posted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let observing = BackgroundWork()
    observing.start {
      store.sinkState(queue: .passthrough) { _ in
        calls.add()
        if calls.count == 1 {
          begun.signal()
          posted.wait()
        }
        if calls.count < 20 { store.commit { $0 += 1 } }
      }.storeWhileSourceActive()
    }
    begun.wait()
    store.commit { $0 = 100 }
    let broadcaster = store.core.broadcaster
    broadcaster.contents.withLock {
      $0.delivery.post(.milestone(Milestone { reached.record(calls.count) }), by: .current)
    }
    broadcaster.deliver()
    posted.signal()
    observing.wait()
    expectEqual(reached.elements, [2])
    expectEqual(calls.count, 20)
  }

  @Test("A background commit without observers returns")
  func unobserved() async throws {
    let store = Store<Int, Never>(initialState: 0)
    try await store.backgroundCommit { $0 = 1 }
    expectEqual(store.state, 1)
  }
}
