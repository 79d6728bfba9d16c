import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Law 26: pointers to entities")
struct EntityRefTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  private func makeStore() throws -> (Store<Reading.State, Never>, Recorder<String>) {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let problems = Recorder<String>()
    store.onProblem { problems.record($0.description) }.storeWhileSourceActive()
    return (store, problems)
  }

  @Test("A pointer follows its entity through reorderings, and is nil after its removal")
  func follows() throws {
    let (store, problems) = try makeStore()
    let book = store.ref(Book.EntityID(2), in: \.library)
    try store.commit { state in
      try state.library.performBatchUpdates { $0.modifying.books.move(2, before: 1) }
    }
    expectEqual(store.state.library.books.map(\.id), [2, 1, 3])
    book[\.title].value = "Moved"
    expectEqual(store.state.library.books.map(\.title), ["Moved", "Book 1", "Book 3"])
    try store.commit { state in
      try state.library.performBatchUpdates { _ = $0.modifying.books.remove(2) }
    }
    expectTrue(book.value == nil && book[\.title].value == nil && problems.count == 0)
    book[\.title].value = "gone"
    book.value = Book(id: 2, title: "back", authorID: 1)
    expectTrue(store.state.library.books.map(\.id) == [1, 3] && problems.count == 2)
    try book.update { $0?.title = "nobody" }
    #expect(throws: RefError.lost(what: "Book 2")) { try book[\.title].update { $0 = "nobody" } }
    #expect(throws: RefError.lost(what: "Book 2")) {
      try book.update { $0 = Book(id: 2, title: "back", authorID: 1) }
    }
    store.undo()
    expectEqual(book.value?.title, "Moved")
  }

  @Test(
    "A write that a constraint refuses is thrown by update, reported by the setter, and changes nothing"
  )
  func refused() throws {
    let (store, problems) = try makeStore()
    let author = store.ref(Author.EntityID(1), in: \.library)
    let before = store.state
    let received = Recorder<String?>()
    let subscription = author.addObserver { received.record($0?.name) }
    let error = #expect(throws: (any Error).self) { try author.update { $0 = nil } }
    let message = error.map { "\($0)" } ?? ""
    expectTrue(message.contains("Author 1") && message.contains("Book 1"))
    author.value = nil
    expectEqual(problems.count, 1)
    expectEqual(
      problems.last, "a value set through a pointer to Optional<Author> was ignored: \(message)")
    #expect(throws: RefError.changedID(from: "1", to: "9")) {
      try store.ref(Book.EntityID(1), in: \.library).update { $0?.id = 9 }
    }
    expectTrue(store.state == before && received.count == 0 && !store.canUndo)
    author.value = nil
    expectTrue(problems.count == 2 && author.value?.name == "Ann")
    subscription.cancel()
  }

  @Test("A database on its own")
  func freeStanding() throws {
    let library = Ref(initialValue: try Reading.State.sample().library)
    library[entity: Author.EntityID(2)].value = nil
    expectEqual(library.value.authors.count, 1)
  }

  private struct Stranger: EntityType, Identifiable { let id: Int }

  @Test("An entity type without a table is a programming error")
  func stranger() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let library = Ref(initialValue: try Reading.State.sample().library)
      _ = library[entity: Stranger.EntityID(1)].value
    }
    expectTrue(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("Library has no table of Stranger; add a table"))
  }

  @Test("An entity pointer notifies of its own entity only, present or missing")
  func observing() throws {
    let (store, _) = try makeStore()
    let received = Recorder<String?>()
    let author = store.ref(Author.EntityID(7), in: \.library)
    let subscription = author.addObserver { received.record($0?.name) }
    func insert(_ id: Int, _ name: String) throws {
      try store.commit { state in
        try state.library.performBatchUpdates {
          _ = $0.modifying.authors.insert(Author(id: id, name: name))
        }
      }
    }
    try insert(8, "Other")
    store.commit { $0.searchText = "x" }
    try insert(7, "Eve")
    author[\.email].value = "e@x.y"
    author.value = nil
    expectEqual(received.elements, ["Eve", "Eve", nil])
    subscription.cancel()
  }

  static let seeds: [UInt64] = (0..<scaled(10)).map { UInt64($0) }

  @Test("Pointers equal their targets after any history", arguments: seeds)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (store, _) = try makeStore()
    let books = (0...5).map { store.ref(Book.EntityID($0), in: \.library) }
    let titles = books.map { $0[\.title] }
    for step in 0..<100 {
      let id = Int.random(in: 0...5, using: &random)
      let ids = store.state.library.books.map(\.id)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: books[id].value = nil
      case 1: titles[id].value = "title \(step)"
      case 2:
        if let first = ids.first, let last = ids.last, first != last {
          try store.commit { state in
            try state.library.performBatchUpdates {
              $0.modifying.books.move(.init(last), before: .init(first))
            }
          }
        }
      case 3:
        try store.commit { state in
          try state.library.performBatchUpdates {
            _ = $0.modifying.books.insert(Book(id: id, title: "new", authorID: 2))
          }
        }
      case 4: store.undo()
      default: store.redo()
      }
      let table = store.state.library.books
      for id in 0...5 {
        let row = table.find(by: .init(id))
        expectEqual(books[id].value, row, "seed \(seed), step \(step)")
        expectEqual(titles[id].value, row?.title, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("A row that only a layer inserted is read, and a write names it and the layer")
  func inLayer() throws {
    let (store, problems) = try makeStore()
    let book = store.ref(Book.EntityID(77), in: \.library)
    let layer = try store.addLayer("Add") { state in
      try state.library.performBatchUpdates {
        _ = $0.modifying.books.insert(Book(id: 77, title: "shown", authorID: 1))
      }
    }
    expectEqual(book[\.title].value, "shown")
    let error = #expect(throws: RefError.self) { try book[\.title].update { $0 = "new" } }
    expectEqual(error, .onlyInLayer(what: "Book 77"))
    expectEqual(
      error?.description,
      "Book 77 exists only in a layer that is not confirmed, and a pointer writes the committed state"
    )
    #expect(throws: RefError.onlyInLayer(what: "Book 77")) {
      try book.update { $0 = Book(id: 77, title: "new", authorID: 1) }
    }
    book[\.title].value = "new"
    expectTrue(problems.count == 1 && book[\.title].value == "shown")
    try layer.confirm()
    try book[\.title].update { $0 = "new" }
    expectEqual(store.committedState.library.books.find(by: 77)?.title, "new")
  }

  @Test("Assigning a row under a layer writes the members that differ, not the layer's edit")
  func assignedUnderLayer() throws {
    try assignUnderLayer(row: { $0 }, sheet: \.self)
    try assignUnderLayer(row: { GeneratedSheet($0) }, sheet: \.sheet)
  }

  private func assignUnderLayer<Row: EntityType>(
    row: (Sheet) -> Row, sheet: any WritableKeyPath<Row, Sheet> & Sendable
  ) throws where Row.EntityIDRawType == Int {
    let first = Sheet(id: 1)
    let store = Store<Binder<Row>, Never>(initialState: Binder([row(first)]))
    let id = Row.EntityID(1)
    let layer = try store.addLayer("Read") { binder in
      _ = binder.performBatchUpdates { context in
        context.modifying.sheets.updateIfExists(id: id) {
          $0[keyPath: sheet].isRead = true
          $0[keyPath: sheet].count = 5
          $0[keyPath: sheet].scroll = 5
        }
      }
    }
    let pointer = store.ref(id, in: \.self)
    func committed() throws -> Sheet {
      try #require(store.committedState.sheets.find(by: id))[keyPath: sheet]
    }
    var expected = first
    expected.title = "new"
    pointer.value?[keyPath: sheet].title = "new"
    try expectEqual(committed(), expected)
    expectTrue(store.undo())
    try expectEqual(committed(), first)
    expectTrue(store.redo())
    // A member that the layer wrote, too.
    expected.count = 7
    expected.scroll = 7
    pointer.value?[keyPath: sheet].count = 7
    pointer.value?[keyPath: sheet].scroll = 7
    try expectEqual(committed(), expected)
    expectEqual(pointer.value?[keyPath: sheet].isRead, true)
    layer.rollBack()
    expectEqual(pointer.value?[keyPath: sheet], expected)
    // Without layers, the row is written as it is.
    pointer.value = row(first)
    try expectEqual(committed(), first)
    pointer.value = nil
    expectNil(store.state.sheets.find(by: id))
  }
}
