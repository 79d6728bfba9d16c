import Dispatch
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

@Suite("Laws 20 and 22: many observers and many queues")
struct ManyObserversTests {
  private static func shop(_ count: Int) -> Store<ShopState, Never> {
    Store(initialState: ShopState(items: (0..<count).map { Item(id: $0, price: $0) }))
  }

  @Test(
    "Observers are called in the order in which they were added, whichever of them have ended",
    arguments: 0..<scaled(4))
  func order(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Self.shop(3)
    let called = Recorder<Int>()
    var observers: [(number: Int, row: Int?, subscription: StoreSubscription)] = []
    for number in 0..<300 {
      let row = [nil, 0, 1, 2].randomElement(using: &random) ?? nil
      let subscription =
        if let row {
          store.entity(Item.EntityID(row), in: \.shop)
            .sinkState(dropsFirst: true, queue: .passthrough) { _ in called.record(number) }
        } else {
          store.sinkState(dropsFirst: true, queue: .passthrough) { _ in called.record(number) }
        }
      observers.append((number, row, subscription))
      // The observers become more, then fewer, several times.
      for _ in 0..<(number / 50 % 2 == 0 ? 0 : 2) where !observers.isEmpty {
        let index = Int.random(in: observers.indices, using: &random)
        observers.remove(at: index).subscription.cancel()
      }
      let changed = number % 3
      let before = called.count
      store.put(Item(id: changed, price: number + 10))
      let expected = observers.filter { $0.row == nil || $0.row == changed }.map(\.number)
      expectEqual(Array(called.elements[before...]), expected)
    }
    for observer in observers.shuffled(using: &random) { observer.subscription.cancel() }
    expectTrue(store.core.broadcaster.contents.withLock { $0.delivery.isEmpty })
  }

  @Test("A commit compares a database once, however many queues observe it")
  func comparisons() {
    let store = Self.shop(100)
    let received = Recorder<Int>()
    let queues = (0..<50).map { DispatchQueue(label: "observer \($0)") }
    let subscriptions = queues.enumerated().map { number, queue in
      store.entity(Item.EntityID(number), in: \.shop)
        .sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
          received.record(number)
        }
    }
    func request() -> RowRouting.Request {
      store.core.broadcaster.contents.withLock { $0.delivery.comparisonRequest }
    }
    func isSilent() -> Bool { store.core.broadcaster.contents.withLock { $0.delivery.isSilent } }
    for queue in queues { queue.suspend() }
    expectEqual(request().detectors.count, 1)
    store.put(Item(id: 99, price: 7))
    expectTrue(isSilent())
    store.put(Item(id: 7, price: 9))
    expectFalse(isSilent())
    // The other queues still need the comparison.
    expectEqual(request().detectors.count, 1)
    expectTrue(request().isKeyed)
    queues[7].resume()
    expectTrue(eventually(isSilent))
    // A queue is silent from the beginning of the last call on.
    queues[7].sync {}
    expectEqual(received.elements, [7])
    store.commit { state in
      state.shop.performBatchUpdates {
        $0.modifying.items.insert((0..<50).map { Item(id: $0, price: -1) })
      }
    }
    queues[7].suspend()
    // Later states coalesce with those that wait, and are compared when they are delivered.
    expectTrue(request().detectors.count <= 1)
    store.put(Item(id: 99, price: 8))
    for queue in queues { queue.resume() }
    for queue in queues { queue.sync {} }
    expectTrue(eventually(isSilent))
    expectEqual(received.elements.dropFirst().sorted(), Array(0..<50))
    for subscription in subscriptions { subscription.cancel() }
    expectTrue(store.core.broadcaster.contents.withLock { $0.delivery.isEmpty })
  }

  @Test(
    "Each of many queues ends with the current value, whatever was suspended or ended meanwhile",
    arguments: 0..<scaled(6))
  func completeness(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Self.shop(12)
    let queues = (0..<8).map { DispatchQueue(label: "observer \($0)") }
    var suspended: Set<Int> = []
    typealias Observer = (
      value: () -> [Int?], received: Recorder<[Int?]>, subscription: StoreSubscription
    )
    func observer(_ random: inout SeededGenerator) -> Observer {
      let received = Recorder<[Int?]>()
      let number = Int.random(in: 0...queues.count, using: &random)
      let queue: DeliveryQueue =
        number == queues.count ? .passthrough : .asyncSerialQueue(queues[number])
      let id = Item.EntityID(Int.random(in: 0..<12, using: &random))
      let price = Int.random(in: 0..<6, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        return (
          { [store.state.searchText.count] }, received,
          store.sinkState(queue: queue) { received.record([$0.primitive.searchText.count]) }
        )
      case 1:
        let query = store.query(
          FetchDescriptor<Item>(sortBy: [SortDescriptor(\.price)], fetchLimit: 3), in: \.shop)
        return (
          { query.value.map(\.price) }, received,
          query.sinkState(queue: queue) { received.record($0.primitive.map(\.price)) }
        )
      case 2:
        let query = store.query(
          FetchDescriptor<Item>(predicate: #Predicate { $0.price == price }), in: \.shop)
        return (
          { query.value.map(\.id) }, received,
          query.sinkState(queue: queue) { received.record($0.primitive.map(\.id)) }
        )
      default:
        let row = store.entity(id, in: \.shop)
        return (
          { [row.value?.price] }, received,
          row.sinkState(queue: queue) { received.record([$0.primitive?.price]) }
        )
      }
    }
    var observers = (0..<20).map { _ in observer(&random) }
    for step in 0..<200 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let index = Int.random(in: observers.indices, using: &random)
        observers.remove(at: index).subscription.cancel()
        observers.append(observer(&random))
      case 1:
        let number = Int.random(in: queues.indices, using: &random)
        if suspended.remove(number) != nil {
          queues[number].resume()
        } else {
          suspended.insert(number)
          queues[number].suspend()
        }
      case 2: store.commit { $0.searchText = String(repeating: "x", count: step % 5) }
      case 3: store.drop(Int.random(in: 0..<12, using: &random))
      default:
        let price = Int.random(in: 0..<6, using: &random)
        store.put(Item(id: Int.random(in: 0..<12, using: &random), price: price))
      }
    }
    for number in suspended { queues[number].resume() }
    expectTrue(
      eventually {
        for queue in queues { queue.sync {} }
        return store.core.broadcaster.contents.withLock { $0.delivery.isSilent }
      })
    for queue in queues { queue.sync {} }
    for observer in observers { expectEqual(observer.received.last, observer.value()) }
    for observer in observers.shuffled(using: &random) { observer.subscription.cancel() }
    expectTrue(
      eventually { store.core.broadcaster.contents.withLock { $0.delivery.isEmpty } })
  }
}
