import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Synchronization
import Testing

/// A key that counts how often it is compared or hashed.
private struct CountedKey: Comparable, Hashable, Sendable {
  final class Uses: Sendable {
    let count = Atomic(0)
  }

  @TaskLocal static var uses: Uses?

  var number: Int

  static func == (a: Self, b: Self) -> Bool {
    uses?.count.add(1, ordering: .relaxed)
    return a.number == b.number
  }

  static func < (a: Self, b: Self) -> Bool {
    uses?.count.add(1, ordering: .relaxed)
    return a.number < b.number
  }

  func hash(into hasher: inout Hasher) {
    Self.uses?.count.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}

private struct Ware: EntityType, Identifiable {
  /// A key with unused bytes between its properties.
  struct Place: Comparable, Hashable, Sendable {
    var isOpen = false
    var row = 0

    static func < (a: Self, b: Self) -> Bool {
      (a.row, a.isOpen ? 1 : 0) < (b.row, b.isOpen ? 1 : 0)
    }
  }

  let id: Int
  var counted: CountedKey
  var other = 0
  var weight = 0.0
  var name = ""
  var place = Place()
  var rank: Int?
  var partID: Ware.EntityID?
  var boxIDs: [Ware.EntityID] = []
  var isShown = false

  /// Not stored, so that it depends on bytes that are not its own.
  var half: Int { other / 2 }

