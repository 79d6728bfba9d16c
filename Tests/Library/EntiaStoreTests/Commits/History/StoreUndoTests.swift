import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Undo in a store")
struct StoreUndoTests {
  struct Text: StateType {
    var text = ""
    var font = 0
  }

  private func makeStore(undoDepth: Int = 100) -> Store<Text, Never> {
    Store(initialState: Text(), undoDepth: undoDepth)
  }

  @Test("A commit is undone and redone, and observers are notified in order")
  func undoAndRedo() {
    let store = makeStore()
    let received = Recorder<String>()
    let names = Recorder<String?>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record("\(state.previous?.text ?? "")>\(state.text)")
      names.record(state.commitName)
    }
    expectTrue(!store.canUndo && !store.canRedo && !store.undo() && !store.redo())
    store.commit("Write") { $0.text = "a" }
    store.commit { $0.text = "b" }
    expectTrue(store.undoNames == [nil, "Write"] && store.undoName == nil)
    expectEqual(store.undoState?.text, "a")
    expectTrue(store.undo() && store.undo() && !store.undo())
    expectTrue(store.state == Text() && store.redoName == "Write" && store.redoState?.text == "a")
    expectEqual(store.redoNames, ["Write", nil])
    expectTrue(store.redo() && store.redo() && !store.redo())
    expectEqual(received.elements, [">a", "a>b", "b>a", "a>", ">a", "a>b"])
    expectEqual(names.elements, ["Write", nil, "Undo", "Undo Write", "Redo Write", "Redo"])
    subscription.cancel()
  }

  @Test("A new commit removes the redo steps; one that changes nothing or throws does not")
  func newEdit() {
    let store = makeStore()
    store.commit { $0.text = "a" }
    store.undo()
    store.commit { $0.text = "" }
    #expect(throws: Refused()) {
      try store.commit { state in
        state.text = "b"
        throw Refused()
      }
    }
    expectTrue(store.canRedo && !store.canUndo)
    store.commit { $0.text = "c" }
    expectTrue(!store.canRedo && store.canUndo)
  }

  @Test("Groups are one step; the commits of a group are delivered one by one")
  func groups() {
    let store = makeStore()
    let received = Recorder<String>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.text)
    }
    store.commit("outer") { state in
      state.font = 1
      state.text = "joined"
    }
    let result = store.undoGroup("Replace") {
      store.commit { $0.text = "a" }
      store.undoGroup("inner") { store.commit { $0.text = "b" } }
      store.commit { $0.text = "c" }
      return 7
    }
    store.commit { $0.text = "d" }
    expectTrue(result == 7 && store.undoNames == [nil, "Replace", "outer"])
    store.undo()
    store.undo()
    expectEqual(store.state, Text(text: "joined", font: 1))
    store.undo()
    expectEqual(store.state, Text())
    expectEqual(received.elements, ["joined", "a", "b", "c", "d", "c", "joined", ""])
    #expect(throws: Refused()) {
      try store.undoGroup("Failed") {
        store.commit { $0.text = "x" }
        throw Refused()
      }
    }
    store.commit { $0.text = "y" }
    expectEqual(store.undoNames, [nil, "Failed"])
    subscription.cancel()
  }

  @Test("Commits with one name coalesce within the duration")
  func typing() {
    let store = makeStore()
    func type(_ text: String, within duration: Duration = .seconds(1000)) {
      store.commit("Typing", coalescing: .sameName(within: duration)) { $0.text += text }
    }
    type("a")
    type("b")
    store.commit("Typing") { $0.text += "c" }
    type("d")
    type("e", within: .zero)
    store.commit("Font", coalescing: .withLast) { $0.font = 1 }
    expectEqual(store.undoNames.count, 4)
    store.undo()
    expectEqual(store.state, Text(text: "abcd"))
    store.undo()
    store.undo()
    expectEqual(store.state.text, "ab")
    store.undo()
    expectEqual(store.state.text, "")
  }

  @Test("Law 21: undoing a step without a net change notifies no observer")
  func emptyStep() {
    let store = makeStore()
    let received = Recorder<String>()
    store.commit { $0.text = "a" }
    store.commit(coalescing: .withLast) { $0.text = "" }
    expectFalse(store.canUndo)
    // A commit that is no step may lead back to the start of one.
    store.commit { $0.text = "b" }
    store.commit(undo: .none) { $0.text = "" }
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.text)
    }
    expectTrue(store.undo() && !store.canUndo && !store.canRedo && !store.redo())
    expectTrue(received.elements.isEmpty)
    subscription.cancel()
  }

  @Test("The number of steps is bounded, and discarded ones are released")
  func depth() {
    struct Held: Sendable { var token: Token? }
    let store = Store<Held, Never>(initialState: Held(), undoDepth: 2)
    weak var first: Token?
    do {
      let token = Token()
      first = token
      store.commit { $0.token = token }
    }
    store.commit { $0.token = Token() }
    store.commit { $0.token = Token() }
    expectTrue(first != nil)
    store.commit { $0.token = Token() }
    expectTrue(first == nil && store.undoNames.count == 2)
    store.undo()
    store.undo()
    expectFalse(store.undo())
    store.clearHistory()
    expectTrue(!store.canRedo && !store.canUndo)
    let forgetful = makeStore(undoDepth: 0)
    forgetful.commit { $0.text = "a" }
    expectFalse(forgetful.canUndo)
  }

  @Test("Steps are released when they are cleared or removed")
  func release() {
    struct Held: Sendable { var token: Token? }
    let store = Store<Held, Never>(initialState: Held())
    weak var undone: Token?
    weak var cleared: Token?
    do {
      let tokens = [Token(), Token()]
      (undone, cleared) = (tokens[0], tokens[1])
      store.commit { $0.token = tokens[1] }
      store.commit { $0.token = tokens[0] }
    }
    store.undo()
    expectTrue(undone != nil)
    store.commit { $0.token = nil }
    expectTrue(undone == nil && cleared != nil)
    store.clearHistory()
    expectNil(cleared)
  }

  @Test("Law 24: an undo inside an observer is delivered afterwards")
  func reentrance() {
    let store = makeStore()
    store.commit { $0.text = "a" }
    let received = Recorder<String>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record(state.text)
      if state.text == "bad" { store.undo() }
    }
    store.commit { $0.text = "bad" }
    expectTrue(received.elements == ["bad", "a"] && store.state.text == "a")
    subscription.cancel()
  }

  @Test("Law 23: undo, redo and commits from many threads")
  func threads() {
    let store = Store<Int, Never>(initialState: 0)
    let received = Recorder<[Int]>()
    let subscription = store.sinkState(queue: .passthrough) { value in
      received.record([value.previous?.primitive ?? 0, value.primitive])
    }
    onThreads(4) { thread in
      for _ in 0..<200 {
        switch thread {
        case 0: store.undo()
        case 1: store.redo()
        default: store.commit { $0 += 1 }
        }
        _ = store.canUndo
      }
    }
    // An observer that is behind may be called after the commits have returned.
    expectTrue(eventually { received.elements.last?[1] == store.state })
    let pairs = received.elements
    expectTrue(zip(pairs, pairs.dropFirst()).allSatisfy { $0[1] == $1[0] })
    while store.undo() {}
    expectFalse(store.canUndo)
    subscription.cancel()
  }

  struct Counters: StateType {
    var number = 0
    var other = 0
    var library = Reading.Library()
  }

  @Test("A step whose commits lead back to its start is removed, also between other commits")
  func backToStart() throws {
    let store = Store<Counters, Never>(initialState: Counters())
    store.undoGroup("There and back") {
      store.commit { $0.number = 1 }
      store.commit { $0.number = 0 }
    }
    expectFalse(store.canUndo)
    store.commit("First") { $0.number = 5 }
    try store.undoGroup("Rows") {
      try store.commit { state in
        try state.library.performBatchUpdates {
          _ = $0.modifying.authors.insert(Reading.Author(id: 1, name: "Ann"))
        }
      }
      store.commit(undo: .none) { $0.other = 3 }
      try store.commit { state in
        try state.library.performBatchUpdates { _ = $0.modifying.authors.remove(1) }
      }
    }
    expectEqual(store.undoNames, ["First"])
    store.commit("Type", coalescing: .sameName(within: .seconds(1000))) { $0.number = 6 }
    store.commit("Type", coalescing: .sameName(within: .seconds(1000))) { $0.number = 5 }
    expectEqual(store.undoNames, ["First"])
    store.undo()
    expectTrue(store.state == Counters(number: 0, other: 3) && !store.canUndo)
    store.redo()
    expectEqual(store.state, Counters(number: 5, other: 3))
    store.undoGroup("Again") {
      store.commit { $0.number = 1 }
      store.commit { $0.number = 5 }
      store.commit { $0.number = 2 }
    }
    expectEqual(store.undoNames, ["Again", "First"])
    store.undo()
    expectEqual(store.state.number, 5)
  }
}
