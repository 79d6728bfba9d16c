import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Layers are applied again only after commits that may affect them")
struct LayerReplayTests {
  private typealias State = Reading.State

  private static func state(books: Int) throws -> State {
    var state = State()
    try state.library.performBatchUpdates { context in
      _ = context.modifying.authors.insert(Reading.Author(id: 1, name: "Ann"))
      for id in 0..<books {
        _ = context.modifying.books.insert(Reading.Book(id: id, title: "", authorID: 1))
      }
    }
    return state
  }

  private static func retitle(_ id: Int, _ suffix: String, _ state: inout State) throws {
    try state.library.performBatchUpdates { context in
      guard var book = context.modifying.books.find(by: Reading.Book.EntityID(id)) else {
        throw Refused(reason: "no book")
      }
      book.title += suffix
      _ = context.modifying.books.insert(book)
    }
  }

  private static func rate(_ id: Int, _ rating: Double, _ state: inout State) throws {
    try state.library.performBatchUpdates {
      $0.modifying.books.updateIfExists(id: .init(id)) { $0.rating = rating }
    }
  }

  /// A store with layers that retitle the first books, and a recorder of the calls of their edits.
  private static func layered(
    _ count: Int, replays: LayerReplays = .ifAffected
  ) throws -> (store: Store<State, Never>, calls: Recorder<Int>) {
    let store = Store<State, Never>(initialState: try state(books: 50))
    _ = store.ref(\.library).value
    _ = store.entity(Reading.Book.EntityID(0), in: \.library)
    let calls = Recorder<Int>()
    for id in 0..<count {
      _ = try store.addLayer(replays: replays) { state in
        calls.record(id)
        try retitle(id, "*", &state)
      }
    }
    return (store, calls)
  }

  @Test("1,000 commits to other rows call no edit of 20 layers")
  func independent() throws {
    let (store, calls) = try Self.layered(20)
    let before = calls.count
    for number in 0..<1000 {
      try store.commit { try Self.retitle(20 + number % 30, ".", &$0) }
    }
    expectEqual(calls.count, before)
    expectEqual(store.state.library.books[Reading.Book.EntityID(0)]?.title, "*")
    expectEqual(store.committedState.library.books[Reading.Book.EntityID(0)]?.title, "")
    let written = store.committedState.library.books[Reading.Book.EntityID(20)]
    expectEqual(written, store.state.library.books[Reading.Book.EntityID(20)])
    expectEqual(written?.title.isEmpty, false)
  }

  @Test("Adding a layer calls its edit alone", arguments: [.ifAffected, .always] as [LayerReplays])
  func added(replays: LayerReplays) throws {
    let (store, calls) = try Self.layered(20, replays: replays)
    expectEqual(calls.elements, Array(0..<20))
    let titles = store.state.library.books.map(\.title)
    expectEqual(titles, Array(repeating: "*", count: 20) + Array(repeating: "", count: 30))
    // A layer that fails is neither called nor reported again.
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    try store.commit { state in
      try state.library.performBatchUpdates { _ = $0.modifying.books.remove(.init(5)) }
    }
    let before = calls.count
    let layer = try store.addLayer { try Self.retitle(6, "!", &$0) }
    expectTrue(problems.count == 1 && calls.count == before)
    expectEqual(store.state.library.books[Reading.Book.EntityID(6)]?.title, "*!")
    try store.commit { try Self.retitle(6, ".", &$0) }
    expectEqual(store.state.library.books[Reading.Book.EntityID(6)]?.title, ".*!")
    layer.rollBack()
    expectEqual(store.state.library.books[Reading.Book.EntityID(6)]?.title, ".*")
  }

  @Test("A row that a layer wrote without a change is one of its rows after others were added, too")
  func equalRow() throws {
    let (store, _) = try Self.layered(0)
    _ = try store.addLayer { state in
      try Self.retitle(1, "*", &state)
      try Self.rate(2, 0, &state)
    }
    _ = try store.addLayer { try Self.retitle(3, "*", &$0) }
    try store.commit { try Self.rate(2, 1, &$0) }
    expectEqual(store.state.library.books[Reading.Book.EntityID(2)]?.rating, 0)
    expectEqual(store.committedState.library.books[Reading.Book.EntityID(2)]?.rating, 1)
  }

  @Test("A commit to a row of a layer, outside databases, or under `always` calls the edits")
  func affected() throws {
    let (store, calls) = try Self.layered(5)
    var before = calls.count
    try store.commit { try Self.retitle(3, ".", &$0) }
    expectEqual(calls.count, before + 5)
    expectEqual(store.state.library.books[Reading.Book.EntityID(3)]?.title, ".*")
    before = calls.count
    store.commit { $0.searchText = "x" }
    expectEqual(calls.count, before + 5)
    let (eager, eagerCalls) = try Self.layered(5, replays: .always)
    before = eagerCalls.count
    try eager.commit { try Self.retitle(30, ".", &$0) }
    expectEqual(eagerCalls.count, before + 5)
  }

  @Test("A commit that refers to an entity that a layer removes and inserts again calls the edit")
  func insertedAgain() throws {
    var library = EntiaTestDomains.Library()
    try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a", name: "Ann")) }
    let store = Store<EntiaTestDomains.Library, Never>(initialState: library)
    _ = store.entity(Author.EntityID("a"))
    let layer = try store.addLayer { library in
      try library.performBatchUpdates { context in
        // Books of the author are removed, too.
        context.modifying.authors.remove("a")
        context.modifying.authors.insert(Author(id: "a", name: "Anna"))
      }
    }
    try store.commit {
      try $0.performBatchUpdates {
        $0.modifying.books.insert(Book(rawID: "b", title: "", authorID: "a"))
      }
    }
    expectEqual(store.committedState.snapshot.contents.books.count, 1)
    expectTrue(store.state.snapshot.contents.books.isEmpty)
    try layer.confirm()
    expectTrue(store.state.snapshot.contents.books.isEmpty)
    expectEqual(store.state.snapshot.contents.authors.count, 1)
  }

