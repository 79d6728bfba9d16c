import EntiaDatabase
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaStore

@Suite("Law 27: a store's memory is proportional to the objects that its users retain")
struct BoundedMemoryTests {
  /// A state with a database at each of many key paths.
  struct Mall: StateType {
    var shops = [Shop](repeating: Shop(), count: 1_000)
    var number = 0
    var other = 0
    var text = ""

    /// A database that can be read in every state.
    subscript(shop index: Int) -> Shop { shops.indices.contains(index) ? shops[index] : Shop() }
  }

  private let store = Store<Mall, Never>(initialState: Mall())

  private func put(_ price: Int, in shop: Int) {
    store.batch(\.shops[shop]) { $0.items.insert(Item(id: 1, price: price)) }
  }

  @Test("Databases at 1,000 key paths are listed as long as their rows are observed")
  func detectors() {
    let held = (0..<3).map { store.entity(Item.EntityID(1), in: \.shops[$0]) }
    for index in 3..<1_000 {
      _ = store.entity(Item.EntityID(1), in: \.shops[index]).value
      _ = store.query(FetchDescriptor<Item> { $0.price > 1 }, in: \.shops[index]).value
    }
    #expect(store.core.detectors.count <= 128)
    let notified = Recorder<Int?>()
    let subscriptions = held.map { row in
      row.sinkState(dropsFirst: true, queue: .passthrough) { notified.record($0.primitive?.price) }
    }
    for index in 0..<4 { put(index, in: index) }
    expectTrue(notified.elements == [0, 1, 2] && held.map { $0.value?.price } == [0, 1, 2])
    for subscription in subscriptions { subscription.cancel() }
  }

  /// The price of an item.
  struct Label: EntityShape {
    /// Counts how often labels are created, by the test that binds it.
    @TaskLocal static var created: Tally?

    let price: Int

    init(_ item: ResolvingView<Shop, Item>) {
      Self.created?.add()
      price = item.price
    }
  }

  @Test("Shapes are cached for the key paths that were used last")
  func resolvers() {
    let created = Tally()
    put(7, in: 0)
    Label.$created.withValue(created) {
      for index in 1..<1_000 {
        _ = store.resolve(Label.self, of: 1, in: \.shops[index])
        expectEqual(store.resolve(Label.self, of: 1, in: \.shops[0])?.price, 7)
      }
    }
    expectEqual(created.count, 1)
    expectEqual(store.core.resolvers.count, KeyPathTable<Int>.limit)
  }

  @Test("Databases in an array are not parts of an undo: an observed one can be removed")
  func removedDatabase() {
    store.commit("Type") { $0.text = "x" }
    for index in 0..<1_000 { _ = store.entity(Item.EntityID(1), in: \.shops[index]).value }
    _ = store.ref(Item.EntityID(1), in: \.shops[999]).value
    expectTrue(store.core.databases.all.isEmpty)
    store.commit(undo: .none) { $0.shops.removeLast() }
    store.commit(undo: .none) { state in
      state.shops[3].performBatchUpdates { $0.modifying.items.insert(Item(id: 1, price: 7)) }
    }
    expectTrue(store.undo() && store.state.text == "" && store.state.shops.count == 999)
    expectEqual(store.entity(Item.EntityID(1), in: \.shops[3]).value?.price, 7)
    expectTrue(store.redo() && store.state.text == "x" && store.state.shops.count == 999)
  }

  @Test("A database in an array is observed by a key path that can always be read")
  func readableDatabase() {
    let row = store.entity(Item.EntityID(1), in: \.[shop: 999])
    let notified = Recorder<Int?>()
    let subscription = row.sinkState(queue: .passthrough) { notified.record($0.primitive?.price) }
    put(7, in: 999)
    store.commit { $0.shops.removeLast() }
    expectTrue(notified.elements == [nil, 7, nil] && row.value == nil)
    expectTrue(store.undo() && notified.last == 7)
    subscription.cancel()
  }

  @Test("Databases are tracked as long as a tracked read of their rows is pending")
  func trackedFeeds() {
    func track(_ index: Int, _ notified: Tally) {
      withObservationTracking {
        _ = store.entity(Item.EntityID(1), in: \.shops[index]).value
      } onChange: {
        notified.add()
      }
    }
    let (notified, others) = (Tally(), Tally())
    track(0, notified)
    for index in 1..<1_000 {
      track(index, others)
      put(index, in: index)
    }
    expectTrue(others.count == 999 && notified.count == 0)
    expectTrue(
      store.core.detectors.count <= 128 && store.core.observation.rows.detectorCount <= 128)
    put(7, in: 0)
    expectEqual(notified.count, 1)
  }

