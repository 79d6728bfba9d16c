import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("Live queries")
struct QueryTests {
  static let queries: [FetchDescriptor<Item>] = [
    FetchDescriptor(),
    FetchDescriptor(predicate: #Predicate { $0.price > 1 }),
    FetchDescriptor(predicate: #Predicate { $0.price > 1 }, fetchLimit: 2, fetchOffset: 1),
    FetchDescriptor(sortBy: [SortDescriptor(\.name), SortDescriptor(\.price, order: .reverse)]),
    FetchDescriptor(
      predicate: #Predicate { $0.price < 4 }, sortBy: [SortDescriptor(\.price)], fetchLimit: 2),
    FetchDescriptor(sortBy: [SortDescriptor(\.price)], fetchLimit: 3, fetchOffset: 2),
    FetchDescriptor(fetchLimit: 0),
    FetchDescriptor { $0.name != "a" },
    // Found by the value of a field.
    FetchDescriptor(predicate: #Predicate { $0.price == 3 }),
    FetchDescriptor(
      predicate: #Predicate { $0.name == "a" && $0.price > 1 }, sortBy: [SortDescriptor(\.price)],
      fetchLimit: 2),
    FetchDescriptor(
      predicate: #Predicate { $0.price == 1 || $0.price == 2 }, sortBy: [SortDescriptor(\.name)]),
  ]

  @Test(
    "Law 20: every live query equals its recomputation after every step", arguments: 0..<scaled(4))
  func recomputation(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Enough rows for the reserve behind a limit to run out and be fetched again.
    let domain = seed.isMultiple(of: 2) ? 6 : 60
    let store = Store<_, Never>(initialState: ShopState())
    let live = Self.queries.map { store.query($0, in: \.shop) }
    let counts = Self.queries.map { store.count($0, in: \.shop) }
    let baskets = store.query(FetchDescriptor<Basket>(), in: \.shop)
    let followed = Self.queries.map { _ in Recorder<QueryDifference<Item>>() }
    let subscriptions = zip(live, followed).map { query, received in
      query.sinkDifferences(queue: .passthrough) { received.record($0) }
    }
    var lists = Self.queries.map { _ in [Item]() }
    var read = Self.queries.map { _ in 0 }
    for step in 0..<150 {
      store.commit { state in Self.edit(&state.shop, &random, domain) }
      for (index, query) in Self.queries.enumerated() {
        let expected = store.state.shop.fetch(query)
        for difference in followed[index].elements.dropFirst(read[index]) {
          lists[index] = Self.applying(difference, to: lists[index])
        }
        read[index] = followed[index].count
        let place = "seed \(seed), step \(step), query \(index)"
        try #require(lists[index] == expected, "\(place): by differences")
        // Some are read seldom, so that they have far to come.
        if index.isMultiple(of: 2) || step.isMultiple(of: 7) {
          try #require(live[index].value == expected, "\(place): read")
          try #require(counts[index].value == expected.count, "\(place): counted")
        }
      }
      try #require(baskets.value == Array(store.state.shop.baskets), "seed \(seed), step \(step)")
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "Law 20: rows that were removed and inserted again come last, however long nobody looked",
    arguments: 0..<scaled(7))
  func replacedRows(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<40).map { Item(id: $0, name: "a", price: $0 % 3) }))
    let queries = [
      FetchDescriptor<Item>(), FetchDescriptor<Item>(fetchLimit: 3),
      FetchDescriptor<Item>(predicate: #Predicate { $0.price == 1 }),
      FetchDescriptor<Item>(predicate: #Predicate { $0.price == 1 }, fetchLimit: 4),
    ]
    let live = queries.map { store.query($0, in: \.shop) }
    let followed = live.map { _ in Recorder<[Item]>() }
    let subscriptions = zip(queries, followed).map { query, received in
      store.query(query, in: \.shop)
        .sinkState(queue: .passthrough) { received.record($0.primitive) }
    }
    for step in 0..<100 {
      let id = random.number(in: 0..<40)
      let known = store.state.shop.items.find(by: Item.EntityID(id))
      // Equal again for whoever looks after the second commit, or sees only the two together.
      switch random.number(in: 0..<4) {
      case 0:
        store.drop(id)
        if let known { store.put(known) }
      case 1:
        store.commit { state in
          state.shop.performBatchUpdates { context in
            guard let known else { return }
            context.modifying.items.remove(known.entityID)
            context.modifying.items.insert([known, Item(id: 50, name: "\(step)", price: 5)])
          }
        }
      default: store.put(Item(id: id, name: "\(step)", price: random.number(in: 0..<3)))
      }
      if random.number(in: 0..<3) > 0 { continue }
      // Wakes all of them, also those that are found by a price.
      store.put(Item(id: 60 + step, name: "last", price: 1))
      for (index, query) in queries.enumerated() {
        let expected = store.state.shop.fetch(query)
        let place = "seed \(seed), step \(step), query \(index)"
        try #require(live[index].value == expected, "\(place): read")
        try #require(followed[index].last == expected, "\(place): told")
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  private static func edit(_ shop: inout Shop, _ random: inout SeededGenerator, _ domain: Int) {
    shop.performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<4) {
        let id = random.number(in: 0..<domain)
        let name = ["a", "b", "c"][random.number(in: 0..<3)]
        let item = Item(id: id, name: name, price: random.number(in: 0..<6))
        switch random.number(in: 0..<8) {
        case 0..<3: context.modifying.items.insert(item)
        case 3: context.modifying.items.updateIfExists(id: Item.EntityID(id)) { $0.price += 1 }
        case 4..<6: context.modifying.items.remove(Item.EntityID(id))
        case 6: context.modifying.baskets.insert(Basket(id: id % 6, label: name))
        default: context.modifying.baskets.move(Basket.EntityID(id % 6), to: 0)
        }
      }
    }
  }

  /// Does what the documentation of a difference says.
  static func applying<Entity>(
    _ difference: QueryDifference<Entity>, to list: [Entity]
  ) -> [Entity] {
    var list = list
    for position in (difference.removed + difference.moved.map(\.from)).sorted(by: >) {
      list.remove(at: position)
    }
    for position in (difference.inserted + difference.moved.map(\.to)).sorted() {
      list.insert(difference.new[position], at: position)
    }
    for position in difference.updated { list[position] = difference.new[position] }
    return list
  }

  @Test("A difference contains as few moves as possible, with their positions")
  func difference() {
    let old = [1, 2, 3, 4].map { Item(id: $0) }
    let new = [Item(id: 4), Item(id: 1), Item(id: 9), Item(id: 3, name: "three")]
    let difference = QueryDifference(from: old, to: new)
    expectEqual(difference.removed, [1])
    expectEqual(difference.inserted, [2])
    expectEqual(difference.moved.map(\.from), [3])
    expectEqual(difference.moved.map(\.to), [0])
    expectEqual(difference.updated, [3])
    expectTrue(QueryDifference(from: old, to: old).isEmpty)
    expectEqual("\(difference)", "removed [1], inserted [2], moved [3 to 0], updated [3], of 4")
    expectEqual("\(QueryDifference(from: old, to: old))", "no difference, of 4")
  }

  @Test("Law 22: other tables, and rows that do not match, do not affect a query")
  func unrelated() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, price: 5)]))
    let asked = Tally()
    let query = store.query(
      FetchDescriptor<Item> {
        asked.add()
        return $0.price > 3
      }, in: \.shop)
    let received = Recorder<[Int]>()
    let subscription = query.sinkState(queue: .passthrough) {
      received.record($0.primitive.map(\.id))
    }
    let before = asked.count
    store.commit { state in
      state.shop.performBatchUpdates { _ = $0.modifying.baskets.insert(Basket(id: 1)) }
    }
    store.commit { $0.searchText = "x" }
    expectEqual(asked.count, before)
    store.put(Item(id: 2, price: 1))
    expectEqual(asked.count, before + 1)
    expectEqual(received.elements, [[1]])
    store.put(Item(id: 2, price: 9))
    // Once as it was and once as it is.
    expectEqual(asked.count, before + 3)
    expectEqual(received.elements, [[1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 22: a sorted window over many rows is updated without evaluating them")
  func window() {
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<5_000).map { Item(id: $0, price: $0) }))
    let asked = Tally()
    let query = store.query(
      FetchDescriptor<Item>(
        sortBy: [SortDescriptor(\.name), SortDescriptor(\.price)], fetchLimit: 5
      ) {
        asked.add()
        return $0.price >= 0
      }, in: \.shop)
    expectEqual(query.value.map(\.id), [0, 1, 2, 3, 4])
    let before = asked.count
    store.drop(2)
    expectEqual(query.value.map(\.id), [0, 1, 3, 4, 5])
    store.put(Item(id: 4_000, price: 0))
    expectEqual(query.value.map(\.id), [0, 4_000, 1, 3, 4])
    store.put(Item(id: 4_999, price: 6_000))
    expectEqual(query.value.map(\.id), [0, 4_000, 1, 3, 4])
    #expect(asked.count <= before + 5)
  }
}
