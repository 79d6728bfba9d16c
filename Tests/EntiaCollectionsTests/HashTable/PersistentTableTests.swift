import Testing

@testable import EntiaCollections

/// A key whose hash is as bad as a test wants it.
struct TestKey: TableKey {
  let value: Int
  var bits: UInt64 = .max
  var tableHash: UInt64 { HashMixing.hash(UInt64(value)) & bits }
}

/// A row with a reference in it, so that a lost retain or release shows.
struct TestRow: Equatable, Sendable {
  let key: TestKey
  var text: String
  var number: Int
}

enum TestRows: KeyedElements {
  static func key(of element: TestRow) -> TestKey { element.key }
}

/// A plain dictionary beside an order list: what a table must equal.
struct ModelTable: Equatable {
  var rows: [Int: TestRow] = [:]
  var order: [Int] = []

  mutating func updateOrInsert(_ row: TestRow) {
    if rows.updateValue(row, forKey: row.key.value) == nil { order.append(row.key.value) }
  }

  mutating func remove(_ key: Int) {
    guard rows.removeValue(forKey: key) != nil else { return }
    order.removeAll { $0 == key }
  }

  var elements: [TestRow] { order.compactMap { rows[$0] } }
}

typealias TestTable = PersistentTable<TestRows>

@Suite("PersistentTable")
struct PersistentTableTests {
  /// Hash masks: well mixed, few distinct chunks, all tags equal, all low bits equal.
  static let masks: [UInt64] = [.max, 0x7 << 32, 0, 0xFC00_0000 << 32]

