import Entia
import EntiaTestSupport
import Testing

/// What users of other libraries write first, as they write it.
@Suite("First lines")
struct FirstLinesTests {
  struct Desk: Equatable {
    var journal = Journal()
    var strict = Denying()
    var count = 0
  }

  private let store = Store<Desk, Never>(initialState: Desk())
  private let ann = Writer(id: "w", name: "Ann")

  @Test("A batch of a database in the state is one closure, without try where nothing refuses")
  func batch() {
    let before = store.state
    store.batch(\.journal, "Hire") { $0.writers.insert(ann) }
    expectEqual(store.state.journal.writers.allIDs(), ["w"])
    let name = store.batch(\.journal) { tables in
      tables.writers.updateIfExists(id: "w") { $0.name = "Anna" }
      return tables.writers.find(by: "w")?.name
    }
    expectEqual(name, "Anna")
    store.undo()
    store.undo()
    expectEqual(store.state, before)
  }

  @Test("Where the database can refuse, a batch throws and leaves no trace")
  func refusedBatch() throws {
    try store.batch(\.strict) { tables in
      tables.writers.insert(ann)
      tables.essays.insert(Essay(id: 1, title: "One", writerID: "w"))
    }
    let before = store.state
    #expect(throws: BatchError.self) { try store.batch(\.strict) { $0.writers.remove("w") } }
    expectEqual(store.state, before)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.batch(\.journal) { tables in
        tables.writers.insert(ann)
        throw Stop()
      }
    }
    expectEqual(store.state, before)
  }

  @Test("A store whose state is a database takes batches of it")
  func databaseAsState() throws {
    let store = Store<Journal, Never>(initialState: Journal())
    store.batch { $0.writers.insert(ann) }
    expectEqual(store.writers.count, 1)
    let strict = Store<Denying, Never>(initialState: Denying())
    try strict.batch("Hire") { $0.writers.insert(ann) }
    expectEqual(strict.writers.count, 1)
    let component = Component()
    component.batch(\.journal) { $0.writers.insert(ann) }
    expectEqual(component.state.journal.writers.count, 1)
  }

  struct Component: StoreComponentType {
    let store = Store<Desk, Never>(initialState: Desk())
  }

  @Test("A layer's edit may be one batch, whatever that returns")
  func layer() throws {
    let layer = try store.addLayer {
      $0.journal.performBatchUpdates { $0.modifying.writers.insert(ann) }
    }
    expectTrue(
      store.state.journal.writers.count == 1 && store.committedState.journal.writers.isEmpty)
    try layer.confirm { $0.journal.performBatchUpdates { $0.modifying.writers.insert(ann) } }
    expectEqual(store.committedState.journal.writers.count, 1)
  }

  @Test("A function value is committed like a closure")
  func functionValue() throws {
    let edit: (inout Desk) -> Void = { $0.count += 1 }
    let failing: (inout Desk) throws -> Int = { state in
      state.count += 1
      return state.count
    }
    store.commit(edit)
    try expectEqual(store.commit(failing), 2)
    try expectEqual(store.tryCommit(failing), 3)
    let component = Component()
    component.commit { $0.count += 1 }
    expectEqual(component.state.count, 1)
    store.scope(\.count).commit { $0 += 1 }
    expectEqual(store.state.count, 4)
  }

  /// Closures without a result, as buttons and tasks take them.
  @MainActor
  @Test("A closure without a result ends in an edit that ends in a removal")
  func discardedResults() {
    func run(_ action: () throws -> Void) rethrows { try action() }
    func edit(_ shelf: inout Shelf, _ body: (inout Shelf) -> Void) { body(&shelf) }
    var shelf = Shelf()
    shelf.performBatchUpdates { $0.modifying.volumes.insert((1...6).map { Volume(id: $0) }) }
    run { shelf.performBatchUpdates { $0.modifying.volumes.remove(1) } }
    edit(&shelf) { $0.performBatchUpdates { $0.modifying.volumes.remove(2) } }
    let removed = shelf.performBatchUpdates { $0.modifying.volumes.remove(3) }
    expectTrue(removed?.id == 3 && shelf.volumes.map(\.id) == [4, 5, 6])
    let store = Store<Shelf, Never>(initialState: shelf)
    let scope = store.scope(\.self)
    run { store.commit { $0.performBatchUpdates { $0.modifying.volumes.remove(4) } } }
    run { store.batch { $0.volumes.remove(5) } }
    run { store.batch(\.self) { $0.volumes.remove(6) } }
    run { scope.commit { $0.performBatchUpdates { $0.modifying.volumes.remove(7) } } }
    run { scope.batch { $0.volumes.remove(7) } }
    expectTrue(store.state.volumes.isEmpty)
    // Functions are edits as they are.
    func add(_ tables: inout BatchTables<Shelf>) { tables.volumes.append(Volume(id: 8)) }
    store.batch(add)
    store.batch(\.self, add)
    scope.batch(add)
    expectEqual(store.state.volumes.map(\.id), [8])
  }

  @Test("A value is derived by a closure")
  func derived() {
    let text = store.derived { "\($0.count)" }
    store.commit { $0.count = 7 }
    expectEqual(text.value, "7")
  }
}

private struct Volume: EntityType, Identifiable {
  let id: Int
}

@NormalizedStorage
private struct Shelf {
  @Table var volumes: Tables.Ordered<Volume> = .init()
}