  /// The layers of several stores with one edit, and what their edit referred to when they were
  /// added.
  private struct EqualLayers {
    let layers: [StoreLayer<State>]
    let edit: @Sendable (inout State) throws -> Void
    let named: NamedTargets<Reading.Library>

    /// Adds the layers; returns `nil` if the edit throws.
    ///
    /// - Parameter isRegistered: Whether the stores have the key path of the database.
    init?(
      to stores: [Store<State, Never>], isRegistered: Bool,
      _ edit: @escaping @Sendable (inout State) throws -> Void
    ) throws {
      var start = stores[0].state
      if isRegistered { start.library = start.library.notingWrites }
      var end = start
      do { try edit(&end) } catch {
        for store in stores {
          #expect(throws: (any Error).self) { try store.addLayer(replays: .always, edit) }
        }
        return nil
      }
      layers = try zip(stores, [LayerReplays.ifAffected, .always]).map { store, replays in
        try store.addLayer(replays: replays, edit)
      }
      self.edit = edit
      named = end.library.namedTargets(since: start.library)
    }

    /// Returns the state after the edit, or `nil` if the edit fails.
    func applied(to state: State) -> State? {
      var end = state
      do { try edit(&end) } catch { return nil }
      let lost = end.library.lostReferences(since: state.library, named: named)
      return lost.isEmpty ? end : nil
    }

    /// Confirms the layers. Returns whether this succeeded.
    func confirm(in store: Store<State, Never>) -> Bool {
      let expected = applied(to: store.committedState)
      for layer in layers {
        do {
          try layer.confirm()
          expectTrue(expected != nil)
        } catch {
          expectNil(expected)
        }
      }
      if let expected { expectEqual(store.committedState, expected) }
      return expected != nil
    }
  }

  @Test("The states equal those with all edits applied again", arguments: 0..<scaled(20))
  func equalStates(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let books = 6
    let start = try Self.state(books: books)
    let stores = (0..<2).map { _ in Store<State, Never>(initialState: start) }
    // In half of the histories, the database is registered after the first layers.
    let registration = seed % 2 * 20
    var layers: [EqualLayers] = []
    /// An edit that reads and writes the same rows only.
    func edit() -> @Sendable (inout State) throws -> Void {
      let id = Int.random(in: 0..<books + 3, using: &random)
      let author = Int.random(in: 1..<4, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        return { state in
          try state.library.performBatchUpdates {
            _ = $0.modifying.books.remove(Reading.Book.EntityID(id))
          }
        }
      case 1:
        return { state in
          try state.library.performBatchUpdates {
            let author = Reading.Author.EntityID(author)
            _ = $0.modifying.books.insert(Reading.Book(id: id, title: "new", authorID: author))
          }
        }
      case 2:
        return { state in
          try state.library.performBatchUpdates {
            _ = $0.modifying.authors.remove(Reading.Author.EntityID(author))
          }
        }
      case 3:
        return { state in
          try state.library.performBatchUpdates {
            _ = $0.modifying.authors.insert(Reading.Author(id: author, name: "new"))
          }
        }
      case 4:
        return { state in
          try state.library.performBatchUpdates { context in
            // The books of the author go, and the author stays.
            guard let author = context.modifying.authors.remove(.init(author)) else { return }
            _ = context.modifying.authors.insert(author)
          }
        }
      case 5:
        return { state in
          try state.library.performBatchUpdates { context in
            guard let book = context.modifying.books.remove(.init(id)) else { return }
            _ = context.modifying.books.insert(book)
          }
        }
      case 6...7:
        let other = Int.random(in: 0..<books, using: &random)
        return { state in
          try Self.retitle(id, "+", &state)
          // Often writes an equal row.
          try Self.rate(other, 0, &state)
        }
      default:
        let rating = Double.random(in: 0..<2, using: &random).rounded(.down)
        return { try Self.rate(id, rating, &$0) }
      }
    }
    for step in 0..<60 {
      if step == registration {
        for store in stores { _ = store.entity(Reading.Book.EntityID(0), in: \.library) }
      }
      switch Int.random(in: 0..<7, using: &random) {
      case 0...1 where layers.count < 6:
        let isRegistered = step >= registration
        let added = try EqualLayers(to: stores, isRegistered: isRegistered, edit())
        if let added { layers.append(added) }
      case 2 where !layers.isEmpty:
        let ended = layers.remove(at: .random(in: 0..<layers.count, using: &random))
        for layer in ended.layers { layer.rollBack() }
      case 3 where !layers.isEmpty:
        let index = Int.random(in: 0..<layers.count, using: &random)
        if layers[index].confirm(in: stores[0]) { layers.remove(at: index) }
      default:
        let edit = edit()
        for store in stores { do { try store.commit(edit) } catch {} }
      }
      let committed = stores[0].committedState
      let state = layers.reduce(committed) { $1.applied(to: $0) ?? $0 }
      expectEqual(stores[1].committedState, committed)
      for store in stores {
        expectEqual(store.state, state, "seed \(seed), step \(step)")
        expectEqual(store.state.library.books.map(\.id), state.library.books.map(\.id))
      }
    }
  }
}
