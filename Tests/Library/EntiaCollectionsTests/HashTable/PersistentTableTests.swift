import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// A key whose hash is as bad as a test wants it.
struct TestKey: TableKey {
  let value: Int
  var bits: UInt64 = .max
  func tableHash(seed: UInt64) -> UInt64 { HashMixing.hash(UInt64(value), seed: seed) & bits }
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

typealias TestTable = PersistentTable<TestRows>

@Suite("PersistentTable")
struct PersistentTableTests {
  @Test("A version is not changed by what happens to its copy, however deep the tree")
  func copiesAreIndependent() {
    var table = TestTable()
    for value in 0..<20_000 {
      table.updateOrInsert(TestRow(key: TestKey(value: value), text: "t", number: value))
    }
    let before = table
    for value in stride(from: 0, to: 20_000, by: 7) { table.remove(TestKey(value: value)) }
    for value in 0..<20_000 { table.update(TestKey(value: value)) { $0.number += 1 } }
    expectEqual(before.count, 20_000)
    expectEqual(before.map(\.number), Array(0..<20_000))
    expectEqual(table.invariantViolations(), [])
    expectEqual(before.invariantViolations(), [])
  }

  @Test("Law 4: an update, a comparison and a difference touch only the path to what changed")
  func workIsBounded() {
    func work(rows: Int) -> (update: Int, compare: Int) {
      var table = TestTable(
        (0..<rows).map { TestRow(key: TestKey(value: $0), text: "t", number: $0) })
      let old = table
      let update = TableWork.counting { table.update(TestKey(value: rows / 2)) { $0.number = -1 } }
      let compare = TableWork.counting {
        expectTrue(table != old)
        expectEqual(table.differences(from: old).count, 1)
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
    expectEqual(work.copiedNodes, 0)
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
      expectEqual(
        to.differences(from: from).map(\.key), Array(min(old, new)..<max(old, new)),
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
    expectEqual(table.map(\.number), Array(stride(from: 7, to: 20_000, by: 2_000)))
    expectEqual(table.invariantViolations(), [])
    expectEqual(before.count, 20_000)
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
