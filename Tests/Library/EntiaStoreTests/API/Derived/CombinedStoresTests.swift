import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("Values of several stores are combined")
struct CombinedStoresTests {
  struct Value: StateType {
    var count = 0
    var text = ""
  }

  private let left = Store<Value, Never>(initialState: Value())
  private let right = Store<Value, Never>(initialState: Value(text: "a"))

  @Test("The value follows each store, and is computed again only when an input has changed")
  func follows() {
    let calls = Tally()
    let label = Derived.combined(
      left.derived(.select(\.count)), right.derived(.select(\.text))
    ) { count, text in
      calls.add()
      return "\(count)\(text)"
    }
    let received = Recorder<String>()
    let subscription = label.sinkState(queue: .passthrough) { received.record($0.primitive) }
    left.commit { $0.count = 1 }
    expectEqual(label.value, "1a")
    right.commit { $0.text = "b" }
    expectEqual(label.value, "1b")
    left.commit { $0.text = "unrelated" }
    right.commit { $0.count = 5 }
    expectTrue(received.elements == ["0a", "1a", "1b"] && calls.count == 3)
    let length = label.derived { $0.count }
    left.commit { $0.count = 10 }
    expectEqual(length.value, 3)
    subscription.cancel()
    left.commit { $0.count = 11 }
    expectTrue(label.value == "11b" && received.count == 4)
  }

  /// A value with work to do whenever it is read, but not when it is observed.
  private final class Interrupted: StateSource {
    private let source: any StateSource<String>
    private let interrupt: @Sendable () -> Void

    init(source: any StateSource<String>, interrupt: @escaping @Sendable () -> Void) {
      self.source = source
      self.interrupt = interrupt
    }

    var broadcaster: StoreBroadcaster { source.broadcaster }
    var observedRegion: ObservedRegion { source.observedRegion }

    func value(at version: SourceVersion) -> StateVersion<String> {
      interrupt()
      return source.value(at: version)
    }

    func observe(
      on target: DeliveryTarget, dropsFirst: Bool,
      receive: @escaping @Sendable (StateVersion<String>, _ previous: StateVersion<String>?) -> Void
    ) -> StoreSubscription {
      source.observe(on: target, dropsFirst: dropsFirst, receive: receive)
    }
  }

  @Test("Values of one store are always consistent when combined with those of another")
  func consistent() {
    let (torn, interruptions) = (Tally(), Tally())
    let (left, work) = (left, BackgroundWork())
    let right = right
    // While the text is read, another thread commits to the other store: between the first and the
    // last input.
    let text = Derived(
      Interrupted(source: right.derived { $0.text }.source) {
        let count = left.state.count
        if right.state.count == count { return }
        work.start { left.commit { $0.count = count + 1 } }
        if eventually({ left.state.count > count }) { interruptions.add() }
      })
    let sums = Derived.combined(
      left.derived { $0.count }, text, left.derived { -$0.count }
    ) { first, text, second in
      if first + second != 0 { torn.add() }
      return "\(first)\(text)"
    }
    let subscription = sums.sinkState(queue: .passthrough) { _ in }
    for number in 1...50 {
      right.commit { state in
        state.count = number
        state.text = "\(number % 3)"
      }
      work.wait()
    }
    expectTrue(sums.value == "50" + "2" && torn.count == 0)
    expectEqual(interruptions.count, 50)
    subscription.cancel()
  }

  @Test("Writers of both stores at once end with the last state of both")
  func concurrent() async throws {
    let pair = Derived.combined(left.derived { $0.count }, right.derived { $0.count })
    let last = Recorder<[Int]>()
    let subscription = pair.sinkState(queue: .passthrough) { state in
      let (first, second) = state.primitive
      last.record([first, second])
    }
    await withTaskGroup(of: Void.self) { group in
      for store in [left, right] {
        for _ in 0..<4 {
          group.addTask { for _ in 0..<200 { store.commit { $0.count += 1 } } }
        }
      }
    }
    try await expectTrue(eventuallyAmongTasks { last.last == [800, 800] })
    let (first, second) = pair.value
    expectEqual([first, second], [800, 800])
    subscription.cancel()
  }

  @Test("Law 27: a value of two stores is released with its last reference, or with the stores")
  func lifetimes() async throws {
    weak var token: Token?
    weak var kept: Token?
    var stores: (Store<Value, Never>, Store<Value, Never>)? = (
      Store(initialState: Value()), Store(initialState: Value())
    )
    let received = Recorder<Int>()
    let values = Recorder<Int>()
    var loop: Task<Void, Never>?
    if let (first, second) = stores {
      do {
        let strong = Token()
        token = strong
        let sum = Derived.combined(first, second) { left, right in
          withExtendedLifetime(strong) { left.count + right.count }
        }
        expectEqual(sum.value, 0)
      }
      expectNil(token)
      let strong = Token()
      kept = strong
      let sum = Derived.combined(first, second) { left, right in
        withExtendedLifetime(strong) { left.count + right.count }
      }
      sum.sinkState(queue: .passthrough) { received.record($0.primitive) }.storeWhileSourceActive()
      let states = sum.states(buffering: .unbounded)
      loop = Task { for await value in states { values.record(value) } }
    }
    try await expectTrue(eventuallyAmongTasks { values.count == 1 })
    stores?.0.commit { $0.count = 1 }
    stores?.1.commit { $0.count = 2 }
    expectTrue(received.elements == [0, 1, 3] && kept != nil)
    stores = nil
    await loop?.value
    expectEqual(values.elements, [0, 1, 3])
    loop = nil
    try await expectTrue(eventuallyAmongTasks { kept == nil })
  }

  @Test("Without inputs the value is constant")
  func nothing() {
    let constant = Derived.combined { 5 }
    expectEqual(constant.value, 5)
  }
}