  // Its counted key is compared by its number, so that only relationships and indexes count.
  static func == (a: Self, b: Self) -> Bool {
    a.id == b.id && a.counted.number == b.counted.number && a.other == b.other
      && a.weight == b.weight && a.name == b.name && a.place == b.place && a.rank == b.rank
      && a.partID == b.partID && a.boxIDs == b.boxIDs && a.isShown == b.isShown
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private struct Stock: NormalizedStorageType {
  struct Contents: StorageContents {
    var wares = Tables.Ordered<Ware>()
    var byCounted = Indexes.Sorted<Ware, CountedKey>(\.counted)
    var groups = Indexes.GroupBy<Ware, CountedKey>(\.counted)
    var byBoth = Indexes.Sorted(by: \Ware.counted, .descending(\.counted))
    var byWeight = Indexes.Sorted<Ware, Double>(\.weight)
    var byName = Indexes.Hash<Ware, String>(\.name)
    var byPlace = Indexes.Sorted<Ware, Ware.Place>(\.place)
    var byRank = Indexes.Sorted<Ware, Int>(\.rank)
    var byHalf = Indexes.Sorted<Ware, Int>(\.half)
    var shown = Indexes.Sorted<Ware, Int>(\.other, where: \.isShown)
    var byWeightAndHalf = Indexes.Sorted(by: \Ware.weight, .descending(\.half))
    var byNameAndRow = Indexes.Sorted(by: \Ware.name, .descending(\.place.row))
    var byClosure = Indexes.GroupBy<Ware, Int> { $0.isShown ? $0.other : nil }
    var part = ToOne<Ware, Ware>(\.partID, onDelete: .nullify)
    var boxes = ToMany<Ware, Ware>(\.boxIDs, onDelete: .nullify)
    var held = Indexes.Set<Ware>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("wares", \.wares)
      visitor.index("byCounted", \.byCounted)
      visitor.index("groups", \.groups)
      visitor.relationship("part", \.part)
      visitor.index("byBoth", \.byBoth)
      visitor.index("byWeight", \.byWeight)
      visitor.index("byName", \.byName)
      visitor.index("byPlace", \.byPlace)
      visitor.index("byRank", \.byRank)
      visitor.relationship("boxes", \.boxes)
      visitor.index("byHalf", \.byHalf)
      visitor.index("shown", \.shown)
      visitor.index("byWeightAndHalf", \.byWeightAndHalf)
      visitor.index("byNameAndRow", \.byNameAndRow)
      visitor.index("byClosure", \.byClosure)
      visitor.index("held", \.held)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

extension Ware {
  /// Changes one field. Strings with several spellings and the numbers 0 and -0 are equal, but have
  /// other bytes.
  fileprivate mutating func edit(_ random: inout SeededGenerator) {
    switch random.number(in: 0..<9) {
    case 0: counted.number = random.number(in: 0..<4)
    case 1: other = random.number(in: 0..<6)
    case 2: weight = [0, -0.0, 1, .nan][random.number(in: 0..<4)]
    case 3: name = ["", "é", "e\u{301}", "a name of more than 15 bytes"][random.number(in: 0..<4)]
    case 4: place = Place(isOpen: random.oneIn(2), row: random.number(in: 0..<3))
    case 5: rank = random.oneIn(2) ? nil : random.number(in: 0..<3)
    case 6: partID = random.oneIn(3) ? nil : Ware.EntityID(random.number(in: 0..<6))
    case 7:
      boxIDs = (0..<random.number(in: 0..<4)).map { _ in Ware.EntityID(random.number(in: 0..<6)) }
    default: isShown.toggle()
    }
  }
}

@Suite("Updates that keep keys")
struct UnchangedKeyTests {
  @Test("Law 22: an update that keeps a key neither compares nor hashes it")
  func comparesNothing() throws {
    var stock = Stock()
    try stock.performBatchUpdates { context in
      for id in 0..<200 {
        context.modifying.wares.insert(Ware(id: id, counted: CountedKey(number: id)))
      }
    }
    func uses(_ edit: (inout Ware) -> Void) throws -> Int {
      let uses = CountedKey.Uses()
      let held = stock
      try CountedKey.$uses.withValue(uses) {
        try stock.performBatchUpdates { context in
          for id in 0..<200 { context.modifying.wares.updateIfExists(id: .init(id), edit) }
        }
      }
      expectTrue(held != stock)
      return uses.count.load(ordering: .relaxed)
    }
    try expectEqual(uses { $0.other += 1 }, 0)
    try expectEqual(uses { $0.isShown.toggle() }, 0)
    #expect(try uses { $0.counted.number += 1_000 } > 200)
    expectEqual(stock.verify(), [])
  }

  @Test("Removing rows compares and hashes keys no more than twice as often as inserting them")
  func removalWork() throws {
    func uses(_ work: () throws -> Void) rethrows -> Int {
      let uses = CountedKey.Uses()
      try CountedKey.$uses.withValue(uses) { try work() }
      return uses.count.load(ordering: .relaxed)
    }
    for count in [10, 100, 1_000] {
      for isBatch in [true, false] {
        var random = SeededGenerator(seed: UInt64(count))
        let wares = (0..<count).map {
          Ware(id: $0, counted: CountedKey(number: random.number(in: 0..<count)))
        }
        var stock = Stock()
        let insertions = try uses {
          if isBatch { try stock.performBatchUpdates { $0.modifying.wares.insert(wares) } }
          for ware in isBatch ? [] : wares {
            try stock.performBatchUpdates { $0.modifying.wares.insert(ware) }
          }
        }
        let held = stock
        let removals = try uses {
          if isBatch {
            try stock.performBatchUpdates { $0.modifying.wares.remove(wares.map(\.entityID)) }
          }
          for ware in isBatch ? [] : wares {
            try stock.performBatchUpdates { $0.modifying.wares.remove(ware.entityID) }
          }
        }
        expectTrue(removals > 0 && removals <= 2 * insertions, "\(count) rows: \(insertions) uses")
        expectTrue(stock.verify() == [] && held.verify() == [])
      }
    }
  }

  @Test("Law 13: indexes and links match the rows whatever bytes of a row change")
  func randomEdits() throws {
    for seed in LawRuns(count: 7, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var stock = Stock()
      var held: [Stock] = []
      for step in 0..<30 {
        if random.oneIn(2) { held = [stock] } else { held = [] }
        try stock.performBatchUpdates { context in
          for _ in 0..<random.number(in: 1..<4) {
            let id = random.number(in: 0..<6)
            switch random.number(in: 0..<6) {
            case 0: context.modifying.wares.remove(.init(id))
            case 1:
              var ware = Ware(id: id, counted: CountedKey(number: 0))
              ware.edit(&random)
              context.modifying.wares.insert(ware)
            default:
              context.modifying.wares.updateIfExists(id: .init(id)) { $0.edit(&random) }
            }
          }
        }
        let defects = stock.verify().filter {
          if case .danglingReference = $0 { false } else { true }
        }
        expectEqual(defects, [], "seed \(seed), step \(step)")
        expectTrue(held.allSatisfy { $0.verify().allSatisfy(\.isDangling) }, "seed \(seed)")
      }
    }
  }
}

extension VerificationIssue {
  fileprivate var isDangling: Bool {
    if case .danglingReference = self { true } else { false }
  }
}
