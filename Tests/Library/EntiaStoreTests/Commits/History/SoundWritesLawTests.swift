import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Stores leave no dangling references")
struct SoundWritesLawTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  /// A plain edit that names only entities that are there: what dangles afterwards, another write
  /// left dangling.
  @Sendable
  private static func edit(_ library: inout Reading.Library, _ kind: Int, _ id: Int, _ other: Int)
    throws
  {
    try library.performBatchUpdates { context in
      switch kind {
      case 0..<2: context.modifying.authors.insert(Author(id: id, name: "\(other)"))
      case 2: context.modifying.authors.remove(Author.EntityID(id))
      case 3..<6 where context.modifying.authors.contains(Author.EntityID(other)):
        context.modifying.books.insert(
          Book(
            id: id, title: "\(other)", authorID: Author.EntityID(other),
            rating: other.isMultiple(of: 2) ? .nan : Double(other)), at: other)
      case 6: context.modifying.books.move(Book.EntityID(id), to: other)
      default: context.modifying.books.remove(Book.EntityID(id))
      }
    }
  }

  @Test(
    "Law 40: commits, drafts, layers and undo leave nothing wrong in any history",
    arguments: 0..<scaled(20))
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<Reading.State, Never>(initialState: try .sample())
    var draft = store.draft(\.library, merge: ThreeWayMerge(otherwise: .theirs))
    var layers: [StoreLayer<Reading.State>] = []
    for step in 0..<60 {
      let kind = random.number(in: 0..<8)
      let (id, other) = (random.number(in: 0..<5), random.number(in: 0..<5))
      let action = random.number(in: 0..<12)
      do {
        switch action {
        case 0..<4: try store.commit { try Self.edit(&$0.library, kind, id, other) }
        case 4..<6: try draft.update { try Self.edit(&$0, kind, id, other) }
        case 6:
          try draft.save()
          // A row with a NaN that was saved is no change of the draft.
          expectFalse(draft.hasChanges, "seed \(seed), step \(step)")
        case 7: draft = store.draft(\.library, merge: ThreeWayMerge(otherwise: .theirs))
        case 8:
          layers.append(try store.addLayer { try Self.edit(&$0.library, kind, id, other) })
        case 9 where !layers.isEmpty:
          let layer = layers.remove(at: random.number(in: 0..<layers.count))
          do { try layer.confirm() } catch { layer.rollBack() }
        case 10: store.undo()
        case 11: store.redo()
        default: break
        }
      } catch {
        // A refusal is part of the history too.
      }
      let (committed, shown) = (store.committedState.library, store.state.library)
      expectEqual(committed.verify(), [], "seed \(seed), step \(step), action \(action)")
      expectEqual(shown.verify(), [], "seed \(seed), step \(step), action \(action)")
    }
  }
}
