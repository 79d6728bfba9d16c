import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 21: random histories")
struct RandomHistoryTests {
  struct Value: StateType {
    var a = 0
    var b = 0
  }

  /// A seed that fails is printed with its step; `ENTIA_TEST_SCALE` adds more.
  static let seeds: [UInt64] = (0..<scaled(20)).map { UInt64($0) }

  @Test(
    "At most one callback a commit, one while the observer keeps up; the last is the current",
    arguments: seeds)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    for step in 0..<200 {
      model.perform(&random)
      let problem = model.problem
      expectNil(problem, "seed \(seed), step \(step)")
      if problem != nil { return }
    }
  }

  /// What one observer received, and what it should have received.
  struct Observer {
    let subscription: StoreSubscription
    let project: (Value) -> [Int]
    let received = Recorder<[[Int]?]>()
    var expected: [[[Int]?]] = []

    init(
      seeing project: @escaping (Value) -> [Int],
      subscribe: (@escaping @Sendable (_ before: [Int]?, _ now: [Int]) -> Void)
        -> StoreSubscription
    ) {
      self.project = project
      let received = received
      subscription = subscribe { received.record([$0, $1]) }
    }
  }

  /// A store and a record of what its observers must receive.
  struct Model {
    let store = Store<Value, Never>(initialState: Value())
    let sum: Derived<Int>
    let parity: Derived<Int>
    var state = Value()
    var observers: [Observer] = []
    /// Observers that were canceled: they must never be called again.
    var former: [Observer] = []

    init() {
      sum = store.derived(.map { $0.a + $0.b })
      parity = sum.derived(.map { $0 % 2 })
    }

    mutating func perform(_ random: inout SeededGenerator) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5: commit(&random)
      case 5: commitThatThrows(&random)
      case 6: commitInTwoSteps(&random)
      case 7: commitAndSetBack(&random)
      case 8, 9: subscribe(&random)
      case 10: cancel(&random)
      default: chainedCommits(&random)
      }
    }

    var problem: String? {
      if store.state != state { return "state \(store.state) instead of \(state)" }
      if sum.value != state.a + state.b { return "sum \(sum.value) in \(state)" }
      if parity.value != (state.a + state.b) % 2 { return "parity \(parity.value) in \(state)" }
      for (index, observer) in (observers + former).enumerated()
      where observer.received.elements != observer.expected {
        return "observer \(index) received \(observer.received.elements), not \(observer.expected)"
      }
      return nil
    }

    private mutating func expect(_ new: Value) {
      for index in observers.indices {
        let before = observers[index].project(state)
        let now = observers[index].project(new)
        if before != now { observers[index].expected.append([before, now]) }
      }
      state = new
    }

    private func randomValue(_ random: inout SeededGenerator) -> Value {
      Value(a: .random(in: 0...5, using: &random), b: .random(in: 0...1, using: &random))
    }

    private mutating func commit(_ random: inout SeededGenerator) {
      let new = randomValue(&random)
      store.commit { $0 = new }
      expect(new)
    }

    private func commitThatThrows(_ random: inout SeededGenerator) {
      let new = randomValue(&random)
      #expect(throws: Refused.self) {
        try store.commit { state in
          state = new
          throw Refused()
        }
      }
    }

    private mutating func commitInTwoSteps(_ random: inout SeededGenerator) {
      let new = randomValue(&random)
      store.commit { state in
        state.a = new.a
        state.b = new.b
      }
      expect(new)
    }

    private func commitAndSetBack(_ random: inout SeededGenerator) {
      let new = randomValue(&random)
      store.commit { state in
        let old = state
        state = new
        state = old
      }
    }

    /// One commit, and two more that an observer makes when it is called for it: the others are
    /// behind by two then, and are called once.
    private mutating func chainedCommits(_ random: inout SeededGenerator) {
      let values = (0..<3).map { _ in randomValue(&random) }
      let (first, second, third) = (values[0], values[1], values[2])
      let isDone = Recorder<Bool>()
      let store = store
      let starter = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
        guard isDone.count == 0 else { return }
        isDone.record(true)
        store.commit { $0 = second }
        store.commit { $0 = third }
      }
      let isChange = first != state
      store.commit { $0 = first }
      expect(first)
      if isChange { expect(third) }
      starter.cancel()
    }

    private static func both(_ value: Value) -> [Int] { [value.a, value.b] }
    private static func sum(_ value: Value) -> [Int] { [value.a + value.b] }
    private static func parity(_ value: Value) -> [Int] { [(value.a + value.b) % 2] }

    private mutating func subscribe(_ random: inout SeededGenerator) {
      let dropsFirst = Bool.random(using: &random)
      let (store, sum, parity) = (store, sum, parity)
      var observer =
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          Observer(seeing: Self.both) { receive in
            store.sinkState(dropsFirst: dropsFirst, queue: .passthrough) { state in
              receive(state.previous.map { [$0.a, $0.b] }, [state.a, state.b])
            }
          }
        case 1:
          Observer(seeing: Self.sum) { receive in
            sum.sinkState(dropsFirst: dropsFirst, queue: .passthrough) { sum in
              receive(sum.previous.map { [$0.primitive] }, [sum.primitive])
            }
          }
        default:
          Observer(seeing: Self.parity) { receive in
            parity.sinkState(dropsFirst: dropsFirst, queue: .passthrough) { parity in
              receive(parity.previous.map { [$0.primitive] }, [parity.primitive])
            }
          }
        }
      if !dropsFirst { observer.expected.append([nil, observer.project(state)]) }
      observers.append(observer)
    }

    private mutating func cancel(_ random: inout SeededGenerator) {
      guard let index = observers.indices.randomElement(using: &random) else { return }
      observers[index].subscription.cancel()
      former.append(observers.remove(at: index))
    }
  }
}
