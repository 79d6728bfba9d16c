import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("A refused commit is reported")
struct RefusedCommitTests {
  struct Note: StateType { var number = 0 }

  private static func store(logger: StoreLogger? = nil) -> Store<Note, Never> {
    Store(
      initialState: Note(),
      middleware: [
        StoreMiddleware { _, after, _ in
          if after.number < 0 { throw Refused(reason: "negative") }
        }
      ], logger: logger)
  }

  @Test("The problem handler receives it once, with its name and the thrown error")
  func handler() {
    let store = Self.store()
    let problems = Recorder<StoreProblem>()
    store.onProblem { problems.record($0) }.storeWhileSourceActive()
    store.commit("Count") { $0.number = -1 }
    store.commit { $0.number = -2 }
    expectEqual(
      problems.elements.map(\.description),
      [
        #"the commit Count was ignored: Refused(reason: "negative")"#,
        #"a commit was ignored: Refused(reason: "negative")"#,
      ])
    expectEqual(problems.last?.error as? Refused, Refused(reason: "negative"))
    expectEqual(store.state, Note())
    // What is thrown is not reported as well.
    #expect(throws: Refused.self) { try store.tryCommit { $0.number = -1 } }
    expectEqual(problems.count, 2)
  }

  @Test("The logger and the handler receive it once")
  func logger() {
    let log = Recorder<String>()
    let store = Self.store(
      logger: StoreLogger { entry in
        switch entry {
        case .refused(let name, let error): log.record("refused \(name ?? "") \(error)")
        case .ignored(let problem): log.record("ignored \(problem)")
        case .committed, .taskFailed: break
        }
      })
    store.commit("Count") { $0.number = -1 }
    expectEqual(log.elements, [#"refused Count Refused(reason: "negative")"#])
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    store.commit("Count") { $0.number = -1 }
    expectEqual(log.count, 2)
    expectEqual(problems.count, 1)
  }

  @Test("The handler is called without a lock and may commit")
  func committingInHandler() {
    let store = Self.store()
    store.onProblem { [weak store] _ in
      guard let store else { return }
      store.commit { $0.number = 5 }
      onAnotherThread { store.commit { $0.number += 1 } }
    }.storeWhileSourceActive()
    store.commit { $0.number = -1 }
    expectEqual(store.state.number, 6)
  }

  @Test("Each observer of problems is called until its subscription ends")
  func observers() {
    let store = Self.store()
    let problems = Recorder<String>()
    let first = store.onProblem { _ in problems.record("first") }
    store.onProblem { _ in problems.record("second") }.storeWhileSourceActive()
    store.commit { $0.number = -1 }
    expectEqual(problems.elements, ["first", "second"])
    first.cancel()
    store.commit { $0.number = -1 }
    expectEqual(problems.elements, ["first", "second", "second"])
    let kept = store.onProblem { _ in problems.record("third") }.storeWhileSourceActive()
    kept.cancel()
    store.commit { $0.number = -1 }
    expectEqual(problems.count, 4)
  }

  #if DEBUG
    @Test("Without a handler and a logger the first one of a store is printed")
    func printed() {
      let store = Self.store()
      let lines = Recorder<String>()
      store.core.problems.printer.withLock { $0 = { lines.record($0) } }
      store.commit("Count") { $0.number = -1 }
      store.commit("Count") { $0.number = -1 }
      expectEqual(lines.count, 1)
      expectEqual(lines.last?.contains("the commit Count was ignored"), true)
      let handled = Self.store()
      handled.core.problems.printer.withLock { $0 = { lines.record($0) } }
      handled.onProblem { _ in }.storeWhileSourceActive()
      handled.commit { $0.number = -1 }
      expectEqual(lines.count, 1)
    }
  #endif
}

@Suite("States that are not Equatable")
struct IncomparableStateTests {
  struct Session: Sendable {
    var user = "ann"
    var render: @Sendable () -> String = { "" }
  }

  @Test("Every commit is a change, even an empty one")
  func withoutComparison() {
    let store = Store<Session, Never>(initialState: Session())
    let received = Tally()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in received.add()
    }
    store.commit { _ in }
    expectEqual(received.count, 1)
    expectTrue(store.canUndo)
    withExtendedLifetime(subscription) {}
  }

  @Test("With a comparison, a commit that leaves an equal state notifies no observer")
  func withComparison() {
    let store = Store<Session, Never>(
      initialState: Session(), isEqual: { $0.user == $1.user })
    let received = Recorder<String>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.user)
    }
    store.commit { _ in }
    store.commit { $0.user = "ann" }
    expectEqual(received.elements, [])
    expectFalse(store.canUndo)
    store.commit { $0.user = "bob" }
    expectEqual(received.elements, ["bob"])
    withExtendedLifetime(subscription) {}
  }

  @Test("A row that is equal to the one in the table is no change")
  func equalRow() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, price: 1)]))
    let received = Tally()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in received.add()
    }
    store.put(Item(id: 1, price: 1))
    expectEqual(received.count, 0)
    withExtendedLifetime(subscription) {}
  }
}
