import Dispatch
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

@Suite("Law 22: events for observers of rows")
struct RowDeliveryTests {
  @Test("A commit posts an event for observers of the changed rows only")
  func silence() {
    let queue = DispatchQueue(label: "observers")
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<9).map { Item(id: $0, price: $0) }))
    let received = Recorder<String>()
    let one = Item.EntityID(1)
    let subscriptions = [
      store.entity(one, in: \.shop).sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) {
        received.record("row \($0.primitive?.price ?? 0)")
      },
      store.query(FetchDescriptor<Item>(predicate: #Predicate { $0.price == 5 }), in: \.shop)
        .sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) {
          received.record("query \($0.primitive.map(\.id))")
        },
    ]
    queue.sync {}
    queue.suspend()
    let isSilent = { store.core.broadcaster.contents.withLock { $0.delivery.isSilent } }
    store.put(Item(id: 2, price: 7))
    store.drop(8)
    store.commit { $0.searchText = "x" }
    expectTrue(isSilent())
    store.put(Item(id: 1, price: 5))
    expectFalse(isSilent())
    queue.resume()
    queue.sync {}
    // Each is called in the order in which it came.
    expectEqual(received.elements, ["row 5", "query [1, 5]"])
    expectTrue(isSilent())
    withExtendedLifetime(subscriptions) {}
  }

  @Test("The change set of a commit is computed only for an observer that uses it, and once")
  func changeSets() {
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<9).map { Item(id: $0, price: $0) }))
    let counts = Recorder<Int>()
    let queries = Recorder<[Int]>()
    // Observers are called in the order in which they are added.
    func observeRow(_ id: Item.EntityID) -> StoreSubscription {
      let rows = store.core.observedRows(of: CollectionOfOne(id), at: \ShopState.shop)
      return store.core.broadcaster.observe(
        on: .passthrough, observedRegion: .rows(rows), dropsFirst: true
      ) { event in
        if case .state(_, _, let rows?) = event { counts.record(rows.changeSetCount) }
        return nil
      }
    }
    func observeQuery() -> StoreSubscription {
      store.query(FetchDescriptor<Item>(predicate: #Predicate { $0.price >= 0 }), in: \.shop)
        .sinkState(dropsFirst: true, queue: .passthrough) { queries.record($0.primitive.map(\.id)) }
    }
    var subscriptions = [observeRow(1)]
    store.put(Item(id: 1, price: 7))
    expectEqual(counts.elements, [0])
    subscriptions += [observeQuery(), observeQuery(), observeRow(1)]
    store.put(Item(id: 1, name: "one"))
    expectEqual(counts.elements, [0, 0, 1])
    expectEqual(queries.count, 2)
    store.drop(8)
    expectEqual(counts.count, 3)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("An observer is notified of rows that it reads only when an earlier event is delivered")
  func rowsOfLater() throws {
    let queue = DispatchQueue(label: "observers")
    let store = Store<_, Never>(initialState: try Reading.State.sample())
    let received = Recorder<String>()
    let subscription = store.related(Reading.Book.EntityID(1), \.bookAuthor, in: \.library)
      .sinkState(queue: .asyncSerialQueue(queue)) {
        received.record($0.primitive?.name ?? "nobody")
      }
    queue.sync {}
    queue.suspend()
    try store.commit { state in
      try state.library.performBatchUpdates {
        $0.modifying.books.updateIfExists(id: 1) { $0.authorID = 2 }
      }
    }
    // Nobody is filed under this row before the commit above has been notified.
    try store.commit { state in
      try state.library.performBatchUpdates {
        $0.modifying.authors.updateIfExists(id: 2) { $0.name = "Bea" }
      }
    }
    queue.resume()
    queue.sync {}
    // Both commits are delivered as one change.
    expectEqual(received.elements, ["Ann", "Bea"])
    withExtendedLifetime(subscription) {}
  }
}
