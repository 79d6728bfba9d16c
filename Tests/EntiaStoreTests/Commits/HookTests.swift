import EntiaStore
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
    let told = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { told.record($0.total) }
    store.commit { $0.prices = [1, 2] }
    #expect(store.state.total == 3)
    // What the hook sets right again is no change.
    store.commit { $0.total = 99 }
    #expect(told.elements == [0, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("A middleware sees before and after, and may change more")
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
    #expect(store.state == Cart(prices: [6], total: 0, edits: 2))
    #expect(seen.elements == [[0, 5], [5, 6]])
  }

  @Test("Law 8: a refused commit leaves the state, notifies nobody and says why")
  func refusing() {
    let log = Recorder<String>()
    let store = Store<Cart, String>(
      initialState: Cart(),
      middleware: [
        StoreMiddleware { _, after, _ in
          if after.total > 10 { throw Refused(reason: "too much: \(after.total)") }
        }
      ], logger: Self.logger(log))
    let told = Recorder<Int>()
    let heard = Recorder<String>()
    let states = store.sinkState(queue: .passthrough) { told.record($0.total) }
    let activities = store.sinkActivity(queue: .passthrough) { heard.record($0) }
    store.commit("add") { $0.prices.append(4) }
    let result = store.commit("splurge") { state in
      state.prices.append(40)
      store.send("bought")
      return state.prices.count
    }
    store.commit("nothing") { _ in }
    #expect(result == 2)
    #expect(store.state.prices == [4])
    #expect(told.elements == [0, 4])
    #expect(heard.elements.isEmpty)
    #expect(
      log.elements == [
        "add changed", #"splurge refused: Refused(reason: "too much: 44")"#, "nothing unchanged",
      ])
    withExtendedLifetime((states, activities)) {}
  }

  @Test("Law 24: a commit inside a middleware joins, and neither edit is lost")
  func committing() {
    let box = Recorder<Store<Cart, Never>>()
    let store = Store<Cart, Never>(
      initialState: Cart(),
      middleware: [
        StoreMiddleware { before, after, _ in
          after.edits += 1
          if before.edits == 0 { box.last?.commit { $0.prices.append(7) } }
        }
      ])
    box.record(store)
    store.commit { $0.prices = [1] }
    #expect(store.state.prices == [1, 7])
    #expect(store.state.edits == 1)
  }
}
