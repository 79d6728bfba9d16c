import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("Law 25: undo of one part of the state")
struct PartUndoTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  struct Pair: StateType {
    var a = 0
    var b = 0
  }

  @Test("Only the part is reverted; the rest is unchanged, and can be undone separately")
  func part() {
    let store = Store<Pair, Never>(initialState: Pair())
    store.commit("both") { $0 = Pair(a: 1, b: 1) }
    store.commit("b") { $0.b = 2 }
    expectTrue(store.canUndo(\.a) && store.canUndo(\.b) && !store.canRedo(\.a))
    expectTrue(store.undo(\.a))
    expectTrue(store.state == Pair(a: 0, b: 2) && store.canRedo(\.a) && !store.canUndo(\.a))
    expectFalse(store.undo(\.a))
    store.undo()
    expectEqual(store.state, Pair(a: 0, b: 1))
    store.redo()
    expectTrue(store.redo(\.a) && store.state == Pair(a: 1, b: 2) && !store.redo(\.a))
    expectEqual(store.undoNames, ["both", "b", "both"])
    store.undo()
    store.undo()
    store.undo()
    expectEqual(store.state, Pair())
  }

  struct Sum: StateType {
    var a = 0
    var b = 0
    var sum = 0

    static func reduce(modifying state: inout Sum, previous: Sum) { state.sum = state.a + state.b }
  }

  @Test("The states that later undos restore are those that the state's own hook computes")
  func computed() {
    let store = Store<Sum, Never>(initialState: Sum())
    func commitBoth() {
      store.commit { $0.a = 1 }
      store.commit { $0.b = 2 }
    }
    commitBoth()
    store.undo(\.a)
    expectEqual(store.undoState, Sum())
    store.undo()
    expectEqual(store.state, Sum())
    store.redo()
    expectEqual(store.state, Sum(b: 2, sum: 2))
    store.undo()
    commitBoth()
    expectTrue(store.undo(\.a) && store.undo(\.b))
    expectTrue(store.state == Sum() && !store.canUndo)
  }

  struct Dependent: StateType {
    var a = 0
    var b = 0

    static func reduce(modifying state: inout Dependent, previous: Dependent) {
      if state.a == 0 { state.b = 0 }
    }
  }

  @Test("A later step that the state's own hook empties is removed, too")
  func dependent() {
    let store = Store<Dependent, Never>(initialState: Dependent())
    store.commit { $0.a = 1 }
    store.commit { $0.b = 2 }
    expectTrue(store.undo(\.a) && store.state == Dependent())
    expectTrue(!store.canUndo && !store.undo())
  }

  @Test("A step that changed nothing else is removed with the undo of its part")
  func emptiedStep() {
    let store = Store<Pair, Never>(initialState: Pair())
    store.commit("a") { $0.a = 1 }
    store.commit("b") { $0.b = 1 }
    store.undo(\.a)
    expectTrue(store.undoNames == ["b"] && !store.canRedo)
    store.undo()
    expectEqual(store.state, Pair())
  }

  @Test("Another change of the part removes its redo; a change of the rest does not")
  func newEdit() {
    let store = Store<Pair, Never>(initialState: Pair())
    let received = Recorder<[Int]>()
    store.commit { $0.a = 1 }
    store.commit { $0.a = 2 }
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record([$0.a, $0.b])
    }
    store.undo(\.a)
    store.undo(\.a)
    store.commit { $0.b = 5 }
    expectTrue(store.redo(\.a) && store.state == Pair(a: 1, b: 5))
    store.commit { $0.a = 9 }
    store.commit { $0.a = 1 }
    expectTrue(!store.canRedo(\.a) && !store.redo(\.a))
    expectEqual(received.elements, [[1, 0], [0, 0], [0, 5], [1, 5], [9, 5], [1, 5]])
    subscription.cancel()
  }

  static let seeds: [UInt64] = (0..<scaled(20)).map { UInt64($0) }

  @Test("undo∘do and redo∘undo of a part are the identity on it, and on the rest", arguments: seeds)
  func history(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let store = Store<Pair, Never>(initialState: Pair())
    /// The values of `a` that can be gone back to.
    var past: [Int] = []
    for step in 0..<60 {
      let before = store.state
      if Bool.random(using: &random) {
        let new = Pair(a: .random(in: 0...3, using: &random), b: .random(in: 0...3, using: &random))
        store.commit { $0 = new }
        if new.a != before.a { past.append(before.a) }
        expectEqual(store.canUndo(\.a), !past.isEmpty, "seed \(seed), step \(step)")
      } else {
        expectEqual(store.undo(\.a), !past.isEmpty, "seed \(seed), step \(step)")
        guard let expected = past.popLast() else { continue }
        expectEqual(store.state, Pair(a: expected, b: before.b), "seed \(seed), step \(step)")
        if Bool.random(using: &random) {
          expectTrue(store.redo(\.a) && store.state == before, "seed \(seed), step \(step)")
          past.append(expected)
        }
      }
    }
    let a = store.state.a
    store.commit { $0.b += 1 }
    while store.undo(\.b) {}
    expectEqual(store.state, Pair(a: a, b: 0), "seed \(seed)")
    while store.undo() {}
    expectEqual(store.state, Pair(), "seed \(seed)")
  }

  /// A state that counts its comparisons.
  struct Counted: Equatable, Sendable {
    @TaskLocal static var comparisons: Tally?

    var a = 0
    var b = 0

    static func == (lhs: Counted, rhs: Counted) -> Bool {
      comparisons?.add()
      return lhs.a == rhs.a && lhs.b == rhs.b
    }
  }

  @Test("An undo of a part compares no more states with more later steps")
  func comparisons() {
    let count = 100
    let store = Store<Counted, Never>(initialState: Counted(), undoDepth: 2 * count)
    for _ in 0..<count {
      store.commit { $0.a += 1 }
      store.commit { $0.b += 1 }
    }
    let comparisons = Tally()
    Counted.$comparisons.withValue(comparisons) { while store.undo(\.a) {} }
    #expect(comparisons.count <= 3 * count)
    expectEqual(store.state.a, 0)
    for number in (0..<count).reversed() {
      expectTrue(store.undo() && store.state == Counted(a: 0, b: number))
    }
    expectFalse(store.canUndo)
  }

  /// A state with a database inside a part.
  struct Desk: StateType {
    var doc: Reading.State
    var copy: Reading.Library {
      get { doc.library }
      set { doc.library = newValue }
    }
  }

  @Test("Undo of a part keeps unrecorded commits to a database inside it")
  func databaseInsideAPart() throws {
    for isKnown in [false, true] {
      let store = Store<Desk, Never>(initialState: Desk(doc: try .sample()))
      let author = isKnown ? store.entity(Author.EntityID(1), in: \.doc.library) : nil
      expectTrue(author.map { $0.value?.name } != .some(nil))
      store.commit("Search") { $0.doc.searchText = "a" }
      try store.commit(undo: .none) {
        try insert(Book(id: 7, title: "Imported", authorID: 1), in: &$0.doc)
      }
      expectTrue(store.undo(\.doc))
      expectEqual(store.state.doc.searchText, "")
      expectEqual(store.state.doc.library.books.map(\.id), [1, 2, 3, 7], "known: \(isKnown)")
    }
  }

  @Test(
    "A batch registers its database, so that undo merges later commits instead of replaying them",
    arguments: [false, true])
  func registeredByBatches(isScoped: Bool) throws {
    let store = Store<Desk, Never>(initialState: Desk(doc: try .sample()))
    let start = store.state
    for title in ["a", "b", "c"] {
      if isScoped {
        try store.scope(\.doc).batch(\.library, "Edit") { $0.books[1]?.title = title }
      } else {
        try store.batch(\.doc.library, "Edit") { $0.books[1]?.title = title }
      }
    }
    let parts = store.core.databases.all.map(\.path)
    let path: AnyKeyPath = \Desk.doc.library
    expectTrue(parts.count == 1 && parts[0] == path)
    let runs = Recorder<Int>()
    // More closures than the store keeps.
    for index in 1...1001 {
      try store.commit(undo: .none) { state in
        runs.record(index)
        try insert(Book(id: 7, title: "\(index)", authorID: 1), in: &state.doc)
      }
    }
    expectEqual(store.undoNames, ["Edit", "Edit", "Edit"])
    while store.undo() {}
    expectEqual(runs.count, 1001)
    expectEqual(store.state.doc.library.books.find(by: 1), start.doc.library.books.find(by: 1))
    expectEqual(store.state.doc.library.books.find(by: 7)?.title, "1001")
    // A computed property is not registered.
    try store.batch(\.copy) { $0.books[1]?.title = "d" }
    expectEqual(store.core.databases.all.count, 1)
  }

  private func insert(_ book: Book, in state: inout Reading.State) throws {
    try state.library.performBatchUpdates { $0.modifying.books.insert(book) }
  }
}
