import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Parts of stores, copies between them, and delivery on an actor")
struct ScopeTests {
  struct Settings: Equatable, Sendable {
    var isDark = false
    var size = 12
  }

  struct App: StateType {
    var settings = Settings()
    var text = ""
  }

  @Test("A scope reads, changes and observes its part only")
  func scope() throws {
    let store = Store<App, String>(initialState: App())
    let settings = store.scope(\.settings)
    let received = Recorder<Int>()
    let heard = Recorder<String>()
    let subscriptions = [
      settings.sinkState(queue: .passthrough) { received.record($0.size) },
      store.sinkActivity(queue: .passthrough) { heard.record($0) },
    ]
    store.commit { $0.text = "x" }
    let size = settings.commit("Grow") { settings in
      settings.size += 1
      return settings.size
    }
    #expect(throws: Refused()) { try settings.commit { _ in throw Refused() } }
    try settings.tryCommit { $0.isDark = true }
    settings.send("done")
    expectEqual(size, 13)
    expectEqual(settings.state, Settings(isDark: true, size: 13))
    expectEqual(settings.size, 13)
    expectEqual(store.state.settings, settings.state)
    expectEqual(settings.derived(.select(\.size)).value, 13)
    expectEqual(received.elements, [12, 13, 13])
    expectEqual(heard.elements, ["done"])
    expectEqual(store.undoNames, [nil, "Grow", nil])
    withExtendedLifetime(subscriptions) {}
  }

  struct Desk: StateType {
    var reading: Reading.State
    var shop = Shop()
  }

  @Test("A scope changes and follows a database in its part, and one that is its part")
  func databases() throws {
    let store = Store<Desk, Never>(initialState: Desk(reading: try .sample()))
    let (desk, shop) = (store.scope(\.reading), store.scope(\.shop))
    let author = desk.related(Reading.Book.EntityID(1), \.bookAuthor, in: \.library)
    let books = desk.related(Reading.Author.EntityID(1), inverse: \.bookAuthor, in: \.library)
    expectTrue(author.value?.name == "Ann" && books.value.map(\.id) == [1, 2, 3])
    try desk.batch(\.library, "Remove") { $0.books.remove(2) }
    expectTrue(books.value.map(\.id) == [1, 3] && store.undoName == "Remove")
    shop.batch("Insert") { $0.items.insert(Item(id: 1, price: 5)) }
    store.scope(\.self).batch(\.shop) { $0.items.insert(Item(id: 2, price: 6)) }
    expectEqual(shop.entities([Item.EntityID(2), 9, 1], in: \.self).value.map(\.price), [6, 5])
    expectEqual(shop.handle(of: Item.EntityID(1), in: \.self)?.value.price, 5)
    expectNil(shop.handle(of: Item.EntityID(9), in: \.self))
    expectEqual(shop.handle(of: Item(id: 9, price: 7), in: \.self).value.price, 7)
    expectEqual(shop.count(FetchDescriptor<Item> { $0.price > 5 }).value, 1)
    let teams = Store<ClubState, Never>(initialState: ClubState()).scope(\.self)
    expectTrue(teams.related(Club.Team.EntityID(1), \.members, in: \.club).value.isEmpty)
  }

