import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("Law 27: queries hold results, and no versions")
struct QueryLifetimeTests {
  typealias Pet = LifetimeLawTests.Pet
  typealias ZooState = LifetimeLawTests.ZooState

  private static func put(_ id: Int, into store: Store<ZooState, Never>) -> Watch {
    let token = Token()
    store.commit { state in
      state.zoo.performBatchUpdates { _ = $0.modifying.pets.insert(Pet(id: id, token: token)) }
    }
    return Watch(token)
  }

  struct Watch {
    weak var token: Token?

    init(_ token: Token) { self.token = token }
  }

  @Test("An observer that is not notified retains no version", arguments: [false, true])
  func notWoken(isObserved: Bool) {
    let store = Store<ZooState, Never>(initialState: ZooState(), undoDepth: 0)
    var held: [any AnyObject & Sendable] = []
    var watches: [Watch] = []
    for id in 0..<100 {
      watches.append(Self.put(id, into: store))
      let query = store.query(
        FetchDescriptor<Pet>(predicate: #Predicate { $0.id == id }), in: \.zoo)
      let count = store.count(
        FetchDescriptor<Pet>(predicate: #Predicate { $0.id == id }), in: \.zoo)
      expectEqual(query.value.count, 1)
      expectEqual(count.value, 1)
      held += [query, count]
      if isObserved {
        held.append(query.sinkState(dropsFirst: true, queue: .passthrough) { _ in })
        held.append(count.sinkState(queue: .passthrough) { _ in })
      }
    }
    let unrelated = (1_000..<1_100).map { Self.put($0, into: store) }
    for id in 1_000..<1_100 { _ = Self.put(id, into: store) }
    expectTrue(unrelated.allSatisfy { $0.token == nil })
    expectTrue(watches.allSatisfy { $0.token != nil })
    // They still follow.
    for id in 0..<100 {
      let query = store.query(
        FetchDescriptor<Pet>(predicate: #Predicate { $0.id == id }), in: \.zoo)
      expectEqual(query.value.map(\.id), [id])
    }
    withExtendedLifetime(held) {}
  }

  @Test("A count retains no entities")
  func counts() {
    let store = Store<ZooState, Never>(initialState: ZooState(), undoDepth: 0)
    let count = store.count(FetchDescriptor<Pet>(), in: \.zoo)
    let limited = store.count(FetchDescriptor<Pet>(fetchLimit: 5, fetchOffset: 2), in: \.zoo)
    let received = Recorder<[Int]>()
    let subscriptions = [
      count.sinkState(queue: .passthrough) { received.record([$0.primitive]) },
      limited.sinkState(queue: .passthrough) { received.record([-1, $0.primitive]) },
    ]
    let watches = (0..<10).map { Self.put($0, into: store) }
    expectEqual(count.value, 10)
    expectEqual(limited.value, 5)
    store.commit { state in
      state.zoo.performBatchUpdates { context in
        for id in 0..<9 { _ = context.modifying.pets.remove(Pet.EntityID(id)) }
      }
    }
    expectEqual(count.value, 1)
    expectEqual(limited.value, 0)
    expectTrue(watches.dropLast().allSatisfy { $0.token == nil })
    expectEqual(received.elements.suffix(2), [[1], [-1, 0]])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A query that is only read is updated by changes while the history retains its version")
  func read() {
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<1_000).map { Item(id: $0, price: $0) }))
    let examined = Tally()
    let query = store.query(
      FetchDescriptor<Item> { item in
        examined.add()
        return item.price > 500
      }, in: \.shop)
    expectEqual(query.value.count, 499)
    let before = examined.count
    store.put(Item(id: 3, price: 900))
    expectEqual(query.value.count, 500)
    #expect(examined.count - before <= 4)
  }
}