  @Test(
    "Law 1, 2, 5, 6: a table equals its model after every step, and so does every version",
    arguments: masks, [3, 40, 700])
  func matchesModel(mask: UInt64, universe: Int) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed &* 977 &+ UInt64(universe))
      var table = TestTable()
      var model = ModelTable()
      var kept: [(TestTable, ModelTable)] = []
      for step in 0..<(universe * 6) {
        let value = Int.random(in: 0..<universe, using: &random)
        let key = TestKey(value: value, bits: mask)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let row = TestRow(key: key, text: "row \(value) with a long text", number: step)
          table.updateOrInsert(row)
          model.updateOrInsert(row)
        case 4..<6:
          table.update(key) { $0.text += "!" }
          model.rows[value]?.text += "!"
        case 6..<9:
          #expect(table.remove(key) == model.rows[value])
          model.remove(value)
        default:
          if kept.count < 4 {
            kept.append((table, model))
          } else {
            let index = Int.random(in: 0..<4, using: &random)
            // Histories fork: sometimes go on from an old version.
            let current = (table, model)
            if Bool.random(using: &random) { (table, model) = kept[index] }
            kept[index] = current
          }
        }
        // A full check costs the table's size: after every step for small ones only.
        guard universe < 100 || step % 50 == 0 else { continue }
        check(table, model, "seed \(seed), step \(step)")
        for (oldTable, oldModel) in kept where step % 10 == 0 {
          check(oldTable, oldModel, "seed \(seed), kept at step \(step)")
          checkDifferences(from: (oldTable, oldModel), to: (table, model), "seed \(seed)")
        }
      }
    }
  }

  func check(_ table: TestTable, _ model: ModelTable, _ place: String) {
    #expect(table.count == model.rows.count, "\(place)")
    #expect(Array(table) == model.elements, "\(place)")
    let wrong = model.rows.values.first { table[$0.key] != $0 }
    #expect(wrong == nil, "\(place)")
    #expect(table.invariantViolations() == [], "\(place)")
  }

  func checkDifferences(
    from old: (TestTable, ModelTable), to new: (TestTable, ModelTable), _ place: String
  ) {
    var expected: [Int: TableDifference<TestRow>] = [:]
    for (value, row) in new.1.rows {
      guard let before = old.1.rows[value] else {
        expected[value] = .inserted(row)
        continue
      }
      if before != row { expected[value] = .updated(old: before, new: row) }
    }
    for (value, row) in old.1.rows where new.1.rows[value] == nil {
      expected[value] = .removed(row)
    }
    let found = new.0.differences(from: old.0)
    #expect(found.count == expected.count, "\(place)")
    let wrong = found.first { expected[$0.key] != $0 }
    #expect(wrong == nil, "\(place)")
    #expect((old.0 == new.0) == (old.1.rows == new.1.rows), "\(place)")
  }

  @Test("A version is not changed by what happens to its copy, however deep the tree")
  func copiesAreIndependent() {
    var table = TestTable()
    for value in 0..<20_000 {
      table.updateOrInsert(TestRow(key: TestKey(value: value), text: "t", number: value))
    }
    let before = table
    for value in stride(from: 0, to: 20_000, by: 7) { table.remove(TestKey(value: value)) }
    for value in 0..<20_000 { table.update(TestKey(value: value)) { $0.number += 1 } }
    #expect(before.count == 20_000)
    #expect(before.map(\.number) == Array(0..<20_000))
    #expect(table.invariantViolations() == [])
    #expect(before.invariantViolations() == [])
  }

  @Test("Law 4: an update, a comparison and a difference touch only the path to what changed")
  func workIsBounded() {
    func work(rows: Int) -> (update: Int, compare: Int) {
      var table = TestTable(
        (0..<rows).map { TestRow(key: TestKey(value: $0), text: "t", number: $0) })
      let old = table
      let update = TableWork.counting { table.update(TestKey(value: rows / 2)) { $0.number = -1 } }
      let compare = TableWork.counting {
        #expect(table != old)
        #expect(table.differences(from: old).count == 1)
      }
      return (update.copiedNodes, compare.visitedNodes)
    }
    let small = work(rows: 1_000)
    let large = work(rows: 64_000)
    #expect(small.update <= 3)
    #expect(large.update <= 5)
    #expect(large.compare <= 2 * large.update)
  }

  @Test("Nothing is copied while the table is not shared")
  func uniqueUpdatesCopyNothing() {
    var table = TestTable(
      (0..<5_000).map { TestRow(key: TestKey(value: $0), text: "t", number: 0) })
    let work = TableWork.counting {
      for value in 0..<5_000 { table.update(TestKey(value: value)) { $0.number += 1 } }
      for value in 0..<1_000 { table.remove(TestKey(value: value)) }
    }
    #expect(work.copiedNodes == 0)
  }

  @Test("Differences keep the order of rows when the tree grew or shrank")
  func orderOfDifferences() {
    func rows(_ range: Range<Int>) -> TestTable {
      TestTable(range.map { TestRow(key: TestKey(value: $0), text: "t", number: $0) })
    }
    for (old, new) in [(10, 3_000), (200, 300), (3_000, 10), (0, 300)] {
      let small = rows(0..<min(old, new))
      var large = small
      for value in min(old, new)..<max(old, new) {
        large.updateOrInsert(TestRow(key: TestKey(value: value), text: "t", number: value))
      }
      let (from, to) = old < new ? (small, large) : (large, small)
      #expect(
        to.differences(from: from).map(\.key) == Array(min(old, new)..<max(old, new)),
        "\(old) to \(new)")
    }
  }

  @Test("After a mass removal the survivors are walked without walking what is gone")
  func massRemoval() {
    var table = TestTable(
      (0..<20_000).map { TestRow(key: TestKey(value: $0), text: "t", number: $0) })
    let before = table
    for value in 0..<20_000 where value % 2_000 != 7 { table.remove(TestKey(value: value)) }
    #expect(table.nextSlot < 2_000)
    #expect(table.map(\.number) == Array(stride(from: 7, to: 20_000, by: 2_000)))
    #expect(table.invariantViolations() == [])
    #expect(before.count == 20_000)
  }

  @Test("Dead slots do not grow without bound")
  func deadSlotsAreSqueezedOut() {
    var table = TestTable()
    for value in 0..<30_000 {
      table.updateOrInsert(TestRow(key: TestKey(value: value), text: "t", number: value))
      if value >= 10 { table.remove(TestKey(value: value - 10)) }
    }
    #expect(table.count == 10)
    #expect(table.nextSlot < 2_000)
    #expect(table.map(\.number) == Array(29_990..<30_000))
  }
}

extension TableDifference<TestRow> {
  var key: Int {
    switch self {
    case .inserted(let row), .removed(let row): row.key.value
    case .updated(_, let new): new.key.value
    }
  }
}
