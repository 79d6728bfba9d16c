import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 25: undo in a store, for states and views")
struct StoreUndoLawTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  static let seeds: [UInt64] = (0..<scaled(10)).map { UInt64($0) }

  /// Everything a view shows of a library: rows, their order and both ends of relationships.
  private static func views(_ library: Reading.Library) -> [String] {
    library.books.map { book in
      let author = library.view(of: book.entityID)?[\.bookAuthor]
      return "\(book.id) \(book.title) \(author?.name ?? "-")"
    }
      + library.authors.map { author in
        let books = library.view(of: author.entityID)?[inverse: \.bookAuthor]
        return "\(author.id) \(author.name) \(books?.map { $0.entity.id }.sorted() ?? [])"
      }
  }

  @Test("undo∘do and redo∘undo are the identity; a new edit clears redo", arguments: seeds)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Store<Reading.State, Never>(initialState: try .sample(), undoDepth: 1000)
    let received = Recorder<Reading.State>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.primitive)
    }
    var past: [Reading.State] = []
    var future: [Reading.State] = []
    for step in 0..<60 {
      let before = store.state
      let tellings = received.count
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3:
        do { try edit(store, &random) } catch { expectEqual(store.state, before) }
        if store.state != before {
          past.append(before)
          future = []
        }
      case 3, 4:
        expectEqual(store.undo(), !past.isEmpty, "seed \(seed), step \(step)")
        if let target = past.popLast() {
          check(store.state, is: target, seed, step)
          future.append(before)
        }
      default:
        expectEqual(store.redo(), !future.isEmpty, "seed \(seed), step \(step)")
        if let target = future.popLast() {
          check(store.state, is: target, seed, step)
          past.append(before)
        }
      }
      expectTrue(store.canUndo == !past.isEmpty && store.canRedo == !future.isEmpty)
      expectEqual(received.count - tellings, store.state == before ? 0 : 1, "seed \(seed), \(step)")
      expectTrue(received.last == nil || received.last == store.state, "seed \(seed), step \(step)")
    }
    subscription.cancel()
  }

  private func check(
    _ state: Reading.State, is expected: Reading.State, _ seed: UInt64, _ step: Int
  ) {
    expectEqual(state, expected, "seed \(seed), step \(step)")
    expectEqual(
      Self.views(state.library), Self.views(expected.library), "seed \(seed), step \(step)")
    expectEqual(state.library.verify(), expected.library.verify(), "seed \(seed), step \(step)")
  }

  /// A random edit; what the delete rule refuses is thrown.
  private func edit(
    _ store: Store<Reading.State, Never>, _ random: inout SeededGenerator
  ) throws {
    let id = Int.random(in: 0...4, using: &random)
    let authorID = Int.random(in: 1...3, using: &random)
    let kind = Int.random(in: 0..<5, using: &random)
    try store.commit { state in
      if kind == 4 {
        state.searchText = "\(id)"
        return
      }
      try state.library.performBatchUpdates { context in
        switch kind {
        case 0: context.modifying.authors.insert(Author(id: authorID, name: "A\(id)"))
        case 1: context.modifying.authors.remove(.init(authorID))
        case 2: context.modifying.books.remove(.init(id))
        default:
          context.modifying.books.insert(
            Book(id: id, title: "B", authorID: .init(authorID)))
        }
      }
    }
  }

  @Test("Law 7: the undo steps share an unchanged table with the current version")
  func memory() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    for step in 0..<50 { store.ref(Author.EntityID(1), in: \.library)[\.name].value = "\(step)" }
    let oldest = try #require(store.undoState)
    let changes = store.state.library.changes(since: oldest.library)
    expectTrue(changes.authors.updated.count == 1 && changes.books.isEmpty)
  }
}
