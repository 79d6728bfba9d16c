import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 25: histories")
struct HistoryLawTests {
  /// A seed that fails is printed with its step; `ENTIA_TEST_SCALE` adds more.
  static let seeds: [UInt64] = (0..<scaled(20)).map { UInt64($0) }

  @Test("A history is a list of values and a position in it", arguments: seeds)
  func history(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let depth = Int.random(in: 0...6, using: &random)
    var history = History(initialValue: 0, depth: depth)
    var past: [Int] = []
    var future: [Int] = []
    for step in 0..<200 {
      let before = history.value
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let new = Int.random(in: 0...5, using: &random)
        history.value = new
        if new != before { note(before, &past, &future, depth) }
      case 4:
        let values = (0..<3).map { _ in Int.random(in: 0...5, using: &random) }
        history.group { group in for value in values { group.value = value } }
        if zip([before] + values, values).contains(where: { $0 != $1 }) {
          note(before, &past, &future, depth)
          // A group that leads back to its start is no step.
          if values.last == before { _ = past.popLast() }
        }
      case 5..<8:
        expectEqual(history.undo(), !past.isEmpty)
        if let value = past.popLast() {
          future.append(before)
          expectEqual(history.value, value)
          var again = history
          again.redo()
          expectEqual(again.value, before, "redo∘undo, seed \(seed), step \(step)")
        }
      default:
        expectEqual(history.redo(), !future.isEmpty)
        if let value = future.popLast() {
          past.append(before)
          expectEqual(history.value, value)
        }
      }
      let isRight =
        history.undoCount == past.count && history.redoCount == future.count
        && history.undoValue == past.last && history.redoValue == future.last
      expectTrue(isRight, "seed \(seed), step \(step)")
      if !isRight { return }
      var walked = history
      var undone: [Int] = []
      while walked.undo() { undone.append(walked.value) }
      expectEqual(undone, past.reversed(), "seed \(seed), step \(step)")
      while walked.redo() {}
      expectEqual(walked.value, future.first ?? history.value, "seed \(seed), step \(step)")
    }
  }

  private func note(_ before: Int, _ past: inout [Int], _ future: inout [Int], _ depth: Int) {
    past.append(before)
    if past.count > depth { past.removeFirst() }
    future = []
  }
}

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
