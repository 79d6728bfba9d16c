import EntiaDatabase
import Foundation
import Testing

@testable import EntiaStore

/// Everything that has a state is observed by the same calls, with their arguments in the same
/// order.
@Suite("All observable types are observed in the same way")
struct ObservableStateTests {
  struct AppState: StateType {
    var shop = Shop()
    var text = ""
  }

  final class Model: StoreComponentType, Sendable {
    let store = Store<AppState, String>(initialState: AppState())
  }

  /// A type of a user's that forwards what it observes.
  struct Title: StateObservable {
    let store: Store<AppState, String>
    var states: StoreStates<String> { store.derived { $0.text }.states }
  }

  private let model = Model()

  init() { model.batch(\.shop) { $0.items.insert(Item(id: 1, price: 3)) } }

  /// Observes in every way, and returns what was received when the text and the row had changed.
  private func receivedTwice(_ value: some StateObservable) async throws -> [String] {
    let log = Recorder<String>()
    let copy = Ref(initialValue: try await first(of: value))
    let atPlace = Tally()
    let subscriptions = [
      value.sinkState(queue: .passthrough) { _ in log.record("now") },
      value.sinkState(dropsFirst: true, queue: .passthrough) { _ in log.record("later") },
      value.sinkState(scan: Scan(seed: 0) { count, _ in count += 1 }, queue: .passthrough) {
        log.record("call \($1)")
      },
      value.sinkState(
        scan: Scan(seed: 0) { count, _ in count += 1 }, dropsFirst: true, queue: .passthrough
      ) { log.record("later call \($1)") },
      value.derived { _ in 1 }.sinkState(queue: .passthrough) { _ in log.record("derived") },
      value.derived(.map { _ in 1 }).sinkState(dropsFirst: true, queue: .passthrough) { _ in
        log.record("never")
      },
      value.assign(to: copy),
      copy.addObserver { _ in log.record("copied") },
      value.sinkState(dropsFirst: true, on: Place()) { _, _ in atPlace.add() },
      value.sinkState(dropsFirst: true, queue: .asyncMain) { _ in },
    ]
    model.commit {
      $0.text += "!"
      $0.shop.performBatchUpdates { context in
        context.modifying.items.updateIfExists(id: 1) { $0.price += 1 }
      }
    }
    #expect(try await eventuallyAmongTasks { atPlace.count == 1 })
    for subscription in subscriptions { subscription.cancel() }
    return log.elements.sorted()
  }

  actor Place {}

  private func first<Value: StateObservable>(of value: Value) async throws -> Value.State {
    for await state in value.states(buffering: .newest(1)) { return state }
    throw Refused(reason: "no state")
  }

  @Test("Stores, scopes, values, queries, handles, pointers, components and custom types")
  func everything() async throws {
    let store = model.store
    let expected = [
      "call 1", "call 2", "copied", "derived", "later", "later call 1", "now", "now",
    ]
    let all = FetchDescriptor<Item>()
    #expect(try await receivedTwice(store) == expected)
    #expect(try await receivedTwice(model) == expected)
    #expect(try await receivedTwice(store.scope(\.text)) == expected)
    #expect(try await receivedTwice(store.derived(.select(\.text))) == expected)
    #expect(try await receivedTwice(store.entity(Item.EntityID(1), in: \.shop)) == expected)
    #expect(try await receivedTwice(store.query(all, in: \.shop)) == expected)
    let handle = try #require(store.handle(of: Item.EntityID(1), in: \.shop))
    #expect(try await receivedTwice(handle) == expected)
    #expect(try await receivedTwice(store.ref(\.text)) == expected)
    #expect(try await receivedTwice(Title(store: store)) == expected)
    let both = Derived.combined(store.query(all, in: \.shop), model) { $0.count + $1.text.count }
    #expect(try await receivedTwice(both) == expected)
  }

  @Test("A component forwards to its store, and a store is a component")
  func components() async throws {
    func text(of component: some StoreComponentType<AppState, String>) -> String {
      component.commit { $0.text += "+" }
      return component.state.text
    }
    #expect(text(of: model) == "+" && text(of: model.store) == "++")
    let log = Recorder<String>()
    let activities = model.sinkActivity(on: Place()) { _, activity in log.record(activity) }
    model.send("hello")
    #expect(try await eventuallyAmongTasks { log.elements == ["hello"] })
    activities.cancel()

    model.undoGroup("Both") {
      model.commit("One") { $0.text = "1" }
      model.commit("Two", coalescing: .never) { $0.text = "2" }
    }
    #expect(model.canUndo && model.undoName == "Both" && model.undoState?.text == "++")
    #expect(model.undo(\.text) && model.state.text == "++")
    #expect(try await model.taskDetached { 7 }.value == 7)
    model.task(key: .init("slow")) { try await Task.sleep(for: .seconds(60)) }
    model.cancelTasks(key: .init("slow"))
    await model.waitForAllTasks()

    let layer = try model.addLayer { $0.text = "layer" }
    #expect(model.committedState.text == "++" && model.state.text == "layer")
    layer.rollBack()
    model.ref(\.text).value = "pointer"
    let draft = model.draft(\.text)
    draft.update { $0 = "draft" }
    try draft.save()
    #expect(model.state.text == "draft")
    #expect(model.handle(of: Item.EntityID(1), in: \.shop)?.value.price == 3)
    #expect(model.count(FetchDescriptor<Item>(), in: \.shop).value == 1)
    #expect(model.derived { $0.text.count }.value == 5)
    let problems = Recorder<String>()
    model.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    model.add(middleware: StoreMiddleware { _, _, _ in throw Refused(reason: "closed") })
    model.commit("Late") { $0.text = "late" }
    #expect(model.state.text == "draft" && problems.count == 1)
  }

  @Test("Rows are observed by their type, in a store, in a scope and in a state that is a database")
  func tables() {
    let scope = model.scope(\.shop)
    let database = Store<Shop, Never>(initialState: model.state.shop)
    let all = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.price)])
    for items in [model.table(Item.self, in: \.shop), scope.table(Item.self)] {
      #expect(items.entity(1).value?.price == 3 && items.entity(2).value == nil)
      #expect(items.entities([2, 1]).value.map(\.id) == [1])
      #expect(items.handle(of: 1)?.value.price == 3 && items.handle(of: 2) == nil)
      #expect(items.query(all).value == items.query().value && items.count().value == 1)
      #expect(items.find(by: 1)?.price == 3 && items.find(by: 2) == nil)
    }
    #expect(database.table(Item.self).entity(1).value?.price == 3)
    model.batch(\.shop) { $0.items.insert(Item(id: 2)) }
    #expect(scope.table(Item.self).count().value == 2)
  }

  @Test("Values of the same row share one source, as long as one of them is retained")
  func sharedEntities() {
    let store = model.store
    let row = store.entity(Item.EntityID(1), in: \.shop)
    let count = store.core.definitions?.count
    let same = (0..<100).map { _ in store.entity(Item.EntityID(1), in: \.shop) }
    #expect(same.allSatisfy { $0.source === row.source })
    #expect(store.core.definitions?.count == count)
    #expect(model.scope(\.shop).table(Item.self).entity(1).source === row.source)
    #expect(store.entity(Item.EntityID(2), in: \.shop).source !== row.source)
    weak let source = store.entity(Item.EntityID(3), in: \.shop).source
    #expect(source == nil)
  }
}
