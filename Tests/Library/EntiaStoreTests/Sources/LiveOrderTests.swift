import Dispatch
import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

/// Queries whose order depends on the places of rows in their table: without a sort, or with IDs
/// that have no order.
@Suite("Live queries in the order of the table")
struct LiveOrderTests {
  /// An ID without an order, which counts how often it is hashed by the test that binds it.
  struct Code: Hashable, Sendable {
    @TaskLocal static var hashes: Tally?
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.hashes?.add()
      hasher.combine(number)
    }
  }

  struct Card: EntityType, Identifiable {
    let id: Code
    var rank: Int
    var note = 0
  }

  struct Sheet: EntityType, Identifiable {
    let id: Code
    var rank: Int
    var note = 0
  }

  struct Desk: NormalizedStorageType {
    struct Contents: StorageContents {
      var cards = Tables.Hash<Card>()
      var sheets = Tables.Ordered<Sheet>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("cards", \.cards)
        visitor.table("sheets", \.sheets)
      }
    }

    var snapshot = Snapshot(Contents())
  }

  struct DeskState: StateType {
    var desk = Desk()
  }

  static let cards: [FetchDescriptor<Card>] = [
    FetchDescriptor(),
    FetchDescriptor(fetchLimit: 5),
    FetchDescriptor(fetchLimit: 3, fetchOffset: 2),
    FetchDescriptor(fetchOffset: 4),
    FetchDescriptor(predicate: #Predicate { $0.rank > 2 }),
    FetchDescriptor(predicate: #Predicate { $0.rank > 2 }, fetchLimit: 4),
    FetchDescriptor(predicate: #Predicate { $0.rank == 1 }),
    FetchDescriptor(predicate: #Predicate { $0.rank == 1 }, fetchLimit: 3, fetchOffset: 1),
    FetchDescriptor { $0.note > 2 },
    FetchDescriptor(sortBy: [SortDescriptor(\.rank)]),
    FetchDescriptor(sortBy: [SortDescriptor(\.rank, order: .reverse)], fetchLimit: 4),
    FetchDescriptor(
      predicate: #Predicate { $0.rank == 2 }, sortBy: [SortDescriptor(\.note)], fetchLimit: 4,
      fetchOffset: 1),
  ]

  static let sheets: [FetchDescriptor<Sheet>] = [
    FetchDescriptor(),
    FetchDescriptor(fetchLimit: 5),
    FetchDescriptor(fetchLimit: 3, fetchOffset: 2),
    FetchDescriptor(predicate: #Predicate { $0.rank > 2 }),
    FetchDescriptor(predicate: #Predicate { $0.rank == 1 }),
    FetchDescriptor(predicate: #Predicate { $0.rank == 1 }, fetchLimit: 3, fetchOffset: 1),
    FetchDescriptor { $0.note > 2 },
    FetchDescriptor(sortBy: [SortDescriptor(\.rank)]),
    FetchDescriptor(sortBy: [SortDescriptor(\.rank, order: .reverse)], fetchLimit: 4),
  ]

  static func desk(_ count: Int) -> DeskState {
    var state = DeskState()
    state.desk.performBatchUpdates { context in
      for id in 0..<count {
        context.modifying.cards.insert(Card(id: Code(number: id), rank: id % 6))
        context.modifying.sheets.insert(Sheet(id: Code(number: id), rank: id % 6))
      }
    }
    return state
  }

  @Test(
    "Law 20: a result in the order of the table is that of a fetch after every step",
    arguments: 0..<scaled(6))
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    // Few rows, more rows than a limit has in reserve, or so many that a commit can scatter them.
    let domain = [8, 60, 400][seed % 3]
    let store = Store<_, Never>(initialState: Self.desk(domain / 2), undoDepth: seed % 2 * 4)
    let queue = DispatchQueue(label: "observers")
    var cards = Self.cards.map { Follower($0, store, queue) }
    var sheets = Self.sheets.map { Follower($0, store, queue) }
    for step in 0..<shortened(120) {
      store.commit { Self.edit(&$0.desk, &random, domain) }
      if random.number(in: 0..<8) == 0 { store.undo() }
      let isRead = random.number(in: 0..<4) == 0
      if isRead { queue.sync {} }
      for index in cards.indices {
        try cards[index].check(store, isRead, "seed \(seed), step \(step), cards \(index)")
      }
      for index in sheets.indices {
        try sheets[index].check(store, isRead, "seed \(seed), step \(step), sheets \(index)")
      }
    }
  }

  private static func edit(_ desk: inout Desk, _ random: inout SeededGenerator, _ domain: Int) {
    let isCards = random.number(in: 0..<2) == 0
    let isLarge = random.number(in: 0..<16) == 0
    desk.performBatchUpdates { context in
      for _ in 0..<(isLarge ? 100 : random.number(in: 1..<4)) {
        let code = Code(number: random.number(in: 0..<domain))
        let value = random.number(in: 0..<6)
        let kind = random.number(in: 0..<7)
        if isCards {
          let id = Card.EntityID(code)
          switch kind {
          case 0: context.modifying.cards.insert(Card(id: code, rank: value))
          case 1: context.modifying.cards.remove(id)
          case 2, 3: context.modifying.cards.updateIfExists(id: id) { $0.rank = value }
          case 4: context.modifying.cards.updateIfExists(id: id) { $0.note = value }
          default:
            // It is then the last row, with the same value.
            if let card = context.modifying.cards.remove(id) {
              context.modifying.cards.insert(card)
            }
          }
        } else {
          let id = Sheet.EntityID(code)
          switch kind {
          case 0: context.modifying.sheets.insert(Sheet(id: code, rank: value))
          case 1: context.modifying.sheets.remove(id)
          case 2: context.modifying.sheets.updateIfExists(id: id) { $0.rank = value }
          case 3: context.modifying.sheets.updateIfExists(id: id) { $0.note = value }
          case 4:
            if let sheet = context.modifying.sheets.remove(id) {
              context.modifying.sheets.insert(sheet)
            }
          default: context.modifying.sheets.move(id, to: value)
          }
        }
      }
    }
  }

  @Test("Law 22: a changed row is found without a walk through the result", arguments: [1, 2, 3])
  func work(kind: Int) {
    /// Returns the number of hashed IDs of 20 commits, beside commits to the other table.
    func hashes(_ count: Int) -> Int {
      let store = Store<_, Never>(initialState: Self.desk(count), undoDepth: 0)
      let (told, hashed) = (Tally(), Tally())
      var subscriptions: [StoreSubscription] = []
      func observe<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) {
        subscriptions.append(
          store.query(descriptor, in: \.desk)
            .sinkDifferences(dropsFirst: true, queue: .passthrough) { _ in told.add() })
      }
      switch kind {
      case 1: observe(FetchDescriptor<Card>(predicate: #Predicate { $0.rank >= 0 }))
      case 2: observe(FetchDescriptor<Card>(sortBy: [SortDescriptor(\.rank)]))
      default: observe(FetchDescriptor<Sheet>())
      }
      for number in 0..<20 {
        let code = Code(number: number * count / 20)
        for isCards in [true, false] {
          Code.$hashes.withValue(isCards == (kind < 3) ? hashed : nil) {
            store.commit { state in
              state.desk.performBatchUpdates { context in
                if isCards {
                  context.modifying.cards.updateIfExists(id: .init(code)) { $0.note += 1 }
                } else {
                  context.modifying.sheets.updateIfExists(id: .init(code)) { $0.note += 1 }
                }
              }
            }
          }
        }
      }
      expectEqual(told.count, 20)
      withExtendedLifetime(subscriptions) {}
      return hashed.count
    }
    let (few, many) = (hashes(1_000), hashes(8_000))
    // Eight times as many rows are three more steps of two binary searches. A step finds the places
    // of two rows, by two hashes each in an ordered table.
    expectTrue(few > 0)
    #expect(many <= few + 20 * 2 * 4 * 2 * 2)
    #expect(many < 20 * 300)
  }
}

extension LiveOrderTests {
  /// The observers of one query, and what they were told.
  struct Follower<Entity: EntityType> {
    private let descriptor: FetchDescriptor<Entity>
    private let value: () -> [Entity]
    private let told = Recorder<[Entity]>()
    private let later = Recorder<[Entity]>()
    private let differences = Recorder<QueryDifference<Entity>>()
    private let subscriptions: [StoreSubscription]
    private var list: [Entity] = []
    private var taken = 0

    init(
      _ descriptor: FetchDescriptor<Entity>, _ store: Store<DeskState, Never>,
      _ queue: DispatchQueue
    ) {
      self.descriptor = descriptor
      let query = store.query(descriptor, in: \.desk)
      value = { query.value }
      // Queries of their own, so that no observer updates the result of another one.
      subscriptions = [
        store.query(descriptor, in: \.desk)
          .sinkState(queue: .passthrough) { [told] in told.record($0.primitive) },
        store.query(descriptor, in: \.desk)
          .sinkState(queue: .asyncSerialQueue(queue)) { [later] in later.record($0.primitive) },
        store.query(descriptor, in: \.desk)
          .sinkDifferences(queue: .passthrough) { [differences] in differences.record($0) },
      ]
    }

    /// Checks what the observers were told. With `isRead`, also what the query returns, which may
    /// have much to catch up with.
    mutating func check(_ store: Store<DeskState, Never>, _ isRead: Bool, _ place: String) throws {
      let expected = store.state.desk.fetch(descriptor)
      try #require(eventually { told.last == expected }, "\(place): told")
      for difference in differences.elements.dropFirst(taken) {
        list = QueryTests.applying(difference, to: list)
      }
      taken = differences.count
      try #require(list == expected, "\(place): by differences")
      if !isRead { return }
      try #require(value() == expected, "\(place): read")
      try #require(eventually { later.last == expected }, "\(place): told later")
    }
  }

  @Test("Law 21: when the rows in reserve are gone, a row that comes back unchanged is no change")
  func lastRowOfReserve() {
    let store = Store<DeskState, Never>(initialState: DeskState())
    func id(_ number: Int) -> Card.EntityID { Card.EntityID(Code(number: number)) }
    let cards = (1...18).map { Card(id: Code(number: $0), rank: 0) }
    store.batch(\.desk) { _ = $0.cards.insert(cards) }
    let calls = Recorder<[Int]>()
    let query = store.query(FetchDescriptor<Card>(fetchLimit: 1), in: \.desk)
    let observer = query.sinkState(dropsFirst: true, queue: .passthrough) {
      calls.record($0.primitive.map(\.id.number))
    }
    for number in 1...16 { store.batch(\.desk) { _ = $0.cards.remove(id(number)) } }
    store.batch(\.desk) { tables in
      tables.cards.remove(id(18))
      tables.cards.remove(id(17))
      tables.cards.insert(cards[16])
    }
    expectEqual(calls.elements, (2...17).map { [$0] })
    observer.cancel()
  }

  @Test("Law 21: a query by a value of a field receives the new order of its rows, if coalesced")
  func orderOfEqualRows() {
    let store = Store<DeskState, Never>(initialState: DeskState())
    let cards = (0...1).map { Card(id: Code(number: $0), rank: 1) }
    store.batch(\.desk) { _ = $0.cards.insert(cards) }
    let query = store.query(
      FetchDescriptor<Card>(predicate: #Predicate { $0.rank == 1 }), in: \.desk)
    let calls = Recorder<[Int]>()
    let slow = DispatchQueue(label: "slow")
    let observers = [DeliveryQueue.passthrough, .asyncSerialQueue(slow)].map { queue in
      query.sinkState(dropsFirst: true, queue: queue) {
        calls.record($0.primitive.map(\.id.number))
      }
    }
    // The rows that the two commits lead to are equal to those before, in another order.
    slow.suspend()
    store.batch(\.desk) { _ = $0.cards.remove(cards[0].entityID) }
    store.batch(\.desk) { _ = $0.cards.insert(cards[0]) }
    expectEqual(calls.elements, [[1], [1, 0]])
    slow.resume()
    slow.sync {}
    expectEqual(calls.elements, [[1], [1, 0], [1, 0]])
    for observer in observers { observer.cancel() }
  }
}
