import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

/// Books of authors, and notes on books and on notes, all with one delete rule.
struct Shelf: NormalizedStorageType {
  struct Author: EntityType, Identifiable {
    let id: Int
    var name = ""
  }

  struct Book: EntityType, Identifiable {
    let id: Int
    var authorID: Author.EntityID
    var coverID: Cover.EntityID?
    var title = ""
  }

  struct Note: EntityType, Identifiable {
    let id: Int
    var bookID: Book.EntityID
    var previousID: EntityID?
  }

  struct Reader: EntityType, Identifiable {
    let id: Int
    var favoriteID: Book.EntityID?
  }

  struct Cover: EntityType, Identifiable {
    let id: Int
  }

  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var books = Tables.Ordered<Book>()
    var notes = Tables.Hash<Note>()
    var bookAuthor: ToOne<Book, Author>
    var noteBook: ToOne<Note, Book>
    var noteBefore: ToOne<Note, Note>
    var readers = Tables.Hash<Reader>()
    var covers = Tables.Hash<Cover>()
    var favorite = ToOne<Reader, Book>(\.favoriteID, onDelete: .nullify)
    var bookCover = ToOne<Book, Cover>(\.coverID, onDelete: .nullify, onHolderDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("books", \.books)
      visitor.table("notes", \.notes)
      visitor.table("readers", \.readers)
      visitor.table("covers", \.covers)
      visitor.relationship("noteBook", \.noteBook)
      visitor.relationship("noteBefore", \.noteBefore)
      visitor.relationship("favorite", \.favorite)
      visitor.relationship("bookCover", \.bookCover)
      visitor.relationship("bookAuthor", \.bookAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot: Snapshot<Contents>

  init() { self.init(.deny) }

  init(_ rule: DeleteRule) {
    snapshot = Snapshot(
      Contents(
        bookAuthor: ToOne(\.authorID, onDelete: rule), noteBook: ToOne(\.bookID, onDelete: rule),
        noteBefore: ToOne(\.previousID, onDelete: rule)))
  }

  /// Three authors with one book and one note each.
  static func sample(_ rule: DeleteRule) throws -> Shelf {
    var shelf = Shelf(rule)
    try shelf.performBatchUpdates { context in
      for id in 1...3 {
        context.modifying.authors.insert(Author(id: id))
        context.modifying.books.insert(Book(id: id, authorID: .init(id)))
        context.modifying.notes.insert(Note(id: id, bookID: .init(id)))
      }
    }
    return shelf
  }
}

@Suite("Undo and layers after commits removed entities that rows reference again")
struct RemovedTargetTests {
  typealias Tables = BatchTables<Shelf>

  struct Desk: Equatable, Sendable { var shelf: Shelf }

  static func store(
    _ rule: DeleteRule
  ) throws -> (store: Store<Desk, Never>, problems: Recorder<String>) {
    let store = Store<Desk, Never>(initialState: Desk(shelf: try .sample(rule)))
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    _ = store.entity(Shelf.Author.EntityID(1), in: \.shelf)
    return (store, problems)
  }

  static func commit(
    _ name: String, undo: UndoRecording = .step, _ store: Store<Desk, Never>,
    _ body: @escaping @Sendable (inout Tables) -> Void
  ) throws {
    try store.commit(name, undo: undo) { desk in
      try desk.shelf.performBatchUpdates { body(&$0.modifying) }
    }
  }

  static func books(_ store: Store<Desk, Never>) -> [Int] {
    store.state.shelf.snapshot.contents.books.map(\.id)
  }

  static let rules: [DeleteRule] = [.deny, .cascade]

  @Test("Rows that reference a removed entity are not restored, and reported", arguments: rules)
  func removed(rule: DeleteRule) throws {
    let (store, problems) = try Self.store(rule)
    try Self.commit("Title", store) { $0.books.updateIfExists(id: .init(3)) { $0.title = "new" } }
    try Self.commit("Remove", store) { tables in
      for id in 1...2 {
        tables.notes.remove(.init(id))
        tables.books.remove(.init(id))
      }
    }
    try Self.commit("Evict", undo: .none, store) { $0.authors.remove(.init(1)) }
    expectTrue(store.undo())
    expectEqual(Self.books(store), [2, 3])
    expectEqual(store.state.shelf.snapshot.contents.notes.map(\.id).sorted(), [2, 3])
    expectEqual(problems.count, 1)
    for row in ["Book 1", "Note 1"] {
      let text = "\(row) references an entity that was removed"
      expectTrue(problems.last?.contains(text) == true, "\(problems.elements)")
    }
    expectEqual(store.state.shelf.verify(), [])
    // The steps before it can be undone, and the step can be redone.
    expectTrue(store.undo() && !store.canUndo)
    expectEqual(store.state.shelf.snapshot.contents.books.find(by: 3)?.title, "")
    expectTrue(store.redo() && store.redo())
    expectTrue(Self.books(store) == [3] && problems.count == 1)
  }

  @Test("The delete rule applies to a row that exists, and whose former target was removed")
  func moved() throws {
    for rule in Self.rules {
      let (store, problems) = try Self.store(rule)
      try Self.commit("Move", store) { tables in
        for id in 1...2 { tables.books.updateIfExists(id: .init(id)) { $0.authorID = 3 } }
      }
      try Self.commit("Evict", undo: .none, store) { $0.authors.remove(.init(1)) }
      let before = store.state
      expectEqual(store.undo(), rule == .cascade)
      expectEqual(Self.books(store), rule == .cascade ? [2, 3] : [1, 2, 3])
      expectTrue(store.state.shelf.verify().isEmpty)
      if rule == .deny { expectTrue(store.state == before && problems.count == 1) }
    }
  }

  @Test("Rows that reference or belong to a row that is not restored follow their rules")
  func dependents() throws {
    for rule in Self.rules {
      let (store, problems) = try Self.store(rule)
      try Self.commit("Readers", undo: .none, store) { tables in
        tables.readers.insert((1...2).map { Shelf.Reader(id: $0, favoriteID: .init($0)) })
        tables.covers.insert((1...2).map { Shelf.Cover(id: $0) })
        for id in 1...2 { tables.books.updateIfExists(id: .init(id)) { $0.coverID = .init(id) } }
      }
      try Self.commit("Remove", store) { tables in
        for id in 1...2 {
          tables.notes.remove(.init(id))
          tables.books.remove(.init(id))
        }
      }
      expectEqual(store.state.shelf.snapshot.contents.covers.count, 0)
      try Self.commit("Evict", undo: .none, store) { $0.authors.remove(.init(1)) }
      expectTrue(store.undo())
      let contents = store.state.shelf.snapshot.contents
      expectEqual(Self.books(store), [2, 3])
      expectEqual(contents.covers.map(\.id), [2])
      expectEqual(contents.readers.sorted { $0.id < $1.id }.map(\.favoriteID), [nil, 2])
      expectEqual(store.state.shelf.verify(), [])
      expectEqual(problems.count, 1)
    }
  }

  @Test("A row that is not restored changes no row that the step did not change")
  func others() throws {
    for rule in Self.rules {
      let (store, problems) = try Self.store(rule)
      try Self.commit("Title", store) { $0.books.updateIfExists(id: .init(3)) { $0.title = "new" } }
      try Self.commit("Covers", undo: .none, store) { tables in
        tables.covers.insert(Shelf.Cover(id: 1))
        tables.books.updateIfExists(id: .init(1)) { $0.coverID = 1 }
      }
      try Self.commit("Remove", store) { tables in
        tables.books.updateIfExists(id: .init(1)) { $0.coverID = nil }
        tables.notes.remove(.init(1))
        tables.books.remove(.init(1))
      }
      try Self.commit("Other", undo: .none, store) { tables in
        tables.authors.remove(.init(1))
        tables.books.updateIfExists(id: .init(2)) { $0.coverID = 1 }
        // Rows that refer to the removed book, as a server may send them.
        tables.notes.insert(Shelf.Note(id: 9, bookID: 1))
        tables.readers.insert(Shelf.Reader(id: 9, favoriteID: 1))
      }
      let before = store.state
      expectTrue(store.undo(), "\(problems.elements)")
      expectEqual(store.state, before)
      expectEqual(problems.count, 1)
      expectTrue(store.undo() && !store.canUndo)
      expectEqual(store.state.shelf.snapshot.contents.books.find(by: 3)?.title, "")
    }
  }

  @Test("A commit that coalesces with a step leaves no row of the step out")
  func coalesced() throws {
    for rule in Self.rules {
      let (store, problems) = try Self.store(rule)
      func type(_ body: @escaping @Sendable (inout Tables) -> Void) throws {
        try store.commit("Type", coalescing: .sameName(within: .seconds(1000))) { desk in
          try desk.shelf.performBatchUpdates { body(&$0.modifying) }
        }
      }
      try type { tables in
        tables.notes.remove(.init(1))
        tables.books.remove(.init(1))
      }
      try Self.commit("Evict", undo: .none, store) { $0.authors.remove(.init(1)) }
      try type { $0.books.updateIfExists(id: .init(2)) { $0.title = "new" } }
      expectEqual(problems.count, 0)
      try Self.commit("Load", undo: .none, store) { $0.authors.insert(Shelf.Author(id: 1)) }
      while store.undo() {}
      expectEqual(Self.books(store), [1, 2, 3])
      expectEqual(store.state.shelf.snapshot.contents.notes.count, 3)
      expectEqual(problems.count, 0)
    }
  }

  @Test("A long chain of rows that are not restored takes linear time")
  func chain() throws {
    let (store, problems) = try Self.store(.deny)
    let count = 4000
    try Self.commit("Notes", undo: .none, store) { tables in
      tables.notes.insert((10..<count).map { Shelf.Note(id: $0, bookID: 1) })
      tables.notes.insert(
        (10..<count).map { number in
          Shelf.Note(id: number, bookID: 1, previousID: number == 10 ? nil : .init(number - 1))
        })
    }
    try Self.commit("Remove", store) { tables in
      for id in (10..<count).reversed() { tables.notes.remove(.init(id)) }
      tables.notes.remove(.init(1))
      tables.books.remove(.init(1))
    }
    try Self.commit("Evict", undo: .none, store) { $0.authors.remove(.init(1)) }
    expectTrue(store.undo() && store.state.shelf.verify().isEmpty)
    expectEqual(store.state.shelf.snapshot.contents.notes.map(\.id).sorted(), [2, 3])
    expectEqual(problems.count, 1)
    let text = "(noteBook): mine is kept; and 3987 more"
    expectTrue(problems.last?.hasSuffix(text) == true)
  }

  @Test("Undoing an insertion applies the delete rule to rows of later commits", arguments: rules)
  func inserted(rule: DeleteRule) throws {
    let (store, problems) = try Self.store(rule)
    try Self.commit("Author", store) { $0.authors.insert(Shelf.Author(id: 4)) }
    try Self.commit("Book", undo: .none, store) { tables in
      tables.covers.insert(Shelf.Cover(id: 4))
      tables.books.insert(Shelf.Book(id: 4, authorID: 4, coverID: 4))
    }
    expectEqual(store.undo(), rule == .cascade)
    expectEqual(Self.books(store), rule == .cascade ? [1, 2, 3] : [1, 2, 3, 4])
    expectEqual(problems.count, 1)
    if rule == .deny { return }
    expectEqual(
      problems.last,
      """
      a part of the step Author conflicts with later commits: rows have changed since the step: \
      Book 4 references an entity that was removed (bookAuthor): theirs is taken; \
      Cover 4 belongs to an entity that was removed (bookCover): theirs is taken
      """)
  }

  @Test("A row that a later commit edited and a delete rule removes is reported once")
  func editedAndRemoved() throws {
    let (store, problems) = try Self.store(.cascade)
    try Self.commit("Author", store) { tables in
      tables.authors.insert(Shelf.Author(id: 4))
      tables.books.insert(Shelf.Book(id: 4, authorID: 4))
    }
    try Self.commit("Title", undo: .none, store) {
      $0.books.updateIfExists(id: .init(4)) { $0.title = "new" }
    }
    expectTrue(store.undo() && Self.books(store) == [1, 2, 3])
    expectEqual(
      problems.elements,
      [
        """
        a part of the step Author conflicts with later commits: rows have changed since the step: \
        Book 4 references an entity that was removed (bookAuthor): theirs is taken
        """
      ])
  }

  @Test("A commit that coalesces with a step removes no row of a later commit")
  func coalescedInsertion() throws {
    let (store, problems) = try Self.store(.cascade)
    func type(_ name: String) throws {
      try store.commit("Type", coalescing: .sameName(within: .seconds(1000))) { desk in
        try desk.shelf.performBatchUpdates {
          $0.modifying.authors.insert(Shelf.Author(id: 4, name: name))
        }
      }
    }
    try type("a")
    try Self.commit("Book", undo: .none, store) {
      $0.books.insert(Shelf.Book(id: 4, authorID: 4))
    }
    try type("ab")
    expectTrue(store.undo() && problems.count == 0)
    expectEqual(Self.books(store), [1, 2, 3, 4])
    expectTrue(store.undo() && problems.count == 1 && !store.canUndo)
    expectEqual(Self.books(store), [1, 2, 3])
  }
}
