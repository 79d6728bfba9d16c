import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("The metadata of a commit, and its entry in the log")
struct CommitContextTests {
  enum Origin: CommitContextKey { static let defaultValue = "user" }
  enum Attempt: CommitContextKey { static let defaultValue = 0 }

  @Test("Observers and middleware receive the context of a commit; other commits have the default")
  func context() throws {
    let seen = Recorder<String>()
    let store = Store<Int, Never>(
      initialState: 0,
      middleware: [
        StoreMiddleware { _, _, name, context in
          seen.record("\(name ?? "-") from \(context[Origin.self])")
        }
      ])
    let received = Recorder<String>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record("\($0.context[Origin.self]) \($0.context[Attempt.self])")
    }
    let derived = store.derived(.map { $0 * 2 }).sinkState(dropsFirst: true, queue: .passthrough) {
      received.record("derived \($0.context[Origin.self])")
    }
    var context = CommitContext()
    context[Origin.self] = "server"
    context[Attempt.self] = 2
    store.commit("Load", context: context) { $0 = 1 }
    context = CommitContext()
    context[Attempt.self] = 3
    try store.tryCommit("Again", context: context) { $0 = 2 }
    store.commit { $0 = 3 }
    expectEqual(
      received.elements,
      [
        "server 2", "derived server", "user 3", "derived user", "user 0", "derived user",
      ])
    expectEqual(seen.elements, ["Load from server", "Again from user", "- from user"])
    withExtendedLifetime((subscription, derived)) {}
  }

  @Test("The logger receives the changed parts and the number of changed rows of a commit")
  func changedRows() {
    let log = Recorder<StoreCommit>()
    let store = Store<ShopState, Never>(
      initialState: ShopState(items: [Item(id: 1)]),
      logger: StoreLogger { if case .committed(let commit) = $0 { log.record(commit) } })
    store.commit("Stock") { state in
      state.shop.performBatchUpdates {
        $0.modifying.items.insert([Item(id: 1, price: 2), Item(id: 2)])
      }
      state.searchText = "x"
    }
    store.commit("Nothing") { _ in }
    let stock = log.elements[0]
    expectEqual(stock.parts.map(\.description), ["shop (2 rows)", "searchText"])
    expectEqual(stock.changedRows, 2)
    expectTrue(stock.parts[0].details.contains("1 inserted"))
    expectTrue(stock.description.hasPrefix("Stock in "))
    expectTrue(stock.description.hasSuffix(": shop (2 rows), searchText"))
    expectTrue(log.elements[1].parts.isEmpty)
    expectTrue(log.elements[1].description.hasSuffix(": nothing changed"))
    let number = Store<Int, Never>(
      initialState: 0,
      logger: StoreLogger { if case .committed(let commit) = $0 { log.record(commit) } })
    number.commit { $0 = 1 }
    expectEqual(log.last?.parts.map(\.name), ["state"])
  }
}
