import EntiaLaws
import EntiaStore
import Testing

@Suite("Law 24: a commit inside a commit is replayed faithfully, or the outer one is refused")
struct ReplayedCommitTests {
  struct State: StateType {
    var count = 0
    var flag = false
    var log: [String] = []
  }

  private let problems = Recorder<String>()

  private let reports = Recorder<String>()

  private func makeStore() -> Store<State, String> {
    let (problems, reports) = (problems, reports)
    let store = Store<State, String>(
      initialState: State(),
      logger: StoreLogger { entry in
        if case .refused(_, let error) = entry { problems.record("\(error)") }
      })
    store.onProblem { reports.record("\($0)") }
    return store
  }

  @Test("Another inner commit in the second call refuses the outer one, whatever its result's type")
  func otherCommit() {
    let store = makeStore()
    let made = Recorder<String>()
    store.commit("outer") { state in
      state.count += 1
      if state.flag {
        store.commit {
          $0.log.append("A")
          made.record("A")
        }
      } else {
        store.commit {
          $0.flag = true
          made.record("B")
        }
      }
    }
    #expect(store.state == State() && made.elements == ["B", "A"])
    #expect(problems.count == 1 && problems.last?.contains("another edit") == true)
    #expect(reports.count == 1 && reports.last?.contains("the commit outer") == true)
    #expect(throws: NestedCommitError(reason: .otherEdit)) {
      try store.tryCommit { state in
        state.count += 1
        let isSet = state.flag
        store.commit { $0.flag = !isSet }
      }
    }
    #expect(store.state == State() && !store.canUndo)
  }

  @Test("An inner commit that threw receives the same state in the second call")
  func thrown() throws {
    struct Empty: Error {}
    let store = makeStore()
    let caught = Recorder<Bool>()
    try store.tryCommit { state in
      state.count += 1
      do {
        try store.commit { inner in
          if inner.log.isEmpty { throw Empty() }
          inner.count += 10
        }
        caught.record(false)
      } catch {
        caught.record(true)
      }
      store.commit { $0.log = ["x"] }
    }
    #expect(caught.elements == [true, true])
    #expect(store.state == State(count: 1, log: ["x"]))
  }

  @Test(
    "An inner commit that the second call leaves out, or makes in addition, refuses the outer one")
  func otherNumber() throws {
    let store = makeStore()
    #expect(throws: NestedCommitError(reason: .leftOut)) {
      try store.tryCommit { state in
        state.count += 1
        if !state.flag { store.commit { $0.flag = true } }
      }
    }
    #expect(throws: NestedCommitError(reason: .additional)) {
      try store.tryCommit { state in
        state.count += 1
        store.commit { $0.flag = true }
        if state.flag { store.commit { $0.count += 10 } }
      }
    }
    #expect(store.state == State())
    // One that changes nothing is nothing to be lost.
    try store.tryCommit { state in
      state.count += 1
      store.commit { $0.flag = true }
      if state.flag { store.commit { $0.flag = true } }
    }
    #expect(store.state == State(count: 1, flag: true))
  }

  @Test("An inner tryCommit throws at its call when it cannot be replayed")
  func innerThrows() {
    let store = makeStore()
    let caught = Recorder<String>()
    store.commit { state in
      state.count += 1
      let isSet = state.flag
      do {
        try store.tryCommit {
          $0.log.append("\(isSet)")
          $0.flag = true
        }
      } catch {
        caught.record("\(error)")
      }
    }
    #expect(caught.count == 1 && caught.last == problems.last)
    #expect(store.state == State())
  }

  @Test("A state that cannot be compared refuses a commit with edits on both levels")
  func incomparable() throws {
    struct Opaque: Sendable { var first = 0 }
    let store = Store<Opaque, Never>(initialState: Opaque())
    let error = #expect(throws: NestedCommitError.self) {
      try store.tryCommit { state in
        state.first += 1
        store.commit { $0.first += 10 }
      }
    }
    #expect(error?.reason == .incomparable)
    #expect(error?.description.contains("Equatable") == true && store.state.first == 0)
  }

  @Test("Results and thrown errors in the second call are those of the second call")
  func results() throws {
    let store = makeStore()
    let seen = Recorder<String>()
    try store.tryCommit { state in
      state.count += 1
      let number = store.commit { state -> Int in
        state.count += 10
        return state.count
      }
      let text = store.commit { state -> String in "\(state.count)" }
      seen.record("\(number) \(text)")
      #expect(throws: Refused(reason: "inner")) {
        try store.commit { state in
          state.flag = true
          throw Refused(reason: "inner")
        }
      }
    }
    #expect(seen.elements == ["10 10", "10 10"])
    #expect(store.state == State(count: 11))
  }

  @Test("Deep nesting calls each closure as often as there are levels, not twice as often a level")
  func depth() throws {
    let store = Store<[Int], Never>(initialState: Array(repeating: 0, count: 12))
    let calls = Recorder<Int>()
    func nest(_ level: Int) {
      store.commit { state in
        calls.record(level)
        state[level] += 1
        if level + 1 < 12 { nest(level + 1) }
      }
    }
    nest(0)
    #expect(store.state == Array(repeating: 1, count: 12))
    #expect(calls.count < 12 * 14, "\(calls.count) calls")
  }

  @Test("A commit inside a middleware is replayed, and one inside reduce refuses the commit")
  func hooks() throws {
    struct Reduced: StateType {
      @TaskLocal static var store: Store<Reduced, Never>?

      var count = 0
      var other = 0

      static func reduce(modifying state: inout Reduced, previous: Reduced) {
        store?.commit { $0.other += 1 }
        state.count *= 2
      }
    }
    let store = Store<Reduced, Never>(initialState: Reduced())
    let versions = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { versions.record($0.other) }
    Reduced.$store.withValue(store) {
      #expect(throws: NestedCommitError(reason: .insideReduce)) {
        try store.tryCommit { $0.count = 1 }
      }
    }
    #expect(store.state == Reduced() && versions.elements == [0])
    store.commit { $0.count = 1 }
    #expect(store.state.count == 2)
    subscription.cancel()
  }

  static let seeds: [UInt64] = (0..<scaled(60)).map { UInt64($0) }

  /// A random commit: pure functions of the state that are made at random places in each other.
  indirect enum Plan: Sendable {
    case edit(Int)
    case nested([Plan])

    static func random(_ depth: Int, _ random: inout SeededGenerator) -> Plan {
      if depth == 0 || Bool.random(using: &random) {
        return .edit(.random(in: 0..<4, using: &random))
      }
      return .nested(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(depth - 1, &random) })
    }
  }

  /// Does to a list what a number says, which depends on what is there.
  private static func edit(_ list: inout [Int], _ number: Int) {
    if let index = list.firstIndex(of: number) {
      list.remove(at: index)
    } else {
      list.insert(number, at: list.count / 2)
    }
  }

  private static func run(_ plan: Plan, _ state: inout [Int], in store: Store<[Int], Never>) {
    switch plan {
    case .edit(let number): edit(&state, number)
    case .nested(let plans):
      for plan in plans {
        if case .edit = plan {
          run(plan, &state, in: store)
        } else {
          store.commit { run(plan, &$0, in: store) }
        }
      }
    }
  }

  /// Edits of the inner commits first, in order, and then those of the closure itself, if it makes
  /// any.
  private static func expected(_ plan: Plan, _ state: inout [Int]) {
    guard case .nested(let plans) = plan else { return }
    var own = state
    for plan in plans { run(plan, &own) }
    let hasEdits = own != state
    for plan in plans { expected(plan, &state) }
    if hasEdits { for plan in plans { run(plan, &state) } }
  }

  private static func run(_ plan: Plan, _ state: inout [Int]) {
    if case .edit(let number) = plan { edit(&state, number) }
  }

  @Test("The result of any nesting equals that of the inner commits made first", arguments: seeds)
  func nesting(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Store<[Int], Never>(initialState: [])
    var model: [Int] = []
    for step in 0..<20 {
      let plan = Plan.nested((0..<3).map { _ in .random(3, &random) })
      try store.tryCommit { Self.run(plan, &$0, in: store) }
      Self.expected(plan, &model)
      #expect(store.state == model, "seed \(seed), step \(step), \(plan)")
    }
  }
}
