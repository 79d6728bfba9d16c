import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("No user code runs under a lock")
struct LockingTests {
  typealias State = Watched.State
  typealias Value = Watched.Value
  typealias Row = Watched.Row

  private func makeStore() -> Store<State, Value> {
    Store(
      initialState: State(), undoDepth: 4,
      middleware: [StoreMiddleware { _, _, _ in Watched.check("a middleware") }],
      logger: StoreLogger { _ in Watched.check("a logger") })
  }

  /// Observers of every kind.
  private func observe(_ store: Store<State, Value>, _ number: Int) -> [StoreSubscription] {
    let id = Row.EntityID(Value(number))
    let query = store.query(
      FetchDescriptor<Row> { row in
        Watched.check("a predicate")
        return row.content.number > number
      }, in: \.shelf)
    return [
      store.sinkState(queue: .passthrough) { _ in Watched.check("an observer") },
      store.sinkActivity(queue: .passthrough) { _ in Watched.check("an observer") },
      store.derived(.select(\.[Value(number)])).sinkState(queue: .passthrough) { _ in
        Watched.check("an observer")
      },
      store.derived(
        .map { state in
          Watched.check("a derivation")
          return state.value
        }
      ).sinkState(queue: .passthrough) { _ in Watched.check("an observer") },
      store.entity(id, in: \.shelf).sinkState(queue: .passthrough) { _ in
        Watched.check("an observer")
      },
      query.sinkDifferences(queue: .passthrough) { _ in Watched.check("an observer") },
      query.grouped(by: \.content).sinkState(queue: .passthrough) { _ in
        Watched.check("an observer")
      },
      store.sinkState(on: Watched.Place()) { _, _ in Watched.check("an observer") },
    ]
  }

  @Test("The last observer of a database releases its key path without a lock")
  func releasedPath() {
    let store = makeStore()
    for number in 0..<20 {
      let subscriptions = [
        store.entity(Row.EntityID(Value(1)), in: \.[shelfAt: Value(number)])
          .sinkState(queue: .passthrough) { _ in },
        store.query(FetchDescriptor<Row> { _ in true }, in: \.[shelfAt: Value(number)])
          .sinkState(queue: .passthrough) { _ in },
      ]
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  /// A random use of the store.
  private func use(
    _ store: Store<State, Value>, _ layers: inout [StoreLayer<State>],
    _ drafts: inout [EditingDraft<Watched.Shelf>], _ random: inout SeededGenerator
  ) throws {
    let number = Int.random(in: 0..<4, using: &random)
    let other = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0: store.commit { $0[Value(number)] = Value(other) }
    case 1: store.commit("Typing", coalescing: .withLast) { $0.value = Value(number) }
    case 2, 3:
      store.commit { state in
        state.shelf.performBatchUpdates {
          $0.modifying.rows.insert(Row(id: Value(number), content: Value(other)))
        }
      }
    case 4:
      store.commit { state in
        state.shelf.performBatchUpdates { _ = $0.modifying.rows.remove(.init(Value(number))) }
      }
    case 5: store.undo()
    case 6: store.redo()
    case 7: store.undo(\.[Value(number)])
    case 8:
      if store.canRedo(\.[Value(number)]) { store.redo(\.[Value(number)]) }
      _ = store.canUndo(\.[Value(other)])
    case 9: layers.append(try store.addLayer { $0.value = Value(number) })
    case 10: try layers.popLast()?.confirm()
    case 11: layers.popLast()?.rollBack()
    case 12: drafts.append(store.draft(\.shelf))
    case 13 where Bool.random(using: &random):
      do { try drafts.popLast()?.save() } catch is MergeError {}
    case 13:
      drafts.last?.update { shelf in
        shelf.performBatchUpdates {
          $0.modifying.rows.insert(Row(id: Value(number), content: Value(other)))
        }
      }
    case 14:
      store.commit(undo: .none) { state in
        Watched.check("a replay")
        state.values[Value(number)] = Value(other)
        state.shelf.performBatchUpdates {
          $0.modifying.rows.insert(Row(id: Value(other), content: Value(number)))
        }
      }
    case 15: store.send(Value(number))
    case 16: store.ref(Row.EntityID(Value(number)), in: \.shelf)[\.content].value = Value(other)
    default:
      store.undoGroup {
        store.commit { $0.value = Value(number) }
        store.commit { $0.value = Value(other) }
      }
    }
  }

  @Test("Histories of commits, undo, layers, drafts and observers", arguments: 0..<scaled(7))
  func history(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = makeStore()
    var subscriptions: [StoreSubscription] = []
    var layers: [StoreLayer<State>] = []
    var drafts: [EditingDraft<Watched.Shelf>] = []
    for _ in 0..<80 {
      try use(store, &layers, &drafts, &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: subscriptions = observe(store, Int.random(in: 0..<4, using: &random))
      case 1: subscriptions = []
      case 2: for subscription in subscriptions { subscription.storeWhileSourceActive() }
      default: break
      }
    }
    store.clearHistory()
  }

  @Test("Releasing a store, and what it holds")
  func release() {
    let store = makeStore()
    _ = observe(store, 1).map { $0.storeWhileSourceActive() }
    store.commit { $0.value = Value(7) }
    let derived = store.derived(.select(\.[Value(1)]))
    expectEqual(derived.value.number, 0)
  }

  @Test("Tasks")
  func tasks() async throws {
    let store = makeStore()
    let result = try await store.task {
      Watched.check("a task")
      return Value(1)
    }.value
    expectEqual(result.number, 1)
    store.task(key: .init("a")) { Value(2) }
    store.task(key: .init("a")) { Value(3) }
    await store.waitForAllTasks()
  }
}
