import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

/// View models and scopes as a user of a store writes them.
@Suite("Components and scopes offer the methods of a store")
struct ComponentTests {
  struct AppState: StateType {
    struct Session: Equatable, Sendable {
      var shop = Shop()
      var user = ""
    }

    var session = Session()
    var text = ""
  }

  final class Model: StoreComponentType, Sendable {
    let store = Store<AppState, String>(initialState: AppState())

    func rename(_ name: String) { commit("Rename") { $0.session.user = name } }
    func load() async throws { try await backgroundCommit { $0.text = "loaded" } }
  }

  private static func put(_ item: Item, in shop: inout Shop) {
    shop.performBatchUpdates { $0.modifying.items.insert(item) }
  }

  @Test("A view model commits, loads, observes rows, undoes and runs tasks through its component")
  func component() async throws {
    let model = Model()
    model.rename("Ann")
    try await model.load()
    model.commit(undo: .none) { Self.put(Item(id: 1, price: 3), in: &$0.session.shop) }
    expectEqual(model.entity(Item.EntityID(1), in: \.session.shop).value?.price, 3)
    expectEqual(model.entities([Item.EntityID(1), 2], in: \.session.shop).value.map(\.id), [1])
    let query = model.query(FetchDescriptor<Item> { $0.price > 2 }, in: \.session.shop)
    expectEqual(query.value.map(\.id), [1])
    expectTrue(model.undo() && model.state.session.user == "" && model.state.text == "loaded")
    expectTrue(model.redo() && model.state.session.user == "Ann")
    try await expectEqual(model.task { 7 }.value, 7)
    model.scope(\.session).commit { $0.user = "Bob" }
    var states = model.states.makeAsyncIterator()
    await expectEqual(states.next()?.session.user, "Bob")
  }

  @Test("A scope observes rows, sends, undoes and runs tasks in its part")
  func scope() async throws {
    let model = Model()
    let session = model.scope(\.session)
    let shop = session.scope(\.shop)
    shop.commit { Self.put(Item(id: 1, price: 3), in: &$0) }
    expectEqual(session.entity(Item.EntityID(1), in: \.shop).value?.price, 3)
    expectEqual(shop.entity(Item.EntityID(1)).value?.price, 3)
    expectEqual(session.handle(of: Item.EntityID(1), in: \.shop)?.value.price, 3)
    let all = FetchDescriptor<Item> { $0.price > 2 }
    expectEqual(shop.query(all).value, session.query(all, in: \.shop).value)
    expectEqual(session.count(all, in: \.shop).value, 1)
    expectEqual(session.entities([Item.EntityID(1)], in: \.shop).value.count, 1)

    let sent = Recorder<String>()
    let subscription = session.sinkActivity(queue: .passthrough) { sent.record($0) }
    session.send("hello")
    expectEqual(sent.elements, ["hello"])
    session.ref(\.user).value = "Ann"
    try await shop.backgroundCommit { Self.put(Item(id: 2), in: &$0) }
    model.commit { $0.text = "other" }
    expectTrue(shop.canUndo && shop.undo() && shop.items.map(\.id) == [2])
    expectTrue(session.user == "Ann" && model.state.text == "other")
    expectTrue(shop.canRedo && shop.redo() && shop.items.map(\.id).sorted() == [1, 2])
    try await expectEqual(session.task { 7 }.value, 7)
    var states = session.states.makeAsyncIterator()
    await expectEqual(states.next()?.user, "Ann")
    subscription.cancel()
  }

  /// A view model whose members belong to the main actor.
  @MainActor
  final class Screen {
    var numbers: [Int] = []
    let model = Model()

    func load() -> Task<Void, any Error> {
      model.task { self.numbers.append(await Self.fetch()) }
    }

    func loadFromStore() -> Task<Void, any Error> {
      model.store.task {
        self.numbers.append(await Self.fetch())
        MainActor.assertIsolated()
      }
    }

    nonisolated static func fetch() async -> Int { 7 }
  }

  @Test("A task runs on the actor of the caller, and may use its isolated values")
  @MainActor
  func taskOnActor() async throws {
    let screen = Screen()
    try await screen.load().value
    try await screen.loadFromStore().value
    try await expectEqual(screen.model.store.taskDetached { await Screen.fetch() }.value, 7)
    expectEqual(screen.numbers, [7, 7])
  }

  @Test("Changed parts are passed to a trailing closure")
  func changedParts() {
    struct Page: Equatable, Sendable {
      struct Choice: Equatable, Sendable { var id = 0 }
      var name = ""
      var count = 0
      var choice: Choice?
      var tens: Int { count / 10 }
    }
    let log = Recorder<String>()
    let store = Store<Page, Never>(initialState: Page())
    let subscription = store.sinkState(queue: .passthrough) { state in
      state.ifChanged(\.name).do { log.record("name \($0)") }
      state.ifChanged(\.name, \.count).do { name, count in log.record("\(name) \(count)") }
      state.ifChanged(\.tens) { log.record("tens \($0)") }
      state.mapIfPresent(\.choice)?.ifChanged(\.id).do { log.record("choice \($0)") }
    }
    expectEqual(log.elements, ["name ", " 0", "tens 0"])
    store.commit { $0.count = 3 }
    store.commit { $0.choice = Page.Choice(id: 1) }
    store.commit { $0.choice?.id = 2 }
    store.commit { $0 = Page(name: "a", count: 20, choice: $0.choice) }
    expectEqual(
      log.elements.dropFirst(3), [" 3", "choice 1", "choice 2", "name a", "a 20", "tens 2"])
    expectNil(Changes(Page(), previous: Page()).ifChanged(\.name).parts)
    subscription.cancel()
  }

  @Test("A value is assigned to a pointer into another store, and calls are accumulated")
  func assignAndScan() {
    let model = Model()
    let label = Ref(initialValue: "")
    let log = Recorder<String>()
    let subscriptions = [
      model.store.derived(.select(\.text)).assign(to: label),
      model.store.sinkState(
        scan: Scan(seed: 0) { count, _ in count += 1 }, queue: .passthrough
      ) { state, count in log.record("\(count) \(state.text)") },
      model.store.derived(.select(\.text)).sinkState(
        scan: Scan(seed: [String]()) { $0.append($1.primitive) }, queue: .passthrough
      ) { _, texts in log.record(texts.joined(separator: ",")) },
    ]
    model.commit { $0.text = "a" }
    model.rename("Ann")
    model.commit { $0.text = "b" }
    expectEqual(label.value, "b")
    expectEqual(log.elements, ["1 ", "", "2 a", ",a", "3 a", "4 b", ",a,b"])
    for subscription in subscriptions { subscription.cancel() }
    model.commit { $0.text = "c" }
    expectEqual(label.value, "b")
  }
}
