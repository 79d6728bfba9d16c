import EntiaDatabase
import EntiaTestSupport
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
    try await expectTrue(eventuallyAmongTasks { atPlace.count == 1 })
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
    try await expectEqual(receivedTwice(store), expected)
    try await expectEqual(receivedTwice(model), expected)
    try await expectEqual(receivedTwice(store.scope(\.text)), expected)
    try await expectEqual(receivedTwice(store.derived(.select(\.text))), expected)
    try await expectEqual(receivedTwice(store.entity(Item.EntityID(1), in: \.shop)), expected)
    try await expectEqual(receivedTwice(store.query(all, in: \.shop)), expected)
    let handle = try #require(store.handle(of: Item.EntityID(1), in: \.shop))
    try await expectEqual(receivedTwice(handle), expected)
    try await expectEqual(receivedTwice(store.ref(\.text)), expected)
    try await expectEqual(receivedTwice(Title(store: store)), expected)
    let both = Derived.combined(store.query(all, in: \.shop), model) { $0.count + $1.text.count }
    try await expectEqual(receivedTwice(both), expected)
  }

  @Test("A component forwards to its store, and a store is a component")
  func components() async throws {
    func text(of component: some StoreComponentType<AppState, String>) -> String {
      component.commit { $0.text += "+" }
      return component.state.text
    }
    expectTrue(text(of: model) == "+" && text(of: model.store) == "++")
    let log = Recorder<String>()
    let activities = model.sinkActivity(on: Place()) { _, activity in log.record(activity) }
    model.send("hello")
    try await expectTrue(eventuallyAmongTasks { log.elements == ["hello"] })
    activities.cancel()

    model.undoGroup("Both") {
      model.commit("One") { $0.text = "1" }
      model.commit("Two", coalescing: .never) { $0.text = "2" }
    }
    expectTrue(model.canUndo && model.undoName == "Both" && model.undoState?.text == "++")
    expectTrue(model.undo(\.text) && model.state.text == "++")
    try await expectEqual(model.taskDetached { 7 }.value, 7)
    model.task(key: .init("slow")) { try await Task.sleep(for: .seconds(60)) }
    model.cancelTasks(key: .init("slow"))
    await model.waitForAllTasks()

    let layer = try model.addLayer { $0.text = "layer" }
    expectTrue(model.committedState.text == "++" && model.state.text == "layer")
    layer.rollBack()
    model.ref(\.text).value = "pointer"
    let draft = model.draft(\.text)
    draft.update { $0 = "draft" }
    try draft.save()
    expectEqual(model.state.text, "draft")
    expectEqual(model.handle(of: Item.EntityID(1), in: \.shop)?.value.price, 3)
    expectEqual(model.count(FetchDescriptor<Item>(), in: \.shop).value, 1)
    expectEqual(model.derived { $0.text.count }.value, 5)
    let problems = Recorder<String>()
    model.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    model.add(middleware: StoreMiddleware { _, _, _ in throw Refused(reason: "closed") })
    model.commit("Late") { $0.text = "late" }
    expectTrue(model.state.text == "draft" && problems.count == 1)
  }

  @Test("Rows are observed by their type, in a store, in a scope and in a state that is a database")
  func tables() {
    let scope = model.scope(\.shop)
    let database = Store<Shop, Never>(initialState: model.state.shop)
    let all = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.price)])
    for items in [model.table(Item.self, in: \.shop), scope.table(Item.self, in: \.self)] {
      expectTrue(items.entity(1).value?.price == 3 && items.entity(2).value == nil)
      expectEqual(items.entities([2, 1]).value.map(\.id), [1])
      expectTrue(items.handle(of: 1)?.value.price == 3 && items.handle(of: 2) == nil)
      expectTrue(items.query(all).value == items.query().value && items.count().value == 1)
      expectTrue(items.find(by: 1)?.price == 3 && items.find(by: 2) == nil)
    }
    expectEqual(database.table(Item.self, in: \.self).entity(1).value?.price, 3)
    model.batch(\.shop) { $0.items.insert(Item(id: 2)) }
    expectEqual(scope.table(Item.self, in: \.self).count().value, 2)
  }

  @Test("Values of the same row share one source, as long as one of them is retained")
  func sharedEntities() {
    let store = model.store
    let row = store.entity(Item.EntityID(1), in: \.shop)
    let count = store.core.definitions?.count
    let same = (0..<100).map { _ in store.entity(Item.EntityID(1), in: \.shop) }
    expectTrue(same.allSatisfy { $0.source === row.source })
    expectEqual(store.core.definitions?.count, count)
    expectTrue(model.scope(\.shop).table(Item.self, in: \.self).entity(1).source === row.source)
    expectTrue(store.entity(Item.EntityID(2), in: \.shop).source !== row.source)
    weak let source = store.entity(Item.EntityID(3), in: \.shop).source
    expectNil(source)
  }
}
