import Dispatch
import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("Derived values")
struct DerivedTests {
  struct Value: StateType {
    var count = 0
    var text = ""
  }

  /// Something that cannot be compared.
  struct Opaque: Sendable { var count: Int }

  private let store = Store<Value, Never>(initialState: Value())

  @Test("Law 20: right after commit returns, every value of a chain is the new one")
  func consistent() {
    let count = store.derived(.select(\.count))
    let doubled = count.derived(.map { $0 * 2 })
    let text = doubled.derived(.map { "\($0)" })
    for number in [1, 5, 5, 0] {
      store.commit { $0.count = number }
      expectEqual(count.value, number)
      expectEqual(doubled.state, number * 2)
      expectEqual(text.value, "\(number * 2)")
    }
  }

  @Test("Law 20: also during an earlier delivery on this or another thread")
  func consistentWhileDelivering() {
    let count = store.derived(.select(\.count))
    let seen = Recorder<Int>()
    let store = store
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      guard state.count == 1 else { return }
      store.commit { $0.count = 2 }
      seen.record(count.value)
      onAnotherThread {
        store.commit { $0.count = 3 }
        seen.record(count.value)
      }
    }
    store.commit { $0.count = 1 }
    expectEqual(seen.elements, [2, 3])
    withExtendedLifetime(subscription) {}
  }

  /// A source that counts its reads.
  private final class Counting: StateSource {
    let reads = Tally()
    let broadcaster: StoreBroadcaster

    init(_ broadcaster: StoreBroadcaster) { self.broadcaster = broadcaster }

    var observedRegion: ObservedRegion { .states }

    func value(at version: SourceVersion) -> StateVersion<Value> {
      reads.add()
      return version.current.of(Value.self)
    }
  }

  @Test("A commit reads the source of a chain of observed values a fixed number of times")
  func observedChain() {
    let source = Counting(store.core.broadcaster)
    var chain = [Derived(.map { $0.count }, of: source)]
    while chain.count < 100 { chain.append(chain[chain.count - 1].derived(.map { $0 + 1 })) }
    let received = Recorder<Int>()
    let subscriptions = chain.map {
      $0.sinkState(queue: .passthrough) { received.record($0.primitive) }
    }
    let before = source.reads.count
    store.commit { $0.count = 1 }
    expectEqual(source.reads.count - before, 1)
    expectEqual(received.elements.suffix(100), Array(1...100))
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 22: computed when read, and again only when the input changed")
  func remembered() {
    let countCalls = Recorder<Int>()
    let textCalls = Recorder<Int>()
    let count = store.derived(
      .map { state in
        countCalls.record(state.count)
        return state.count
      })
    let text = count.derived(
      .map { count in
        textCalls.record(count)
        return "\(count)"
      })
    store.commit { $0.count = 1 }
    expectTrue(countCalls.elements.isEmpty)
    expectEqual(text.value, "1")
    expectEqual(text.value, "1")
    expectEqual(countCalls.elements, [1])
    store.commit { $0.text = "unrelated" }
    expectEqual(text.value, "1")
    expectEqual(countCalls.elements, [1, 1])
    expectEqual(textCalls.elements, [1])
  }

  @Test("Law 22: several observers of one derived value share its computation")
  func shared() {
    let calls = Recorder<Int>()
    let count = store.derived(
      .map { state in
        calls.record(state.count)
        return state.count
      })
    let subscriptions = (0..<10).map { _ in count.sinkState(queue: .passthrough) { _ in } }
    store.commit { $0.count = 1 }
    store.commit { $0.count = 2 }
    expectEqual(calls.elements, [0, 1, 2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 21: observers are called if and only if the value changed, with the previous value")
  func onlyChanges() {
    let parity = store.derived(.map { $0.count % 2 })
    let label = parity.derived(.map { $0 == 0 ? "even" : "odd" })
    let received = Recorder<[Int?]>()
    let labels = Recorder<String>()
    let subscriptions = [
      parity.sinkState(queue: .passthrough) {
        received.record([$0.previous?.primitive, $0.primitive])
      },
      label.sinkState(dropsFirst: true, queue: .passthrough) { labels.record($0.primitive) },
    ]
    for count in [2, 3, 5, 5, 4] { store.commit { $0.count = count } }
    store.commit { $0.text = "unrelated" }
    expectEqual(received.elements, [[nil, 0], [0, 1], [1, 0]])
    expectEqual(labels.elements, ["odd", "even"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A value that cannot be compared is published at each change of its source")
  func opaque() {
    let opaque = store.derived(.map { Opaque(count: $0.count) })
    let received = Recorder<Int>()
    let subscription = opaque.sinkState(queue: .passthrough) { received.record($0.count) }
    store.commit { $0.text = "unrelated" }
    store.commit { $0.count = 1 }
    expectEqual(received.elements, [0, 0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test("dropsFirst compares with the value at the subscription")
  func dropsFirst() {
    let parity = store.derived(.map { $0.count % 2 })
    let received = Recorder<[Int?]>()
    let subscription = parity.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record([$0.previous?.primitive, $0.primitive])
    }
    store.commit { $0.count = 2 }
    store.commit { $0.count = 3 }
    expectEqual(received.elements, [[0, 1]])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "Law 21: an observer that falls behind receives the newest value, with that of its last call")
  func lagging() {
    let queue = DispatchQueue(label: "observers")
    let doubled = store.derived(.map { $0.count * 2 })
    let received = Recorder<[Int?]>()
    queue.suspend()
    let subscription = doubled.sinkState(queue: .asyncSerialQueue(queue)) {
      received.record([$0.previous?.primitive, $0.primitive])
    }
    for count in 1...5 {
      store.commit { $0.count = count }
      expectEqual(doubled.value, count * 2)
    }
    queue.resume()
    queue.sync {}
    expectEqual(received.elements, [[nil, 0], [0, 10]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 22: a result for an older state does not replace the newest result")
  func newestRemembered() {
    let calls = Recorder<Int>()
    let count = store.derived(
      .map { state in
        calls.record(state.count)
        return state.count
      })
    let store = store
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { state in
        guard state.count == 1 else { return }
        store.commit { $0.count = 2 }
        expectEqual(count.value, 2)
      },
      count.sinkState(queue: .passthrough) { _ in _ = count.value },
    ]
    store.commit { $0.count = 1 }
    expectEqual(calls.elements, [0, 2, 1])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A derivation may read the store and other derived values")
  func reading() {
    let store = store
    let count = store.derived(.select(\.count))
    let sum = store.derived(.map { $0.count + count.value + store.state.count })
    store.commit { $0.count = 2 }
    expectEqual(sum.value, 6)
  }

  @Test("Observers of derived values receive the names of commits")
  func names() {
    let count = store.derived(.select(\.count))
    let names = Recorder<String?>()
    let subscription = count.sinkState(dropsFirst: true, queue: .passthrough) {
      names.record($0.commitName)
    }
    store.commit("counted") { $0.count = 1 }
    expectEqual(names.elements, ["counted"])
    withExtendedLifetime(subscription) {}
  }
}
