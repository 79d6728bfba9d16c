import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Commits that are replayed by an undo")
struct UndoReplayTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book
  typealias Page = UndoRecordingTests.Page

  @Test("A closure that throws when it is replayed is skipped and reported")
  func throwing() throws {
    let problems = Recorder<String>()
    let store = Store<Page, Never>(initialState: Page())
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    store.commit { $0.seen = [1] }
    try store.tryCommit("Mark", undo: .none) { page in
      if page.seen.isEmpty { throw Refused(reason: "nothing seen") }
      page.unread = 5
    }
    store.commit(undo: .none) { $0.text = "kept" }
    expectTrue(store.undo() && store.state == Page(text: "kept"))
    expectEqual(
      problems.elements,
      [
        #"the replay of the commit Mark was ignored: Refused(reason: "nothing seen")"#
      ])
    expectTrue(store.redo() && store.state == Page(text: "kept", unread: 5, seen: [1]))
  }

  @Test("A closure that needs the rows of a commit that is not replayed is replayed with them")
  func replayedBesideRows() throws {
    for isPart in [false, true] {
      let problems = Recorder<String>()
      let store = Store<Reading.State, Never>(initialState: try .sample())
      store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
      store.ref(Book.EntityID(1), in: \.library)[\.title].value = "Edited"
      try store.commit(undo: .none) { state in
        try state.library.performBatchUpdates {
          $0.modifying.authors.insert(Author(id: 9, name: "New"))
        }
      }
      try store.commit(undo: .none) { state in
        if state.library.authors.find(by: 9) == nil { throw Refused(reason: "no author") }
        try state.library.performBatchUpdates {
          $0.modifying.books.insert(Book(id: 9, title: "Named", authorID: 9))
        }
        state.searchText += "kept"
      }
      expectTrue(isPart ? store.undo(\.self) : store.undo())
      expectTrue(store.state.searchText == "kept" && problems.count == 0)
      expectEqual(store.state.library.books.map(\.title), ["Book 1", "Book 2", "Book 3", "Named"])
    }
  }

  @Test(
    "A closure that changes nothing else when it is replayed with its own rows is not reported",
    arguments: [false, true], [false, true])
  func replayedOnOwnRows(isDerived: Bool, isGroup: Bool) throws {
    let problems = Recorder<String>()
    // Either a middleware derives the text from the books, or commits change and restore the text.
    let middleware = StoreMiddleware<Reading.State> { _, after, _ in
      after.searchText = "\(after.library.books.count)"
    }
    var start = try Reading.State.sample()
    start.searchText = isDerived ? "3" : ""
    let store = Store<Reading.State, Never>(
      initialState: start, middleware: isDerived ? [middleware] : [])
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    _ = store.entity(Book.EntityID(1), in: \.library)
    func retitle(_ id: Int) throws {
      try store.commit("Step") { state in
        if !isDerived { state.searchText = "loading" }
        try state.library.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: .init(id)) { $0.title = "Edited" }
        }
      }
    }
    func load() throws {
      try store.commit(undo: .none) { state in
        try state.library.performBatchUpdates {
          $0.modifying.authors.insert(Author(id: 9, name: "New"))
        }
      }
      try store.commit("Loaded", undo: .none) { state in
        if state.library.authors.find(by: 9) == nil { throw Refused(reason: "no author") }
        try state.library.performBatchUpdates {
          $0.modifying.books.insert(Book(id: 9, title: "Named", authorID: 9))
        }
        if !isDerived { state.searchText = "" }
      }
    }
    if isGroup {
      try store.undoGroup("Group") {
        try retitle(1)
        try load()
        try retitle(2)
      }
      expectEqual(store.undoNames, ["Group"])
    } else {
      try retitle(1)
      try load()
    }
    expectTrue(store.undo())
    expectEqual(store.state.library.books.map(\.title), ["Book 1", "Book 2", "Book 3", "Named"])
    expectEqual(store.state.searchText, isDerived ? "4" : "")
    expectEqual(problems.elements, [])
  }

  @Test("An undo that a middleware refuses reports only the refusal", arguments: [false, true])
  func refusedByMiddleware(isPart: Bool) throws {
    let problems = Recorder<String>()
    let store = Store<Page, Never>(
      initialState: Page(),
      middleware: [
        StoreMiddleware { _, after, name in
          if name == "Undo See", after.text.isEmpty { throw Refused(reason: "no text") }
        }
      ])
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    store.commit("See") { $0.seen = [1] }
    try store.tryCommit("Mark", undo: .none) { page in
      if page.seen.isEmpty { throw Refused(reason: "nothing seen") }
      page.unread = 5
    }
    let refusal = #"the commit Undo See was ignored: Refused(reason: "no text")"#
    let skipped = #"the replay of the commit Mark was ignored: Refused(reason: "nothing seen")"#
    expectFalse(isPart ? store.undo(\.self) : store.undo())
    expectTrue(problems.elements == [refusal] && store.state == Page(unread: 5, seen: [1]))
    store.commit(undo: .none) { $0.text = "kept" }
    expectTrue(isPart ? store.undo(\.self) : store.undo())
    expectTrue(problems.elements == [refusal, skipped] && store.state == Page(text: "kept"))
  }

  @Test("An undo that a database refuses reports only the refusal", arguments: [false, true])
  func refusedByDatabase(isPart: Bool) throws {
    let problems = Recorder<String>()
    let store = Store<Pair, Never>(initialState: try Pair())
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    _ = (store.entity(Book.EntityID(1), in: \.first), store.entity(Book.EntityID(1), in: \.second))
    func edit(
      _ title: String, undo: UndoRecording,
      second: @escaping @Sendable (inout BatchContext<Reading.Library>) -> Void
    ) throws {
      try store.commit(title, undo: undo) { pair in
        try pair.first.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: 1) { $0.title = title }
        }
        try pair.second.performBatchUpdates { second(&$0) }
      }
    }
    try edit("Mine", undo: .step) { $0.modifying.authors.insert(Author(id: 9, name: "New")) }
    try edit("Theirs", undo: .none) {
      $0.modifying.books.insert(Book(id: 9, title: "Named", authorID: 9))
    }
    expectFalse(isPart ? store.undo(\.self) : store.undo())
    expectTrue(problems.count == 1 && problems.last?.contains("Undo Mine") == true)
  }

  @Test("An edit does not join a step that a commit between them needs")
  func neededStep() throws {
    let problems = Recorder<String>()
    let store = Store<Page, Never>(initialState: Page())
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    try store.undoGroup("Group") {
      store.commit { $0.seen = [1] }
      try store.tryCommit(undo: .none) { page in
        if page.seen.isEmpty { throw Refused() }
        page.unread = 5
      }
      store.commit { $0.seen.append(2) }
    }
    expectTrue(problems.count == 0 && store.undoNames == ["Group", "Group"])
    expectTrue(store.undo() && store.state == Page(unread: 5, seen: [1]) && problems.count == 0)
    expectTrue(store.undo() && store.state == Page() && problems.count == 1)
  }

  struct Pair: StateType {
    var first: Reading.Library
    var second: Reading.Library

    init() throws {
      first = try Reading.State.sample().library
      second = first
    }
  }

  @Test("A commit that cannot join a step reports no problem of the attempt")
  func attemptedJoin() throws {
    let problems = Recorder<String>()
    let store = Store<Pair, Never>(initialState: try Pair())
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    _ = (store.entity(Book.EntityID(1), in: \.first), store.entity(Book.EntityID(1), in: \.second))
    try store.undoGroup("Group") {
      try store.commit { pair in
        try pair.first.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: 1) { $0.title = "Mine" }
        }
        try pair.second.performBatchUpdates {
          $0.modifying.authors.insert(Author(id: 9, name: "New"))
        }
      }
      try store.commit(undo: .none) { pair in
        try pair.first.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: 1) { $0.title = "Theirs" }
        }
        try pair.second.performBatchUpdates {
          $0.modifying.books.insert(Book(id: 9, title: "Named", authorID: 9))
        }
      }
      try store.commit { pair in
        try pair.second.performBatchUpdates { _ = $0.modifying.books.remove(.init(2)) }
      }
    }
    expectTrue(problems.count == 0 && store.undoNames == ["Group", "Group"])
  }

  @Test("Hooks are called with the result of an undo with replayed commits")
  func hooks() {
    struct Sum: StateType {
      var numbers: [Int] = []
      var total = 0

      static func reduce(modifying state: inout Sum, previous: Sum) {
        state.total = state.numbers.reduce(0, +)
      }
    }
    let store = Store<Sum, Never>(
      initialState: Sum(),
      middleware: [
        StoreMiddleware { _, after, name in
          if name == "Undo Fixed", after.total < 10 { throw Refused() }
        }
      ])
    store.commit { $0.numbers = [1] }
    store.commit(undo: .none) { $0.numbers.append(2) }
    expectTrue(store.undo() && store.state == Sum(numbers: [2], total: 2))
    store.commit("Fixed") { $0.numbers.append(20) }
    store.commit(undo: .none) { $0.numbers.append(3) }
    expectTrue(!store.undo() && store.state.total == 25 && store.undoName == "Fixed")
    store.commit(undo: .none) { $0.numbers.append(30) }
    expectTrue(store.undo() && store.state == Sum(numbers: [2, 3, 30], total: 35))
  }
}
