import EntiaDatabase
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Undo of writes through pointers")
struct PointerUndoTests {
  struct Form: StateType {
    var title = ""
    var notes = ""
    var lines = ["", ""]
    var library = Library()
  }

  private let store = Store<Form, Never>(initialState: Form())
  private let start = ContinuousClock.now

  /// Runs a closure as if it was called at a time after the start.
  private func at(_ time: Duration, _ body: () throws -> Void) rethrows {
    try UndoTime.$fixed.withValue(start + time, operation: body)
  }

  /// Writes one letter after another, as a text field does, through a new pointer each time.
  private func type(
    _ text: String, every pause: Duration = .milliseconds(100), from first: Duration
  ) {
    for (index, letter) in text.enumerated() {
      at(first + pause * index) { store.ref(\.title).value.append(letter) }
    }
  }

  @Test("Sixteen keystrokes are one step")
  func typing() {
    type("sixteen letters!", from: .zero)
    expectTrue(store.state.title == "sixteen letters!" && store.undoNames.count == 1)
    store.undo()
    expectTrue(store.state.title == "" && !store.canUndo)
    store.redo()
    expectEqual(store.state.title, "sixteen letters!")
  }

  @Test("A pause of more than a second begins another step")
  func pauses() {
    type("abc", every: .seconds(1), from: .zero)
    expectEqual(store.undoNames.count, 1)
    type("d", from: .milliseconds(3001))
    expectEqual(store.undoNames.count, 2)
    store.undo()
    expectEqual(store.state.title, "abc")
  }

  @Test("Another edit ends a run, also of another field and of another name")
  func otherEdits() throws {
    type("ab", from: .zero)
    at(.milliseconds(200)) { store.ref(\.notes).value = "n" }
    type("c", from: .milliseconds(300))
    expectEqual(store.undoNames.count, 3)
    store.commit { $0.title += "!" }
    type("d", from: .milliseconds(400))
    expectEqual(store.undoNames.count, 5)
    try at(.milliseconds(500)) { try store.ref(\.title).update("Clear") { $0 = "" } }
    expectEqual(store.undoNames, ["Clear", nil, nil, nil, nil, nil])
    store.undo()
    type("e", from: .milliseconds(600))
    expectEqual(store.undoNames.count, 6)
  }

  @Test("A run goes on across commits that are no steps, which an undo keeps")
  func unrecorded() {
    type("ab", from: .zero)
    store.commit(undo: .none) { $0.notes = "loaded" }
    type("c", from: .milliseconds(200))
    expectEqual(store.undoNames.count, 1)
    store.undo()
    expectEqual(store.state, Form(notes: "loaded"))
  }

  @Test("endCoalescing ends a run, of a scope too")
  func ending() {
    type("ab", from: .zero)
    store.endCoalescing()
    type("cd", from: .milliseconds(200))
    expectEqual(store.undoNames.count, 2)
    let scope = store.scope(\.library)
    scope.endCoalescing()
    type("e", from: .milliseconds(400))
    expectEqual(store.undoNames.count, 3)
    store.undo()
    expectEqual(store.state.title, "abcd")
    var history = History(initialValue: "")
    history.edit(coalescing: .withLast) { $0 = "a" }
    history.endCoalescing()
    history.edit(coalescing: .withLast) { $0 = "b" }
    expectEqual(history.undoCount, 2)
  }

  @Test("A coalescing and an undo recording can be given")
  func choices() throws {
    for text in ["a", "ab"] {
      try at(.zero) { try store.ref(\.title).update(coalescing: .never) { $0 = text } }
    }
    expectEqual(store.undoNames.count, 2)
    try store.ref(\.notes).update("Load", undo: .none) { $0 = "loaded" }
    try store.ref(\.library)[\.self].update(undo: .step) { _ in }
    expectEqual(store.undoNames.count, 2)
    store.undo()
    expectTrue(store.state.title == "a" && store.state.notes == "loaded")
  }

  @Test("Rows, elements and members are told apart; equal ways are one target")
  func targets() throws {
    func edit(_ pointer: Ref<String>) { at(.zero) { pointer.value += "x" } }
    for _ in 0..<2 {
      edit(store.ref(\.lines)[0])
      edit(store.ref(\.lines)[0])
      edit(store.ref(\.lines)[1])
      edit(store.ref(\.title))
      edit(store.ref(\.self)[\.title])
    }
    expectEqual(store.undoNames.count, 6)
    let lines = store.ref(\.lines).map(get: { $0[0] }, set: { $0[0] = $1 })
    let last = store.ref(\.lines).map(get: { $0[1] }, set: { $0[1] = $1 })
    for pointer in [lines, lines, last] { edit(pointer) }
    expectEqual(store.undoNames.count, 8)
  }

  @Test("Writes in a group are part of its step")
  func groups() {
    store.undoGroup("Form") {
      type("ab", from: .zero)
      at(.milliseconds(200)) { store.ref(\.notes).value = "n" }
    }
    type("c", from: .milliseconds(300))
    expectEqual(store.undoNames, [nil, "Form"])
  }

  @Test("Typing that leads back to the start is no step")
  func backToStart() {
    type("a", from: .zero)
    store.endCoalescing()
    type("b", from: .milliseconds(100))
    at(.milliseconds(200)) { store.ref(\.title).value = "a" }
    expectEqual(store.undoNames.count, 1)
    type("c", from: .milliseconds(300))
    expectEqual(store.undoNames.count, 2)
    at(.milliseconds(400)) { store.ref(\.title).value = "a" }
    store.endCoalescing()
    expectTrue(store.undoNames.count == 1 && store.undo() && store.state.title == "")
    expectFalse(store.canUndo)
    // A step of the field before is not continued.
    at(.seconds(5)) { store.ref(\.title).value = "x" }
    at(.seconds(5)) { store.ref(\.notes).value = "n" }
    at(.seconds(5)) { store.ref(\.notes).value = "" }
    at(.seconds(5)) { store.ref(\.title).value = "y" }
    expectEqual(store.undoNames.count, 2)
  }
}
