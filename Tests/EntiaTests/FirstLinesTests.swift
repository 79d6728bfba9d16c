import Entia
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
    #expect(store.state.journal.writers.allIDs() == ["w"])
    let name = store.batch(\.journal) { tables in
      tables.writers.updateIfExists(id: "w") { $0.name = "Anna" }
      return tables.writers.find(by: "w")?.name
    }
    #expect(name == "Anna")
    store.undo()
    store.undo()
    #expect(store.state == before)
  }

  @Test("Where the database can refuse, a batch throws and leaves no trace")
  func refusedBatch() throws {
    try store.batch(\.strict) { tables in
      tables.writers.insert(ann)
      tables.essays.insert(Essay(id: 1, title: "One", writerID: "w"))
    }
    let before = store.state
    #expect(throws: BatchError.self) { try store.batch(\.strict) { $0.writers.remove("w") } }
    #expect(store.state == before)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.batch(\.journal) { tables in
        tables.writers.insert(ann)
        throw Stop()
      }
    }
    #expect(store.state == before)
  }

  @Test("A store whose state is a database takes batches of it")
  func databaseAsState() throws {
    let store = Store<Journal, Never>(initialState: Journal())
    store.batch { $0.writers.insert(ann) }
    #expect(store.writers.count == 1)
    let strict = Store<Denying, Never>(initialState: Denying())
    try strict.batch("Hire") { $0.writers.insert(ann) }
    #expect(strict.writers.count == 1)
    let component = Component()
    component.batch(\.journal) { $0.writers.insert(ann) }
    #expect(component.state.journal.writers.count == 1)
  }

  struct Component: StoreComponentType {
    let store = Store<Desk, Never>(initialState: Desk())
  }

  @Test("A layer's edit may be one batch, whatever that returns")
  func layer() throws {
    let layer = try store.addLayer {
      $0.journal.performBatchUpdates { $0.modifying.writers.insert(ann) }
    }
    #expect(store.state.journal.writers.count == 1 && store.committedState.journal.writers.isEmpty)
    try layer.confirm { $0.journal.performBatchUpdates { $0.modifying.writers.insert(ann) } }
    #expect(store.committedState.journal.writers.count == 1)
  }

  @Test("A function value is committed like a closure")
  func functionValue() throws {
    let edit: (inout Desk) -> Void = { $0.count += 1 }
    let failing: (inout Desk) throws -> Int = { state in
      state.count += 1
      return state.count
    }
    store.commit(edit)
    #expect(try store.commit(failing) == 2)
    #expect(try store.tryCommit(failing) == 3)
    let component = Component()
    component.commit { $0.count += 1 }
    #expect(component.state.count == 1)
    store.scope(\.count).commit { $0 += 1 }
    #expect(store.state.count == 4)
  }

  @Test("A value is derived by a closure")
  func derived() {
    let text = store.derived { "\($0.count)" }
    store.commit { $0.count = 7 }
    #expect(text.value == "7")
  }
}