  @Test("A scope groups steps, edits drafts, and adds layers and tasks of its store")
  func editing() async throws {
    let store = Store<Desk, Never>(initialState: Desk(reading: try .sample()))
    let (desk, shop) = (store.scope(\.reading), store.scope(\.shop))
    desk.undoGroup("Both") {
      desk.commit { $0.searchText = "a" }
      shop.batch { $0.items.insert(Item(id: 1)) }
    }
    expectEqual(store.undoNames, ["Both"])
    desk.beginUndoGroup("Group")
    desk.commit { $0.searchText += "b" }
    desk.endUndoGroup()
    for _ in 0..<2 {
      desk.commit("Type", coalescing: .sameName(within: .seconds(1_000))) { $0.searchText += "c" }
    }
    expectTrue(store.undoNames == ["Type", "Group", "Both"] && desk.state.searchText == "abcc")

    let text = desk.draft(\.searchText)
    let library = desk.draft(\.library)
    let merged = desk.draft(\.library, merge: ThreeWayMerge(otherwise: .mine))
    let title = merged.ref[entity: Reading.Book.EntityID(1)][\.title]
    text.ref.value = "draft"
    library.ref[entity: Reading.Book.EntityID(1)][\.title].value = "First"
    title.value = "Second"
    try expectTrue(text.save().isEmpty && library.save().isEmpty && merged.save().count == 1)
    expectTrue(
      desk.state.searchText == "draft" && desk.state.library.books.first?.title == "Second")

    let layer = try desk.addLayer("Layer") { $0.searchText = "layer" }
    expectTrue(desk.state.searchText == "layer" && desk.layerNames == ["Layer"])
    expectEqual(desk.committedState.searchText, "draft")
    layer.rollBack()
    expectEqual(desk.state.searchText, "draft")
    let result = try await desk.withLayer {
      $0.searchText = "shown"
    } until: {
      desk.state.searchText
    } confirm: {
      $0.searchText = $1 + "!"
    }
    expectTrue(result == "shown" && desk.state.searchText == "shown!" && store.layerNames.isEmpty)

    let answer = desk.taskDetached { 7 }
    try await expectEqual(answer.value, 7)
    let endless = desk.taskDetached { try await Task.sleep(for: .seconds(1_000)) }
    desk.cancelAllTasks()
    await desk.waitForAllTasks()
    await #expect(throws: CancellationError.self) { try await endless.value }
  }

  @Test(
    "A copied part stays equal to that of another store, until the subscription or a store ends")
  func copying() {
    let first = Store<App, Never>(initialState: App(text: "a"))
    var second: Store<App, Never>? = Store(initialState: App())
    weak let watched = second
    guard let other = second else { return }
    let there = first.copy(\.text, to: other, \.text)
    let back = other.copy(\.text, to: first, \.text)
    expectEqual(other.text, "a")
    first.commit { $0.text = "b" }
    expectEqual(other.text, "b")
    other.commit { $0.text = "c" }
    expectEqual(first.text, "c")
    first.commit { $0.settings.size = 1 }
    expectEqual(other.settings.size, 12)
    there.cancel()
    first.commit { $0.text = "d" }
    expectEqual(other.text, "c")
    withExtendedLifetime(back) {}
    second = nil
    _ = watched
  }

  actor Cache {
    var texts: [String] = []
    var activities: [Int] = []
  }

  @Test("Law 21: an actor receives the last state and every activity, in order")
  func actors() async throws {
    let store = Store<App, Int>(initialState: App())
    let cache = Cache()
    let subscriptions = [
      store.sinkState(on: cache) { cache, state in cache.texts.append(state.text) },
      store.sinkActivity(on: cache) { cache, number in
        cache.activities.append(number)
      },
      store.derived(.select(\.settings.size)).sinkState(dropsFirst: true, on: cache) {
        $0.texts.append("size \($1.primitive)")
      },
    ]
    for number in 1...20 {
      store.commit { $0.text = "\(number)" }
      store.send(number)
    }
    try await store.backgroundCommit { $0.settings.size = 1 }
    let texts = await cache.texts
    let received = texts.dropFirst().dropLast().compactMap { Int($0) }
    expectTrue(texts.first == "" && texts.last == "size 1")
    expectEqual(received.last, 20)
    expectTrue(zip(received, received.dropFirst()).allSatisfy { $0 <= $1 })
    await expectEqual(cache.activities, Array(1...20))
    for subscription in subscriptions { subscription.cancel() }
    try await store.backgroundCommit { $0.text = "later" }
    await expectEqual(cache.texts, texts)
  }

  @Test("Law 27: an actor is released with the subscription")
  func lettingGo() async throws {
    let store = Store<App, Never>(initialState: App())
    var cache: Cache? = Cache()
    weak let watched = cache
    var subscription = cache.map { store.sinkState(on: $0) { _, _ in } }
    try await store.backgroundCommit { $0.text = "x" }
    cache = nil
    expectTrue(watched != nil)
    withExtendedLifetime(subscription) {}
    subscription = nil
    for _ in 0..<1_000 where watched != nil { await Task.yield() }
    expectNil(watched)
  }
}
