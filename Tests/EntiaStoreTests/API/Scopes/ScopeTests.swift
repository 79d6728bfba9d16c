import EntiaStore
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
    let told = Recorder<Int>()
    let heard = Recorder<String>()
    let subscriptions = [
      settings.sinkState(queue: .passthrough) { told.record($0.size) },
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
    #expect(size == 13)
    #expect(settings.state == Settings(isDark: true, size: 13))
    #expect(settings.size == 13)
    #expect(store.state.settings == settings.state)
    #expect(settings.derived(.select(\.size)).value == 13)
    #expect(told.elements == [12, 13, 13])
    #expect(heard.elements == ["done"])
    #expect(store.undoNames == [nil, "Grow", nil])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A part is kept equal to another store's, until the subscription or a store ends")
  func copying() {
    let first = Store<App, Never>(initialState: App(text: "a"))
    var second: Store<App, Never>? = Store(initialState: App())
    weak let watched = second
    guard let other = second else { return }
    let there = first.copy(\.text, to: other, \.text)
    let back = other.copy(\.text, to: first, \.text)
    #expect(other.text == "a")
    first.commit { $0.text = "b" }
    #expect(other.text == "b")
    other.commit { $0.text = "c" }
    #expect(first.text == "c")
    first.commit { $0.settings.size = 1 }
    #expect(other.settings.size == 12)
    there.cancel()
    first.commit { $0.text = "d" }
    #expect(other.text == "c")
    withExtendedLifetime(back) {}
    second = nil
    _ = watched
  }

  actor Cache {
    var texts: [String] = []
    var activities: [Int] = []
  }

  @Test("Law 21: an actor is told the last state and every activity, in order")
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
    let told = texts.dropFirst().dropLast().compactMap { Int($0) }
    #expect(texts.first == "" && texts.last == "size 1")
    #expect(told.last == 20)
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(await cache.activities == Array(1...20))
    for subscription in subscriptions { subscription.cancel() }
    try await store.backgroundCommit { $0.text = "later" }
    #expect(await cache.texts == texts)
  }

  @Test("Law 27: an actor is let go with the subscription")
  func lettingGo() async throws {
    let store = Store<App, Never>(initialState: App())
    var cache: Cache? = Cache()
    weak let watched = cache
    var subscription = cache.map { store.sinkState(on: $0) { _, _ in } }
    try await store.backgroundCommit { $0.text = "x" }
    cache = nil
    #expect(watched != nil)
    withExtendedLifetime(subscription) {}
    subscription = nil
    for _ in 0..<1_000 where watched != nil { await Task.yield() }
    #expect(watched == nil)
  }
}
