import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Middleware, reduction and the logger")
struct HookTests {
  struct Cart: StateType {
    var prices: [Int] = []
    var total = 0
    var edits = 0

    static func reduce(modifying state: inout Cart, previous: Cart) {
      state.total = state.prices.reduce(0, +)
    }
  }

  /// Notes a log down as text, without the times.
  private static func logger(_ log: Recorder<String>) -> StoreLogger {
    StoreLogger { entry in
      switch entry {
      case .committed(let commit):
        #expect(commit.duration >= .zero)
        log.record("\(commit.name ?? "-") \(commit.isChanged ? "changed" : "unchanged")")
      case .refused(let name, let error): log.record("\(name ?? "-") refused: \(error)")
      case .taskFailed(let key, let error): log.record("\(key) failed: \(error)")
      case .ignored(let problem): log.record("\(problem)")
      }
    }
  }

  @Test("The state's own hook runs at the end of every commit that changed something")
  func reducing() {
    let store = Store<Cart, Never>(initialState: Cart())
    let received = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.total) }
    store.commit { $0.prices = [1, 2] }
    expectEqual(store.state.total, 3)
    // What the hook sets right again is no change.
    store.commit { $0.total = 99 }
    expectEqual(received.elements, [0, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("A hook may call the hooks of the state's parts, of other states, and use other stores")
  func partHooks() throws {
    struct Settings: StateType { var name = "" }
    struct Shop: StateType {
      var cart = Cart()
      var settings = Settings()
      var sum = 0

      static func reduce(modifying state: inout Shop, previous: Shop) {
        Cart.reduce(modifying: &state.cart, previous: previous.cart)
        Settings.reduce(modifying: &state.settings, previous: previous.settings)
        let other = Store<Settings, Never>(initialState: state.settings)
        other.commit { $0.name += "!" }
        state.sum = state.cart.total + other.state.name.count
      }
    }
    let store = Store<Shop, Never>(initialState: Shop())
    expectEqual(store.state.sum, 1)
    for price in 1...3 { store.commit { $0.cart.prices.append(price) } }
    expectEqual(store.state.sum, 7)
    expectEqual(store.state.cart.total, 6)
    let layer = try store.addLayer { $0.cart.prices.append(10) }
    expectEqual(store.state.sum, 17)
    expectTrue(store.undo())
    expectEqual(store.state.sum, 14)
    withExtendedLifetime(layer) {}
  }

  @Test("A middleware receives the states before and after, and may change the state further")
  func changing() {
    let seen = Recorder<[Int]>()
    let store = Store<Cart, Never>(
      initialState: Cart(),
      middleware: [
        StoreMiddleware { before, after, name in
          seen.record([before.total, after.total])
          after.edits = before.edits + 1
        },
        StoreMiddleware { _, after, name in if name == "free" { after.total = 0 } },
      ])
    store.commit { $0.prices = [5] }
    store.commit("free") { $0.prices = [6] }
    store.commit { _ in }
    expectEqual(store.state, Cart(prices: [6], total: 0, edits: 2))
    expectEqual(seen.elements, [[0, 5], [5, 6]])
  }

  @Test(
    "Law 8: a refused commit leaves the state unchanged, notifies no observer and reports the reason"
  )
  func refusing() {
    let log = Recorder<String>()
    let store = Store<Cart, String>(
      initialState: Cart(),
      middleware: [
        StoreMiddleware { _, after, _ in
          if after.total > 10 { throw Refused(reason: "too much: \(after.total)") }
        }
      ], logger: Self.logger(log))
    let received = Recorder<Int>()
    let heard = Recorder<String>()
    let states = store.sinkState(queue: .passthrough) { received.record($0.total) }
    let activities = store.sinkActivity(queue: .passthrough) { heard.record($0) }
    store.commit("add") { $0.prices.append(4) }
    let result = store.commit("splurge") { state in
      state.prices.append(40)
      store.send("bought")
      return state.prices.count
    }
    store.commit("nothing") { _ in }
    expectEqual(result, 2)
    expectEqual(store.state.prices, [4])
    expectEqual(received.elements, [0, 4])
    expectTrue(heard.elements.isEmpty)
    expectEqual(
      log.elements,
      [
        "add changed", #"splurge refused: Refused(reason: "too much: 44")"#, "nothing unchanged",
      ])
    withExtendedLifetime((states, activities)) {}
  }

  @Test("The state's own hook completes the initial state")
  func reducingInitially() {
    let store = Store<Cart, Never>(initialState: Cart(prices: [1, 2]))
    expectEqual(store.state, Cart(prices: [1, 2], total: 3))
    expectEqual(Ref(initialValue: Cart(prices: [4])).value.total, 4)
    store.commit { $0.prices = [] }
    expectTrue(store.undo() && store.state == Cart(prices: [1, 2], total: 3))
  }

  @Test("A middleware is added later, for the commits that begin from then on")
  func addingMiddleware() throws {
    let log = Recorder<String>()
    let store = Store<Cart, Never>(initialState: Cart())
    @Sendable func middleware(_ name: String) -> StoreMiddleware<Cart> {
      StoreMiddleware { _, after, _ in
        log.record(name)
        after.edits += 1
      }
    }
    store.commit { $0.prices = [1] }
    store.add(middleware: middleware("first"))
    store.commit { $0.prices = [2] }
    store.commit {
      $0.prices = [3]
      store.add(middleware: middleware("second"))
    }
    expectTrue(log.elements == ["first", "first"] && store.state.edits == 2)
    store.commit { $0.prices = [4] }
    expectTrue(log.elements == ["first", "first", "first", "second"] && store.state.edits == 4)
    store.add(middleware: StoreMiddleware { _, _, _ in throw Refused(reason: "closed") })
    #expect(throws: Refused(reason: "closed")) { try store.tryCommit { $0.prices = [] } }
    expectTrue(!store.undo() && store.state.prices == [4])
  }

  @Test("A middleware that a commit adds to a store without one is called from the next commit on")
  func addingMiddlewareInside() {
    let store = Store<Cart, Never>(initialState: Cart())
    store.commit {
      $0.prices = [1]
      store.add(middleware: StoreMiddleware { _, after, _ in after.edits += 1 })
    }
    expectEqual(store.state.edits, 0)
    store.commit { $0.prices = [2] }
    expectEqual(store.state.edits, 1)
  }

  @Test("Law 27: a middleware that was added is removed with what it captured")
  func removingMiddleware() {
    weak var watched: Token?
    let store = Store<Cart, Never>(initialState: Cart())
    let middleware: StoreSubscription
    do {
      let token = Token()
      watched = token
      middleware = store.add(
        middleware: StoreMiddleware { _, after, _ in
          withExtendedLifetime(token) { after.edits += 1 }
        })
    }
    store.add(middleware: StoreMiddleware { _, after, _ in after.edits += 10 })
    store.commit { $0.prices = [1] }
    expectTrue(store.state.edits == 11 && watched != nil)
    store.commit {
      $0.prices = [2]
      middleware.cancel()
    }
    expectTrue(store.state.edits == 22 && watched == nil)
    middleware.cancel()
    store.commit { $0.prices = [3] }
    expectEqual(store.state.edits, 32)
  }

  @Test("Law 27: a store whose middleware captures it is released after the middleware's removal")
  func capturedStore() {
    weak var watched: Store<Cart, String>?
    var middleware: StoreSubscription?
    let heard = Recorder<String>()
    do {
      let store = Store<Cart, String>(initialState: Cart())
      watched = store
      middleware = store.add(middleware: StoreMiddleware { _, _, _ in store.send("edited") })
      let subscription = store.sinkActivity(queue: .passthrough) { heard.record($0) }
      store.commit { $0.prices = [1] }
      subscription.cancel()
    }
    expectTrue(heard.elements == ["edited"] && watched != nil)
    middleware?.cancel()
    expectNil(watched)
    do {
      let store = Store<Cart, String>(initialState: Cart())
      watched = store
      middleware = store.add(
        middleware: StoreMiddleware { [weak store] _, _, _ in store?.send("edited") })
    }
    expectNil(watched)
    middleware?.cancel()
  }

  @Test("Middleware is added while other threads commit, and every later commit is checked")
  func addingMiddlewareAtOnce() {
    let store = Store<Cart, Never>(initialState: Cart())
    onThreads(4) { index in
      for _ in 0..<100 { store.commit { $0.prices.append(index) } }
      store.add(middleware: StoreMiddleware { _, after, _ in after.edits += 1 })
      let removed = store.add(middleware: StoreMiddleware { _, after, _ in after.edits += 1 })
      store.commit { $0.prices.append(index) }
      removed.cancel()
    }
    expectTrue(store.state.prices.count == 404 && store.state.edits >= 10)
    let edits = store.state.edits
    store.commit { $0.prices = [] }
    expectEqual(store.state.edits, edits + 4)
  }
}
