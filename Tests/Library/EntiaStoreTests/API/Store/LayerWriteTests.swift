import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("A layer wrote a row even if the row did not change")
struct LayerWriteTests {
  typealias Library = Reading.Library
  typealias Book = Reading.Book
  typealias Edit = @Sendable (inout Library) throws -> Void

  private struct State: StateType {
    var library = Library()
    var other: Library?
    var text = ""
  }

  private static func library(books: Int) throws -> Library {
    var library = Library()
    try library.performBatchUpdates { context in
      for id in 1...3 {
        _ = context.modifying.authors.insert(Reading.Author(id: id, name: "old"))
      }
      for id in 1...books {
        _ = context.modifying.books.insert(Book(id: id, title: "old", authorID: 1, rating: 1))
      }
    }
    return library
  }

  /// Returns an edit of a library in one batch.
  private static func batch(
    _ body: @escaping @Sendable (inout BatchContext<Library>) throws -> Void
  ) -> Edit {
    { library in try library.performBatchUpdates { try body(&$0) } }
  }

  private static func rate(_ id: Int, _ rating: Double) -> Edit {
    batch { $0.modifying.books[Book.EntityID(id)]?.rating = rating }
  }

  /// A layer that writes book 1, and with an effect that is not visible, other rows; and a commit.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let layer: Edit
    let commit: Edit

