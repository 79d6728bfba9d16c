import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Commits that are not undo steps")
struct UndoRecordingTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  struct Page: StateType {
    var text = ""
    var unread = 0
    var seen: [Int] = []
  }

  private func makeStore() throws -> Store<Reading.State, Never> {
    Store(initialState: try .sample())
  }

  private static func insert(_ book: Book, in state: inout Reading.State) throws {
    try state.library.performBatchUpdates { $0.modifying.books.insert(book) }
  }

  @Test("Undo after a background import reverts the edit and keeps the import")
  func background() async throws {
    let store = try makeStore()
    store.ref(Book.EntityID(1), in: \.library)[\.title].value = "Edited"
    try await store.backgroundCommit {
      try Self.insert(Book(id: 7, title: "Imported", authorID: 1), in: &$0)
    }
    expectEqual(store.undoNames.count, 1)
    expectTrue(store.undo())
    expectEqual(store.state.library.books.map(\.title), ["Book 1", "Book 2", "Book 3", "Imported"])
    expectFalse(store.undo())
    expectTrue(store.redo())
    expectEqual(store.state.library.books.map(\.title), ["Edited", "Book 2", "Book 3", "Imported"])
    try await store.backgroundCommit(undo: .step) { $0.searchText = "x" }
    expectTrue(store.undo() && store.state.searchText == "")
  }

  @Test("Undo of a part removes the redo steps of the parts inside it")
  func staleRedo() {
    let store = Store<Page, Never>(initialState: Page())
    store.commit { $0.text = "b" }
    store.commit { $0.text = "c" }
    expectTrue(store.undo(\.text) && store.state.text == "b")
    expectTrue(store.canRedo(\.text))
    expectTrue(store.undo(\.self) && store.state.text == "")
    expectTrue(!store.redo(\.text) && store.state.text == "")
  }

  @Test("Undo keeps a confirmed layer; one that is confirmed as a step is undone")
  func layer() throws {
    let store = Store<Page, Never>(initialState: Page())
    store.commit("Write") { $0.text = "a" }
    let layer = try store.addLayer { $0.unread += 1 }
    try layer.confirm()
    try store.addLayer("Seen") { $0.seen = [1] }.confirm(undo: .step) { $0.seen = [2] }
    expectEqual(store.undoNames, ["Seen", "Write"])
    store.undo()
    store.undo()
    expectEqual(store.state, Page(unread: 1))
    store.redo()
    expectEqual(store.state, Page(text: "a", unread: 1))
  }

  /// A state that counts its words itself.
  struct Counted: StateType {
    var words: [Int] = []
    var count = 0

    static func reduce(modifying state: inout Counted, previous: Counted) {
      state.count = state.words.count
    }
  }

  @Test("The previews of undo and redo are what they lead to, processed by the state's own hook")
  func previews() {
    let store = Store<Counted, Never>(initialState: Counted())
    for number in 1...3 {
      store.commit { $0.words += [number, -number] }
      store.commit(undo: .none) { $0.words.append(number * 10) }
    }
    for _ in 0..<3 {
      let preview = store.undoState
      expectTrue(store.undo() && store.state == preview && preview?.count == preview?.words.count)
    }
    store.commit(undo: .none) { $0.words.append(99) }
    for _ in 0..<3 {
      let preview = store.redoState
      expectTrue(store.redo() && store.state == preview && preview?.count == preview?.words.count)
    }
    expectTrue(store.undoState?.count == store.state.count - 2 && store.redoState == nil)
  }

  @Test("An undo or a redo that changes nothing removes its step")
  func withoutEffect() {
    let store = Store<Page, Never>(initialState: Page())
    func write() { for text in ["a", "b"] { store.commit("Write \(text)") { $0.text = text } } }
    write()
    // The commit makes the same edit as the undo.
    store.commit(undo: .none) { $0.text = "a" }
    expectEqual(store.undoState, store.state)
    expectTrue(store.undo() && store.state.text == "a")
    expectTrue(store.undoNames == ["Write a"] && store.redoNames == [])
    expectTrue(store.undo() && store.state.text == "a" && !store.undo() && !store.redo())
    store.commit(undo: .none) { $0.text = "" }
    write()
    expectTrue(store.undo() && store.undo() && store.state == Page())
    store.commit(undo: .none) { $0.seen = [1] }
    // The commit makes the same edit as the redo.
    store.commit(undo: .none) { $0.text = "a" }
    expectEqual(store.redoState, store.state)
    expectTrue(store.redo() && store.state == Page(text: "a", seen: [1]))
    expectTrue(store.undoNames == [] && store.redoNames == ["Write b"])
    expectTrue(store.undoState == nil && !store.undo())
    expectTrue(store.redo() && store.state == Page(text: "a", seen: [1]))
    expectTrue(!store.canUndo && !store.canRedo)
  }

  @Test("Steps below and above a removed one keep the unrecorded commits")
  func besideOnesWithoutEffect() {
    let store = Store<Page, Never>(initialState: Page())
    for number in 1...3 { store.commit("\(number)") { $0.unread = number } }
    store.undo()
    store.commit(undo: .none) { $0.seen.append(1) }
    store.commit(undo: .none) { $0.unread = 1 }
    expectTrue(store.undo() && store.state == Page(unread: 1, seen: [1]))
    expectTrue(store.undoNames == ["1"] && store.redoNames == ["3"])
    store.commit(undo: .none) { $0.text = "a" }
    expectTrue(store.undo() && store.state == Page(text: "a", unread: 1, seen: [1]))
    expectTrue(!store.canUndo && store.redoNames == ["3"])
    expectTrue(store.redo() && store.redoNames == [])
    expectEqual(store.state, Page(text: "a", unread: 1, seen: [1]))
    store.undoGroup("Group") {
      store.commit { $0.unread = 7 }
      store.commit(undo: .none) { $0.unread = 1 }
      expectTrue(store.undo() && !store.canUndo && !store.canRedo)
      store.commit { $0.unread = 8 }
    }
    expectTrue(store.undoNames == ["Group"] && store.undo() && store.state.unread == 1)
  }

  @Test("An undo whose rows have all changed since removes its step")
  func allInConflict() throws {
    let problems = Recorder<String>()
    let store = try makeStore()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let title = store.ref(Book.EntityID(1), in: \.library)[\.title]
    func set(_ text: String, _ undo: UndoRecording) throws {
      try store.commit(text, undo: undo) { state in
        _ = try state.library.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: 1) { $0.title = text }
        }
      }
    }
    try set("Mine", .step)
    try set("Theirs", .none)
    expectTrue(store.undo() && title.value == "Theirs" && problems.count == 1)
    expectTrue(!store.canUndo && !store.canRedo)
    try set("Mine again", .step)
    expectTrue(store.undo() && title.value == "Theirs")
    try set("Others", .none)
    expectTrue(store.redo() && title.value == "Others" && problems.count == 2)
    expectTrue(!store.canUndo && !store.canRedo)
  }

  @Test("An undo of a part that changes nothing removes its step and cannot be redone")
  func partWithoutEffect() {
    let store = Store<Page, Never>(initialState: Page())
    store.commit { $0 = Page(text: "a", unread: 1) }
    store.commit(undo: .none) { $0.text = "" }
    expectTrue(store.undo(\.text) && !store.canUndo(\.text) && !store.canRedo(\.text))
    expectTrue(!store.redo(\.text) && store.state == Page(unread: 1))
    expectTrue(store.undo() && store.state == Page() && store.redo() && store.canUndo(\.unread))
    store.commit { $0.text = "b" }
    expectTrue(
      store.undo(\.text) && store.redo(\.text) && store.state == Page(text: "b", unread: 1))
  }

  @Test("A row that has changed since the step is unchanged and reported")
  func conflict() throws {
    let problems = Recorder<String>()
    let store = try makeStore()
    store.onProblem { problem in
      problems.record("\(problem)")
      expectTrue(problem.error is UndoConflict)
    }.storeWhileSourceActive()
    let title = store.ref(Book.EntityID(1), in: \.library)[\.title]
    try store.ref(Book.EntityID(2), in: \.library)[\.title].update("Both") { $0 = "Edited" }
    store.commit("Both", coalescing: .withLast) { _ in }
    store.undoGroup("Both") {
      title.value = "Edited"
      store.ref(Book.EntityID(3), in: \.library)[\.title].value = "Edited"
    }
    try store.commit(undo: .none) {
      try Self.insert(Book(id: 1, title: "Imported", authorID: 1), in: &$0)
    }
    expectEqual(store.undoState?.library.books.map(\.title), ["Imported", "Edited", "Book 3"])
    expectTrue(problems.count == 0 && store.undo())
    expectEqual(store.state.library.books.map(\.title), ["Imported", "Edited", "Book 3"])
    expectEqual(problems.count, 1)
    expectTrue(problems.last?.contains("Book 1") == true && problems.last?.contains("Both") == true)
    expectTrue(store.redo())
    expectEqual(store.state.library.books.map(\.title), ["Imported", "Edited", "Edited"])
  }

  @Test("An undo that the database refuses changes nothing and can be made later")
  func refused() throws {
    let problems = Recorder<String>()
    let store = try makeStore()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let book = store.entity(Book.EntityID(9), in: \.library)
    try store.commit("Author") { state in
      try state.library.performBatchUpdates {
        $0.modifying.authors.insert(Author(id: 9, name: "New"))
      }
    }
    try store.commit(undo: .none) {
      try Self.insert(Book(id: 9, title: "Named", authorID: 9), in: &$0)
    }
    let before = store.state
    expectTrue(!store.undo() && store.state == before && store.undoNames == ["Author"])
    expectTrue(problems.count == 1 && problems.last?.contains("Undo Author") == true)
    try store.commit(undo: .none) { state in
      try state.library.performBatchUpdates { _ = $0.modifying.books.remove(.init(9)) }
    }
    let sample = try Reading.State.sample()
    expectTrue(store.undo() && store.state == sample && book.value == nil)
  }

  @Test("A group and coalesced commits stay one step around unrecorded commits")
  func groups() throws {
    let store = Store<Page, Never>(initialState: Page())
    store.commit("First") { $0.text = "-" }
    store.undoGroup("Group") {
      store.commit { $0.text += "a" }
      store.commit(undo: .none) { $0.unread += 1 }
      store.commit { $0.text += "b" }
    }
    store.commit(undo: .none) { $0.unread += 10 }
    func type(_ text: String) {
      store.commit("Typing", coalescing: .sameName(within: .seconds(1000))) { $0.text += text }
    }
    type("c")
    store.commit(undo: .none) { $0.unread += 100 }
    type("d")
    expectEqual(store.undoNames, ["Typing", "Group", "First"])
    expectTrue(store.undo() && store.state == Page(text: "-ab", unread: 111))
    expectTrue(store.undo() && store.state == Page(text: "-", unread: 111))
    expectTrue(store.undo() && store.state == Page(unread: 111))
    store.commit(undo: .none) { $0.unread += 1000 }
    expectTrue(store.redo() && store.redo() && store.redo() && !store.redo())
    expectEqual(store.state, Page(text: "-abcd", unread: 1111))
  }

  @Test("A state that is a database needs no registration, and no closure is replayed for it")
  func wholeDatabase() {
    let calls = Recorder<Int>()
    let store = Store<Shop, Never>(initialState: Shop())
    store.commit { shop in shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 1)) } }
    store.commit(undo: .none) { shop in
      calls.record(1)
      shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 2)) }
    }
    expectTrue(store.undo() && store.state.items.map(\.id) == [2] && calls.count == 1)
    expectTrue(store.redo() && store.state.items.map(\.id).sorted() == [1, 2] && calls.count == 1)
  }

  @Test("A group goes on with a new step if its first one is discarded beside unrecorded commits")
  func discardedGroup() {
    let store = Store<Page, Never>(initialState: Page())
    store.undoGroup("Group") {
      store.commit { $0.text = "a" }
      for _ in 0..<1001 { store.commit(undo: .none) { $0.unread += 1 } }
      expectFalse(store.canUndo)
      store.commit { $0.text = "b" }
      store.commit { $0.text = "c" }
    }
    expectEqual(store.undoNames, ["Group"])
    expectTrue(store.undo() && store.state == Page(text: "a", unread: 1001))
  }

  @Test("The number of stored closures of unrecorded commits is bounded")
  func bound() {
    let store = Store<Page, Never>(initialState: Page())
    weak var captured: Token?
    store.commit("Old") { $0.text = "a" }
    do {
      let token = Token()
      captured = token
      store.commit(undo: .none) { page in withExtendedLifetime(token) { page.unread += 1 } }
    }
    store.commit("New") { $0.text = "b" }
    for _ in 0..<999 { store.commit(undo: .none) { $0.unread += 1 } }
    expectTrue(store.undoNames == ["New", "Old"] && captured != nil)
    store.commit(undo: .none) { $0.unread += 1 }
    expectTrue(store.undoNames == ["New"] && captured == nil)
    expectTrue(store.undo() && store.state == Page(text: "a", unread: 1001) && store.canRedo)
    for _ in 0..<1001 { store.commit(undo: .none) { $0.unread += 1 } }
    expectTrue(!store.canRedo && !store.canUndo)
    let shop = Store<Shop, Never>(initialState: Shop())
    shop.commit { shop in shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 1)) } }
    for price in 1...1100 {
      shop.commit(undo: .none) { shop in
        shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 2, price: price)) }
      }
    }
    expectTrue(shop.undo() && shop.state.items.map(\.price) == [1100])
  }
}