  @Test("Fields by which queries are looked up are listed as long as such a query is retained")
  func routes() {
    let shop = Store<Shop, Never>(initialState: Shop())
    let row = shop.entity(Item.EntityID(1), in: \.self)
    let detector = shop.core.detector(at: \.self)
    do {
      let queries = (0..<100).map { price in
        shop.query(
          FetchDescriptor<Item>(predicate: #Predicate { $0.price == price }), in: \.self)
      }
      expectTrue(queries.allSatisfy(\.value.isEmpty) && detector.fields.objects.count == 1)
      shop.batch { $0.items.insert(Item(id: 1, price: 7)) }
      expectEqual(queries.firstIndex { !$0.value.isEmpty }, 7)
    }
    for _ in 0..<100 {
      _ =
        shop.query(
          FetchDescriptor<Item>(predicate: #Predicate { $0.name == "a" }), in: \.self
        ).value
    }
    #expect(detector.fields.count <= 33)
    expectEqual(row.value?.price, 7)
  }

  @Test("The shared objects have at most twice as many entries as there are retained objects")
  func sharedObjects() {
    final class Number: Sendable {
      let value: Int
      init(_ value: Int) { self.value = value }
    }
    let objects = SharedObjects()
    var held: [Number] = []
    for value in 0..<10_000 {
      let number = objects.object(DefinitionID(value)) { Number(value) }
      if value % 1_000 == 0 { held.append(number) }
    }
    let values = objects.objects.map { ($0 as? Number)?.value }
    expectTrue(objects.count <= 32 && values == held.map(\.value))
    expectTrue(objects.object(DefinitionID(3_000)) { Number(0) } === held[3])
    for number in held + held { objects.add(number) }
    expectEqual(objects.objects.count, 3 * held.count)
  }

  @Test(
    "Commits while Observation is notified keep a bounded number of versions, and none is missed")
  func changeLine() {
    let (parts, rows, states) = (Tally(), Tally(), Tally())
    put(0, in: 0)
    let longest = Recorder<Int>()
    let store = store
    withObservationTracking {
      _ = store.text
    } onChange: {
      for number in 1...1_000 {
        store.commit {
          if number < PendingChanges.limit {
            $0.other = number
            return
          }
          $0.number = number
          $0.shops[0].performBatchUpdates { context in
            context.modifying.items.updateIfExists(id: 1) { $0.price = number }
          }
        }
      }
      longest.record(store.core.pendingChanges.count)
      withObservationTracking {
        expectEqual(store.number, 1_000)
      } onChange: {
        parts.add()
      }
      withObservationTracking {
        expectEqual(store.entity(Item.EntityID(1), in: \.shops[0]).value?.price, 1_000)
      } onChange: {
        rows.add()
      }
      withObservationTracking {
        expectEqual(store.state.number, 1_000)
      } onChange: {
        states.add()
      }
      // Back to the value before the first of the changes that are merged.
      store.commit {
        $0.number = 0
        $0.shops[0].performBatchUpdates { context in
          context.modifying.items.updateIfExists(id: 1) { $0.price = 0 }
        }
      }
      longest.record(store.core.pendingChanges.count)
    }
    store.commit { $0.text = "begin" }
    expectEqual(longest.elements, [PendingChanges.limit, PendingChanges.limit])
    expectTrue(parts.count == 1 && rows.count == 1 && states.count == 1)
    expectEqual(store.core.pendingChanges.count, 0)
  }

  @Test("Several writers and a slow observer keep a bounded number of versions")
  func writers() {
    let store = store
    let longest = Recorder<Int>()
    withObservationTracking {
      _ = store.text
    } onChange: {
      onThreads(4) { _ in
        for _ in 0..<250 {
          store.commit { $0.number += 1 }
          longest.record(store.core.pendingChanges.count)
        }
      }
    }
    store.commit { $0.text = "begin" }
    expectTrue(longest.count == 1_000 && longest.elements.allSatisfy { $0 <= PendingChanges.limit })
    expectEqual(store.state.number, 1_000)
  }
}
