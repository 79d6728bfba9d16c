import EntiaStore
import EntiaTestSupport
import Testing

/// What users of the predecessors type, as they type it.
@MainActor
@Suite("Fixed names compile as written and work as documented")
struct FixedNamesTests {
  struct Wallet: StateType { var count = 0 }

  struct Library: Equatable, Sendable { var books: [String] = [] }

  struct AppState: StateType {
    var library = Library()
    var searchText = ""
  }

  enum AppActivity: Sendable { case somethingHappened }

  final class Counter: StoreComponentType {
    struct State: Equatable { var count = 0 }
    let store: Store<State, Never> = .init(initialState: .init())
    func increment() { commit { $0.count += 1 } }
  }

  @Test("A wallet's store, its observers and its derived values")
  func wallet() {
    let store = Store<_, Never>(initialState: Wallet())
    store.commit { $0.count += 1 }
    store.sinkState { state in
      _ = state.count
      _ = state.previous?.count
    }.storeWhileSourceActive()
    let doubled: Derived<Int> = store.derived(.map { $0.count * 2 })
    let text: Derived<String> = doubled.derived(.map { $0.description })
    text.sinkState { value in _ = value }.storeWhileSourceActive()
    expectEqual(doubled.value, 2)
    expectEqual(doubled.state, 2)

    let texts = Recorder<String>()
    text.sinkState { (value: Changes<String>) in texts.record(value.primitive) }
      .storeWhileSourceActive()
    store.commit { $0.count = 4 }
    expectEqual(texts.elements, ["2", "8"])
  }

  @Test("Copying a slice of one store to another")
  func slice() {
    let store = Store<_, Never>(initialState: Wallet())
    let other = Store<_, Never>(initialState: Wallet())
    store.sinkState { state in
      state.ifChanged(\.count) { count in other.commit { $0.count = count } }
    }.storeWhileSourceActive()
    store.commit { $0.count = 7 }
    expectEqual(other.state.count, 7)
  }

  @Test("An app's store")
  func app() throws {
    let store = Store<AppState, AppActivity>(initialState: .init())
    store.commit { $0.searchText = "swift" }
    try store.commit { state in
      if state.searchText.isEmpty { throw Refused() }
      state.library.books.append("b1")
    }

    let searched = Recorder<String>()
    store.sinkState { state in
      state.ifChanged(\.searchText) { text in searched.record(text) }
    }.storeWhileSourceActive()

    let count = store.derived(.select(\.library.books.count))
    let label = count.derived(.map { "\($0) books" })
    expectEqual(label.value, "1 books")

    let activities = Recorder<AppActivity>()
    store.sinkActivity { activity in activities.record(activity) }.storeWhileSourceActive()
    store.send(.somethingHappened)
    expectEqual(activities.elements, [.somethingHappened])
    expectEqual(searched.elements, ["swift"])
  }

  @Test("A component forwards state, commit, sinkState and derived")
  func component() {
    let counter = Counter()
    let counts = Recorder<Int>()
    let subscription = counter.sinkState { state in counts.record(state.count) }
    let direct = counter.sinkState(dropsFirst: true, queue: .passthrough) { state in
      counts.record(state.count * 10)
    }
    let doubled = counter.derived(.map { $0.count * 2 })
    counter.increment()
    expectEqual(counter.state.count, 1)
    expectEqual(doubled.value, 2)
    expectEqual(Set(counts.elements), [0, 1, 10])
    expectEqual(counts.count, 3)
    expectEqual(counter.commit("by hand") { $0.count }, 1)
    subscription.cancel()
    direct.cancel()
  }

  @Test("A component forwards activities")
  func componentActivities() {
    struct Sender: StoreComponentType {
      let store = Store<Int, String>(initialState: 0)
    }
    let sender = Sender()
    let received = Recorder<String>()
    let onMain = sender.sinkActivity { received.record($0) }
    let direct = sender.sinkActivity(queue: .passthrough) { received.record($0) }
    sender.send("hello")
    expectEqual(received.elements, ["hello", "hello"])
    withExtendedLifetime((onMain, direct)) {}
  }
}