    init(_ name: String, layer: @escaping Edit, commit: @escaping Edit) {
      testDescription = name
      self.layer = layer
      self.commit = commit
    }
  }

  static let cases = [
    Case("a member", layer: rate(2, 1), commit: rate(2, 5)),
    Case("a missing row", layer: rate(9, 5)) { library in
      try library.performBatchUpdates {
        _ = $0.modifying.books.insert(Book(id: 9, title: "new", authorID: 1))
      }
    },
    Case(
      "an inserted row",
      layer: batch {
        _ = $0.modifying.books.insert(Book(id: 2, title: "old", authorID: 1, rating: 1))
      }, commit: rate(2, 5)),
    Case(
      "an updated row",
      layer: batch { try $0.modifying.books.updateExists(id: 2) { $0.rating = 1 } },
      commit: rate(2, 5)),
    Case(
      "a row that is updated if it exists",
      layer: batch { $0.modifying.books.updateIfExists(id: 9) { $0.rating = 3 } },
      commit: batch { _ = $0.modifying.books.insert(Book(id: 9, title: "new", authorID: 1)) }),
    Case(
      "rows by a condition",
      layer: batch { $0.modifying.books.update(where: { $0.rating > 2 }, { $0.rating = 2 }) },
      commit: rate(3, 5)),
    Case(
      "removed rows", layer: batch { $0.modifying.books.remove([8, 9]) },
      commit: batch { _ = $0.modifying.books.insert(Book(id: 9, title: "new", authorID: 1)) }),
    Case(
      "removed rows by a condition",
      layer: batch { $0.modifying.books.remove(where: { $0.title == "spam" }) },
      commit: batch { $0.modifying.books[3]?.title = "spam" }),
    Case(
      "a move", layer: batch { $0.modifying.books.move(3, to: 2) },
      commit: batch { $0.modifying.books.move(3, to: 0) }),
    Case(
      "a sort", layer: batch { $0.modifying.books.sort { $0.rating < $1.rating } },
      commit: rate(1, 7)),
    Case(
      "an entity that is removed and inserted again",
      layer: batch { context in
        if let author = context.modifying.authors.remove(2) {
          _ = context.modifying.authors.insert(author)
        }
      }, commit: batch { _ = $0.modifying.books.insert(Book(id: 9, title: "new", authorID: 2)) }),
    Case(
      "a row of an ordered table that is removed and inserted again",
      layer: batch { context in
        if let book = context.modifying.books.remove(4) { _ = context.modifying.books.insert(book) }
      }, commit: batch { _ = $0.modifying.books.insert(Book(id: 9, title: "new", authorID: 1)) }),
    Case(
      "two batches, there and back",
      layer: { library in
        try rate(2, 4)(&library)
        try rate(2, 1)(&library)
      }, commit: rate(2, 5)),
    Case(
      "a change set",
      layer: { library in
        var changed = library
        try rate(2, 3)(&changed)
        try rate(2, 1)(&library)
        let changes = changed.changes(since: library)
        library = changed
        try library.apply(changes)
        try rate(2, 1)(&library)
      }, commit: rate(2, 5)),
    Case(
      "another database",
      layer: { library in
        let title = library.books.find(by: 1)?.title ?? ""
        library = try Self.library(books: 4)
        try batch { $0.modifying.books[1]?.title = title + "!" }(&library)
      }, commit: rate(2, 5)),
  ]

  @Test("The visible state is the committed state with the layer's edit", arguments: cases)
  func equalWrites(_ example: Case) throws {
    try check(example, in: State(library: Self.library(books: 4)), \.library)
    try check(example, in: Self.library(books: 4), \.self)
  }

  @Test("A row that an insertion with a policy keeps counts as written")
  func keptRow() throws {
    var shop = EntiaTestDomains.Shop()
    try shop.performBatchUpdates {
      $0.modifying.customers.insert([Customer(id: 1, email: "a"), Customer(id: 2, email: "b")])
    }
    let store = Store<EntiaTestDomains.Shop, Never>(initialState: shop)
    _ = store.entity(Customer.EntityID(1), in: \.self)
    let layer = try store.addLayer { shop in
      try shop.performBatchUpdates { context in
        context.modifying.customers.insert(Customer(id: 3, email: "b"), onConflict: .keep)
        context.modifying.customers.insert(Customer(id: 9, email: "z"))
      }
    }
    try store.tryCommit { shop in
      try shop.performBatchUpdates { _ = $0.modifying.customers.remove(2) }
    }
    let shown = store.state
    expectEqual(shown.customers.find(by: 3)?.email, "b")
    try layer.confirm()
    expectEqual(store.state, shown)
  }

  @Test("Layers that break a rule only without each other are shown, and confirmed in their order")
  func rulesOfAllLayers() throws {
    var shop = EntiaTestDomains.Shop()
    try shop.performBatchUpdates { $0.modifying.customers.insert(Customer(id: 1, email: "a")) }
    let store = Store<EntiaTestDomains.Shop, Never>(initialState: shop)
    let layers = try [Customer(id: 1, email: "b"), Customer(id: 2, email: "a")].map { customer in
      try store.addLayer { shop in
        try shop.performBatchUpdates { $0.modifying.customers.insert(customer) }
      }
    }
    let shown = store.state
    expectEqual(shown.customers.find(by: 2)?.email, "a")
    #expect(throws: BatchError.self) { try layers[1].confirm() }
    expectTrue(store.state == shown && store.committedState == shop)
    for layer in layers { try layer.confirm() }
    expectTrue(store.state == shown && store.committedState == shown)
  }

  private func check<Whole: Equatable & Sendable>(
    _ example: Case, in start: Whole, _ path: any WritableKeyPath<Whole, Library> & Sendable
  ) throws {
    let store = Store<Whole, Never>(initialState: start)
    _ = store.entity(Book.EntityID(1), in: path)
    let edit = example.layer
    let layer = try store.addLayer { state in
      try edit(&state[keyPath: path])
      try Self.batch { $0.modifying.books[1]?.title += "*" }(&state[keyPath: path])
    }
    try store.commit { try example.commit(&$0[keyPath: path]) }
    let shown = store.state
    try layer.confirm()
    expectEqual(shown, store.state)
  }

  @Test("A layer that reads one copy of the database and writes another follows neither wrongly")
  func copies() throws {
    let start = State(
      library: try Self.library(books: 2), other: try Self.library(books: 3))
    let store = Store<State, Never>(initialState: start)
    _ = store.entity(Book.EntityID(1), in: \.library)
    let layer = try store.addLayer { state in
      let library = state.library
      state.library = state.other ?? library
      state.other = library
    }
    try store.commit { try Self.rate(2, 5)(&$0.library) }
    let shown = store.state
    try layer.confirm()
    expectEqual(shown, store.state)
  }

  @Test("Commits to rows and tables that a layer did not write call no edit")
  func fastPath() throws {
    let store = Store<State, Never>(initialState: State(library: try Self.library(books: 20)))
    _ = store.entity(Book.EntityID(1), in: \.library)
    let calls = Recorder<Int>()
    for layer in 0..<3 {
      _ = try store.addLayer { state in
        calls.record(layer)
        for id in 1...5 { try Self.rate(id, id == 3 ? 2 : 1)(&state.library) }
        try Self.batch { $0.modifying.books[4]?.title += "*" }(&state.library)
      }
    }
    let before = calls.count
    for number in 0..<100 {
      try store.commit { try Self.rate(6 + number % 15, Double(number))(&$0.library) }
      try store.commit { state in
        try state.library.performBatchUpdates {
          _ = $0.modifying.authors.insert(Reading.Author(id: 4 + number, name: "new"))
        }
      }
    }
    expectEqual(calls.count, before)
    expectEqual(store.state.library.books.find(by: 4)?.title, "old***")
    try store.commit { try Self.rate(2, 9)(&$0.library) }
    expectEqual(calls.count, before + 3)
    expectEqual(store.state.library.books.find(by: 2)?.rating, 1)
  }

  @Test(
    "Edits of several rows, often to equal values: the state equals that of all edits applied again",
    arguments: 0..<scaled(10))
  func law(seed: Int) throws {
    if seed % 2 == 0 {
      try run(seed: seed, in: State(library: Self.library(books: 4)), \.library)
    } else {
      try run(seed: seed, in: Self.library(books: 4), \.self)
    }
  }

  private func run<Whole: Equatable & Sendable>(
    seed: Int, in start: Whole, _ path: any WritableKeyPath<Whole, Library> & Sendable
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let stores = (0..<2).map { _ in Store<Whole, Never>(initialState: start) }
    for store in stores { _ = store.entity(Book.EntityID(1), in: path) }
    var layers: [(edit: Edit, pair: [StoreLayer<Whole>])] = []
    for step in 0..<60 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where layers.count < 5:
        let edit = Self.edit(&random)
        let added = zip(stores, [LayerReplays.ifAffected, .always]).compactMap { store, replays in
          do {
            return try store.addLayer(replays: replays) { try edit(&$0[keyPath: path]) }
          } catch {
            return nil
          }
        }
        if added.count == 2 { layers.append((edit, added)) }
      case 1 where !layers.isEmpty:
        let ended = layers.remove(at: .random(in: 0..<layers.count, using: &random)).pair
        if Bool.random(using: &random) {
          for layer in ended { do { try layer.confirm() } catch { layer.rollBack() } }
        } else {
          for layer in ended { layer.rollBack() }
        }
      default:
        let edit = Self.edit(&random)
        for store in stores { do { try store.commit { try edit(&$0[keyPath: path]) } } catch {} }
      }
      try #require(stores[0].state == stores[1].state, "seed \(seed), step \(step)")
      try #require(stores[0].committedState == stores[1].committedState)
      var expected = stores[0].committedState
      for (edit, _) in layers {
        var edited = expected
        do {
          try edit(&edited[keyPath: path])
          expected = edited
        } catch {}
      }
      try #require(stores[0].state == expected, "seed \(seed), step \(step)")
    }
  }

  /// An edit that reads only rows that it writes.
  private static func edit(_ random: inout SeededGenerator) -> Edit {
    let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Book.EntityID(.random(in: 1...6, using: &random))
    }
    let rating = Double.random(in: 0..<2, using: &random).rounded()
    let position = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      return batch { _ = $0.modifying.books.remove(ids) }
    case 1:
      return batch { context in
        for id in ids {
          _ = context.modifying.books.insert(
            Book(id: id.raw, title: "new", authorID: 1, rating: rating))
        }
      }
    case 2:
      return batch { context in
        _ = context.modifying.books.insert(
          Book(id: ids[0].raw, title: "new", authorID: 1, rating: rating), at: position)
      }
    case 3:
      return batch { _ = $0.modifying.books.move(ids[0], to: position) }
    case 4:
      return batch { _ = $0.modifying.books.move(ids[0], before: ids[ids.count - 1]) }
    case 5:
      return batch { $0.modifying.books.update(where: { $0.rating == rating }, { $0.title = "x" }) }
    case 6:
      return batch { context in
        for id in ids { context.modifying.books.updateIfExists(id: id) { $0.title = "old" } }
      }
    case 7:
      return batch { context in
        _ = context.modifying.authors.insert(Reading.Author(id: ids[0].raw, name: "\(rating)"))
        context.modifying.books[ids[0]]?.rating = rating
      }
    case 8:
      return { library in
        for id in ids { try Self.rate(id.raw, rating)(&library) }
      }
    default:
      return batch { context in
        for id in ids { context.modifying.books[id]?.rating = rating }
      }
    }
  }
}
