import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Commits that a middleware refuses")
struct RefusalTests {
  struct Note: StateType {
    var text = ""
    var number = 0
  }

  /// Refuses what takes the text away, and every negative number.
  private static func store(_ log: Recorder<String> = Recorder()) -> Store<Note, Never> {
    Store(
      initialState: Note(),
      middleware: [
        StoreMiddleware { before, after, _ in
          if after.text.count < before.text.count { throw Refused(reason: "nothing goes") }
          if after.number < 0 { throw Refused(reason: "negative") }
        }
      ],
      logger: StoreLogger { entry in
        switch entry {
        case .refused(let name, let error): log.record("\(name ?? "-"): \(error)")
        case .ignored(let problem): log.record("\(problem)")
        default: break
        }
      })
  }

  @Test("Law 25: a refused undo leaves the state, what can be undone and what can be redone")
  func undo() {
    let log = Recorder<String>()
    let store = Self.store(log)
    let received = Recorder<Note>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.primitive) }
    store.commit("Type") { $0.text = "a" }
    store.commit("Count") { $0.number = 1 }
    expectTrue(store.undo())
    expectFalse(store.undo())
    expectEqual(store.state, Note(text: "a"))
    expectEqual(store.undoNames, ["Type"])
    expectEqual(store.redoNames, ["Count"])
    expectTrue(store.redo())
    expectEqual(store.state, Note(text: "a", number: 1))
    expectEqual(store.undoNames, ["Count", "Type"])
    expectEqual(
      received.elements,
      [
        Note(), Note(text: "a"), Note(text: "a", number: 1), Note(text: "a"),
        Note(text: "a", number: 1),
      ])
    expectEqual(log.elements, [#"Undo Type: Refused(reason: "nothing goes")"#])
    withExtendedLifetime(subscription) {}
  }

  @Test("A refused undo does not close the step for coalescing commits")
  func coalescing() {
    let store = Self.store()
    store.commit("Type", coalescing: .withLast) { $0.text = "a" }
    expectFalse(store.undo())
    store.commit("Type", coalescing: .withLast) { $0.text = "ab" }
    expectEqual(store.undoNames, ["Type"])
    expectEqual(store.undoState, Note())
  }

  @Test("Law 25: a refused undo or redo of a part leaves everything")
  func parts() {
    let store = Self.store()
    store.commit("Type") { $0.text = "a" }
    store.commit("Count") { $0.number = 1 }
    expectFalse(store.undo(\.text))
    expectEqual(store.state, Note(text: "a", number: 1))
    expectEqual(store.undoNames, ["Count", "Type"])
    expectFalse(store.canRedo(\.text))
    expectTrue(store.undo(\.number))
    expectTrue(store.canRedo(\.number))
    expectTrue(store.redo(\.number))
    expectEqual(store.state.number, 1)
  }

  @Test("tryCommit throws the refusal, and the state is as it was")
  func throwing() throws {
    let store = Self.store()
    #expect(throws: Refused(reason: "negative")) { try store.tryCommit { $0.number = -1 } }
    #expect(throws: Refused(reason: "mine")) {
      try store.tryCommit { _ in throw Refused(reason: "mine") }
    }
    expectEqual(store.state, Note())
    expectFalse(store.canUndo)
    let result = try store.tryCommit("Count") { note in
      note.number = 2
      return note.number
    }
    expectEqual(result, 2)
    expectEqual(store.undoName, "Count")
  }

  /// A view model around the store.
  final class Editor: StoreComponentType {
    let store: Store<Note, Never>

    init(_ store: Store<Note, Never>) { self.store = store }
  }

  @Test("A component forwards it")
  func component() {
    let editor = Editor(Self.store())
    #expect(throws: Refused(reason: "negative")) { try editor.tryCommit { $0.number = -1 } }
    editor.commit { $0.number = -1 }
    expectEqual(editor.state, Note())
  }

  @Test("A pointer throws what a middleware refuses, and reports what is set, also to the logger")
  func pointers() {
    let log = Recorder<String>()
    let store = Self.store(log)
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let number = store.ref(\.number)
    #expect(throws: Refused(reason: "negative")) { try number.update { $0 = -1 } }
    number.value = -2
    expectEqual(number.value, 0)
    let problem = #"a value set through a pointer to Int was ignored: Refused(reason: "negative")"#
    expectEqual(problems.elements, [problem])
    expectEqual(log.elements.last, problem)
  }
}
