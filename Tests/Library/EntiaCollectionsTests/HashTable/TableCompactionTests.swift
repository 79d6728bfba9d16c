import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// Rows whose keys are asked for only by what stores or moves them, not by what looks for them.
private enum CountingRows: KeyedElements {
  static func key(of element: Int) -> ProofKey {
    Comparisons.note()
    return ProofKey(element, .good)
  }

  static func matches(_ element: Int, _ key: ProofKey) -> Bool { element == key.value }
}

@Suite("PersistentTable: compaction")
struct TableCompactionTests {
  private typealias Table = PersistentTable<CountingRows>

  enum Discipline: CaseIterable {
    case queue
    case stack
    case random
    /// The rows that were inserted first stay.
    case behindOldRows
  }

  private func key(_ value: Int) -> ProofKey { ProofKey(value, .good) }

  /// The most slots that a table may have for its count after removals.
  private func slotBound(_ count: Int) -> Int { 4 * count + 2 * Table.toleratedSlots }

  /// The most slots that a table may have while as many rows are inserted as removed: insertions
  /// start a compaction at three slots for two rows, and a few follow until it ends.
  private func steadySlotBound(_ count: Int) -> Int { 2 * count + 2 * Table.toleratedSlots }

  @Test(
    "After a million insertions and removals: few slots, the right order, few moves at a time",
    arguments: Discipline.allCases, [3, 100, 900])
  func manyPairs(discipline: Discipline, count: Int) throws {
    let pairs = (TestRuns.isOptimized ? 250_000 : 2_000) * (try TestRuns.scale)
    var random = SplitMix(seed: UInt64(count))
    var table = Table(0..<count)
    // Without order but for the queue and the stack, so that a model costs nothing.
    var present = Array(0..<count)
    var first = 0
    for value in count..<count + pairs {
      let inserting = Comparisons.counting { table.updateOrInsert(value) }
      // One is the new row's own key.
      if inserting > Table.movesPerOperation + 1 {
        Issue.record("inserting \(value) moved \(inserting - 1) rows")
        return
      }
      present.append(value)
      let victim: Int
      switch discipline {
      case .queue:
        victim = present[first]
        first += 1
      case .stack: victim = present.removeLast()
      case .random:
        present.swapAt(Int.random(in: 0...count, using: &random), count)
        victim = present.removeLast()
      case .behindOldRows:
        present.swapAt(count - 1, count)
        victim = present.removeLast()
      }
      let removing = Comparisons.counting { table.remove(key(victim)) }
      if removing > Table.movesPerOperation || table.nextSlot > steadySlotBound(count) {
        Issue.record("removing \(victim) moved \(removing) rows; \(table.nextSlot) slots")
        return
      }
    }
    // Every value was inserted once, in ascending order.
    expectEqual(Array(table), present[first...].sorted())
    expectEqual(table.invariantViolations(), [])
    expectNil(table.structureProblem())
  }

  @Test("A table that shrinks from any end moves few rows at a time, and its slots follow")
  func shrinking() {
    for stride in [1, 7, 501] {
      var table = Table(0..<2_003)
      for turn in 0..<2_000 {
        // The strides and the count have no common divisor.
        let victim = turn * stride % 2_003
        let moves = Comparisons.counting { table.remove(key(victim)) }
        if moves > Table.movesPerOperation || table.count != 2_002 - turn {
          Issue.record("removing \(victim) moved \(moves) rows")
        }
      }
      #expect(table.nextSlot <= slotBound(3))
      expectEqual(Array(table), (2_000..<2_003).map { $0 * stride % 2_003 }.sorted())
      expectEqual(table.invariantViolations(), [])
      table.remove(Array(table).map(key)[0])
      table.remove(Array(table).map(key)[0])
      table.remove(Array(table).map(key)[0])
      expectTrue(table.isEmpty && table.root == nil && table.nextSlot == 0)
    }
  }

  /// A table that is about to be compacted, or in the midst of it.
  private func tableAtThreshold(rows: Int, steps: Int) -> Table {
    var table = Table(0..<rows)
    var value = 0
    while !table.isCompacting {
      table.remove(key(value))
      value += 1
      // Every eighth stays, so that there is something to move.
      if value % 8 == 0 { value += 1 }
    }
    for new in 0..<steps where table.isCompacting { table.updateOrInsert(rows + new) }
    return table
  }

  @Test(
    "Each fork of a table at the threshold pays for a bounded number of rows and nodes",
    arguments: [0, 3, 40])
  func forks(steps: Int) {
    let table = tableAtThreshold(rows: 20_000, steps: steps)
    expectTrue(table.isCompacting)
    let order = Array(table)
    for fork in 0..<50 {
      var copy = table
      var moves = 0
      let work = TableWork.counting {
        moves = Comparisons.counting {
          copy.updateOrInsert(100_000 + fork)
          copy.remove(key(order[fork]))
        }
      }
      // The path to each moved row and its target, in both trees.
      let height = Int(copy.levels) + 2
      if moves > 2 * Table.movesPerOperation + 1
        || work.copiedNodes > (2 * Table.movesPerOperation + 2) * (2 * height + 3)
      {
        Issue.record("fork \(fork): \(moves) keys, \(work.copiedNodes) nodes copied")
      }
      if fork % 10 == 0 {
        expectEqual(copy.invariantViolations(), [])
        expectNil(copy.structureProblem())
        expectEqual(Array(copy), order.filter { $0 != order[fork] } + [100_000 + fork])
      }
    }
    expectEqual(Array(table), order)
    expectEqual(table.invariantViolations(), [])
  }

  @Test("A table that no operation touches any more is not compacted by being read")
  func readingDoesNotCompact() {
    let table = tableAtThreshold(rows: 2_000, steps: 3)
    let copy = table
    expectTrue(table == copy && table.differences(from: copy).isEmpty)
    expectEqual(Array(copy), Array(table))
    expectTrue(table.gapEnd == copy.gapEnd && table.isIdentical(to: copy))
  }
}
