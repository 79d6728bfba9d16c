import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Derived values: several at once, sharing, comparing and writing")
struct DerivedPipelineTests {
  struct Value: StateType {
    var count = 0
    var text = ""
    var names: [String] = []
  }

  private let store = Store<Value, Never>(initialState: Value())

  @Test("Law 21: observers of combined values are called once a commit, with consistent values")
  func combined() {
    let count = store.derived(.select(\.count))
    let negative = store.derived(.map { -$0.count })
    let doubled = count.derived(.map { $0 * 2 })
    let sum = Derived.combined(count, negative, doubled) { [$0, $1, $2, $0 + $1] }
    let received = Recorder<[Int]>()
    let subscription = sum.sinkState(queue: .passthrough) { received.record($0.primitive) }
    for number in [1, 1, 3] { store.commit { $0.count = number } }
    store.commit { $0.text = "unrelated" }
    expectEqual(received.elements, [[0, 0, 0, 0], [1, -1, 2, 0], [3, -3, 6, 0]])
    expectEqual(sum.value, [3, -3, 6, 0])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 22: a combined value is computed again only when an input changed")
  func combinedRemembered() {
    let calls = Tally()
    let isEven = store.derived(.map { $0.count.isMultiple(of: 2) })
    let text = store.derived(.select(\.text))
    let both = Derived.combined(isEven, text) { isEven, text in
      calls.add()
      return "\(isEven) \(text)"
    }
    expectEqual(both.value, "true ")
    for number in [2, 4, 6] {
      store.commit { $0.count = number }
      expectEqual(both.value, "true ")
    }
    expectEqual(calls.count, 1)
    store.commit { $0.count = 7 }
    expectEqual(both.value, "false ")
    expectEqual(calls.count, 2)
  }

  @Test("Law 23: combined values are consistent on any thread")
  func combinedOnThreads() {
    let first = store.derived(.map { $0.count })
    let second = store.derived(.map { -$0.count })
    let sum = Derived.combined(first, second) { $0 + $1 }
    let store = store
    onThreads(4) { thread in
      for _ in 0..<scaled(67) {
        if thread < 2 { store.commit { $0.count += 1 } } else { expectEqual(sum.value, 0) }
      }
    }
    expectEqual(sum.value, 0)
  }

  @Test("Law 22: observers of combined rows are notified of those rows only")
  func combinedRows() {
    let store = Store<_, Never>(initialState: ShopState(items: (0..<9).map { Item(id: $0) }))
    let asked = Tally()
    let pair = Derived.combined(
      store.entity(Item.EntityID(1), in: \.shop),
      store.entity(Item.EntityID(2), in: \.other)
    ) { first, second in
      asked.add()
      return "\(first?.name ?? "-") \(second?.name ?? "-")"
    }
    let received = Recorder<String>()
    let subscription = pair.sinkState(queue: .passthrough) { received.record($0.primitive) }
    store.put(Item(id: 3, name: "three"))
    store.put(Item(id: 1, name: "one"))
    store.commit { state in
      state.other.performBatchUpdates { _ = $0.modifying.items.insert(Item(id: 2, name: "two")) }
    }
    expectEqual(received.elements, [" -", "one -", "one two"])
    expectEqual(asked.count, 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("A custom comparison determines whether a value changed")
  func comparing() {
    let names = store.derived(
      .map { $0.names }.removingDuplicates { $0.sorted() == $1.sorted() })
    let received = Recorder<[String]>()
    let subscription = names.sinkState(queue: .passthrough) { received.record($0.primitive) }
    store.commit { $0.names = ["b", "a"] }
    store.commit { $0.names = ["a", "b"] }
    store.commit { $0.names = ["a"] }
    expectEqual(received.elements, [[], ["b", "a"], ["a"]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 22: equal definitions share one computation, released with their last reference")
  func shared() {
    let calls = Tally()
    weak var watched: Token?
    @Sendable func lengths(_ token: Token) -> Derivation<Value, [Int]> {
      .map {
        calls.add()
        withExtendedLifetime(token) {}
        return $0.names.map(\.count)
      }.shared(id: "lengths")
    }
    do {
      let token = Token()
      watched = token
      let first = store.derived(lengths(token))
      let second = store.derived(lengths(Token()))
      for number in 0..<5 {
        store.commit { $0.names.append("\(number)") }
        expectEqual(first.value, second.value)
      }
      expectEqual(calls.count, 5)
      let total = first.derived(.map { $0.count }.shared(id: 1))
      expectEqual(second.derived(.map { _ in -1 }.shared(id: 1)).value, total.value)
    }
    expectNil(watched)
    expectEqual(store.derived(lengths(Token())).value, [1, 1, 1, 1, 1])
    expectEqual(calls.count, 6)
  }

  @Test("Law 20: many definitions that are created and released stay correct")
  func manyShared() {
    for round in 0..<200 {
      let held = (0..<3).map { offset in
        store.derived(.map { [$0.count, offset] }.shared(id: [round, offset]))
      }
      expectEqual(held.map(\.value), (0..<3).map { [round, $0] })
      store.commit { $0.count += 1 }
    }
  }

  @Test("A derivation that does not depend on its input alone is reported in debug builds")
  func stability() {
    let calls = Tally()
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let unstable = store.derived(
      .map { state in
        calls.add()
        return state.count + calls.count
      }.checked())
    let stable = store.derived(.map { $0.count + 1 }.checked())
    expectEqual(stable.value, 1)
    _ = unstable.value
    #if DEBUG
      expectEqual(
        problems.elements,
        [
          "a derived Int was ignored: its function gave 1, then 2 for the same input"
        ])
    #else
      expectTrue(problems.elements.isEmpty)
    #endif
  }

  @Test("A derived value can be written back, as a commit that can be undone")
  func twoWay() throws {
    let words = store.derived(
      get: { $0.text.split(separator: " ").map(String.init) },
      set: { $0.text = $1.joined(separator: " ") })
    let received = Recorder<[String]>()
    let subscription = words.addObserver { received.record($0) }
    words.value = ["a", "b"]
    try words.update("Add") { $0.append("c") }
    expectEqual(store.text, "a b c")
    expectEqual(received.elements, [["a", "b"], ["a", "b", "c"]])
    expectEqual(store.undoName, "Add")
    store.undo()
    expectEqual(words.value, ["a", "b"])
    withExtendedLifetime(subscription) {}
  }
}
