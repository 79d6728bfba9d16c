import EntiaDatabase
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Law 24: a commit inside a commit to the same store stops the process")
struct NestedCommitTests {
  struct Pair: StateType {
    var first = 0
    var second = 0
    var library = Library()
  }

  /// What the process prints when it is stopped.
  private static func message(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }

  @Test("Both names are printed, and what to do")
  func names() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit("outer") { state in
        state.first = 1
        store.commit("inner") { $0.second = 2 }
      }
    }
    let message = Self.message(result)
    expectTrue(message.contains(#"the commit "inner" was begun inside the commit "outer""#))
    expectTrue(message.contains("inout State"))
  }

  @Test("Files and lines are printed for commits without names")
  func places() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in
        store.commit { _ in }
      }
    }
    let message = Self.message(result)
    let file = "the commit at EntiaStoreTests/NestedCommitTests.swift:"
    // Inside of the macro, each line is that of the macro.
    let lines = message.split(separator: file).dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
    expectTrue(message.contains("was begun inside \(file)"))
    expectTrue(lines.count == 2 && lines[0] == lines[1], "\(message)")
  }

  @Test("A commit that edits nothing, or whose closure throws, stops too")
  func withoutEdits() async {
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in try? store.tryCommit { _ in throw Refused() } }
    }
  }

  @Test("Every way to commit stops")
  func allWays() async {
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let scope = store.scope(\.library)
      store.commit { _ in scope.commit { $0 = Library() } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let scope = store.scope(\.first)
      scope.commit { _ in store.commit { $0.second = 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let pointer = store.ref(\.second)
      store.commit { _ in pointer.value = 1 }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let pointer = store.ref(\.second)
      try pointer.update { _ in store.commit { $0.first = 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in try? store.batch(\.library) { _ in } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      try store.batch(\.library) { _ in store.commit { $0.first = 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit(undo: .none) { _ in store.commit { $0.first = 1 } }
    }
  }

  @Test("Undoing and redoing stop, also those of a part")
  func undoing() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { $0.first = 1 }
      store.commit("outer") { _ in store.undo() }
    }
    expectTrue(
      Self.message(result).contains(#"an undo or a redo was begun inside the commit "outer""#))
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in store.redo() }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in store.undo(\.first) }
    }
  }

  @Test("Layers and drafts stop")
  func layersAndDrafts() async {
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      try store.commit { _ in _ = try store.addLayer { $0.first = 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let layer = try store.addLayer { $0.first = 1 }
      try store.commit { _ in try layer.confirm() }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let layer = try store.addLayer { $0.first = 1 }
      store.commit { _ in layer.rollBack() }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      _ = try store.addLayer { _ in store.commit { $0.first = 1 } }
    }
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let draft = store.draft(\.library)
      try store.commit { _ in try draft.save() }
    }
  }

  @Test("A commit inside a hook stops")
  func hooks() async {
    struct Reduced: StateType {
      @TaskLocal static var store: Store<Reduced, Never>?
      var count = 0

      static func reduce(modifying state: inout Reduced, previous: Reduced) {
        store?.commit { $0.count += 1 }
      }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store<Pair, Never>(initialState: Pair())
      let hook = store.add(
        middleware: StoreMiddleware { [weak store] _, _, _ in
          store?.commit("inner") { $0.second = 1 }
        })
      store.commit("outer") { $0.first = 1 }
      withExtendedLifetime(hook) {}
    }
    expectTrue(
      Self.message(result).contains(#"the commit "inner" was begun inside the commit "outer""#))
    await #expect(processExitsWith: .failure) {
      let store = Store<Reduced, Never>(initialState: Reduced())
      Reduced.$store.withValue(store) { store.commit { $0.count = 1 } }
    }
  }

  @Test("Through another store, a commit to the first store stops")
  func throughAnotherStore() async {
    await #expect(processExitsWith: .failure) {
      let store = Store<Pair, Never>(initialState: Pair())
      let other = Store<Pair, Never>(initialState: Pair())
      store.commit { _ in other.commit { _ in store.commit { $0.first = 1 } } }
    }
  }

  @Test("Commits to other stores, and to scopes of other stores, are made immediately")
  func otherStores() {
    let store = Store<Pair, Never>(initialState: Pair())
    let other = Store<Pair, Never>(initialState: Pair())
    let scope = other.scope(\.second)
    store.commit { state in
      other.commit { $0.first = 1 }
      scope.commit { $0 = 2 }
      state.first = other.state.first + other.state.second
    }
    expectTrue(store.state.first == 3 && other.state == Pair(first: 1, second: 2))
  }

  @Test("Reading the store and its undo steps inside a commit returns the state before")
  func reading() {
    let store = Store<Pair, Never>(initialState: Pair())
    store.commit { $0.first = 1 }
    store.commit(undo: .none) { $0.second = 5 }
    store.commit { state in
      state.first = 2
      expectTrue(store.state.first == 1 && store.ref(\.first).value == 1)
      expectEqual(store.undoState, Pair(first: 0, second: 5))
    }
    expectEqual(store.state, Pair(first: 2, second: 5))
  }

  @Test("A value that a commit releases may commit in its deinit, after the closure")
  func deinits() {
    final class Committing: Sendable {
      let commit: @Sendable () -> Void
      init(_ commit: @escaping @Sendable () -> Void) { self.commit = commit }
      deinit { commit() }
    }
    struct Held: Sendable {
      var count = 0
      var object: Committing?
    }
    let store = Store<Held, Never>(initialState: Held(), undoDepth: 0)
    let increment: @Sendable () -> Void = { [weak store] in store?.commit { $0.count += 1 } }
    store.commit { $0.object = Committing(increment) }
    store.commit { $0.object = nil }
    expectEqual(store.state.count, 1)
    #expect(throws: Refused.self) {
      try store.commit { state in
        state.object = Committing(increment)
        throw Refused()
      }
    }
    expectEqual(store.state.count, 2)
  }

  @Test("Activities of a commit are sent once, after the state; those of a failed one are not")
  func activities() {
    let store = Store<Int, String>(initialState: 0)
    let received = Recorder<String>()
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { received.record("\($0.primitive)") },
      store.sinkActivity(queue: .passthrough) { received.record($0) },
    ]
    store.commit {
      store.send("sent")
      $0 = 1
    }
    #expect(throws: Refused.self) {
      try store.commit { _ in
        store.send("never heard")
        throw Refused()
      }
    }
    expectEqual(received.elements, ["1", "sent"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A commit of another thread waits for the commit lock")
  func otherThread() {
    let store = Store<Pair, Never>(initialState: Pair())
    let order = Recorder<String>()
    let second = BackgroundWork()
    store.commit { state in
      state.first = 1
      second.start {
        store.commit { state in
          order.record("second sees \(state.first)")
          state.first += 1
        }
      }
      order.record("first ends")
    }
    second.wait()
    expectEqual(order.elements, ["first ends", "second sees 1"])
    expectEqual(store.state.first, 2)
  }
}
