import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("PersistentOrderedTable")
struct OrderedTableTests {
  static func rows(_ range: Range<Int>) -> OrderedTestTable {
    OrderedTestTable(range.map { TestRow(key: TestKey(value: $0), text: "t", number: $0) })
  }

  static func row(_ value: Int) -> TestRow {
    TestRow(key: TestKey(value: value), text: "t", number: value)
  }

  @Test(
    "Every insertion, removal and move at every place, alone and beside a copy",
    arguments: [false, true])
  func exhaustive(isShared: Bool) {
    let leaf = OrderedLeafHandle<TestRow>.capacity
    for count in [0, 1, 2, 3, 5, leaf - 1, leaf, leaf + 1, 2 * leaf, 3 * leaf + 1] {
      let model = Array(0..<count)
      let rows = Self.rows(0..<count)
      // Of the moves in large tables every third one is made, unless the tests are scaled.
      let step = count > leaf && !isScaled ? 3 : 1
      func check(_ place: String, _ change: (inout OrderedTestTable, inout [Int]) -> Void) {
        var table = isShared ? rows : Self.rows(0..<count)
        let before = isShared ? table : OrderedTestTable()
        var expected = model
        change(&table, &expected)
        expectEqual(table.map(\.number), expected, "\(count) \(place)")
        expectEqual(table.invariantViolations(), [], "\(count) \(place)")
        guard isShared else { return }
        expectEqual(before.map(\.number), model, "\(count) \(place), the copy")
        expectEqual(table == before, expected == model, "\(count) \(place), equality")
      }
      for position in 0...count {
        check("insert at \(position)") {
          $0.insert(Self.row(1_000_000), at: position)
          $1.insert(1_000_000, at: position)
        }
      }
      for position in 0..<count {
        check("remove at \(position)") {
          $0.remove(at: position)
          $1.remove(at: position)
        }
        for target in stride(from: (count - position) % step, to: count, by: step) {
          check("move \(position) to \(target)") {
            $0.move(from: position, to: target)
            $1.insert($1.remove(at: position), at: target)
          }
        }
        check("remove a run at \(position)") {
          let range = position..<Swift.min(count, position + leaf)
          $0.removeSubrange(range)
          $1.removeSubrange(range)
        }
      }
    }
  }

  @Test("Runs of insertions leave full leaves behind")
  func runsFillLeaves() {
    let capacity = OrderedLeafHandle<TestRow>.capacity
    var appended = OrderedTestTable()
    for value in 0..<4_000 { appended.append(Self.row(value)) }
    expectEqual(Int(appended.leaves.limit), (4_000 + capacity - 1) / capacity)
    var prepended = OrderedTestTable()
    for value in 0..<4_000 { prepended.insert(Self.row(value), at: 0) }
    expectEqual(prepended.map(\.number), (0..<4_000).reversed())
    #expect(Int(prepended.leaves.limit) <= 4_000 / capacity * 11 / 10)
    var middle = Self.rows(0..<1_000)
    for value in 0..<4_000 { middle.insert(Self.row(10_000 + value), at: 500 + value) }
    #expect(Int(middle.leaves.limit) <= 5_000 / capacity * 11 / 10)
    for table in [appended, prepended, middle] {
      expectEqual(table.invariantViolations(), [])
    }
  }

  @Test("Law 4: what a change copies and a comparison visits does not grow with the table")
  func workIsBounded() {
    func work(_ count: Int, _ change: (inout OrderedTestTable) -> Void) -> (Int, Int) {
      var table = Self.rows(0..<count)
      let old = table
      let copied = TableWork.counting { change(&table) }.copiedNodes
      let visited = TableWork.counting {
        _ = table == old
        _ = table.differences(from: old)
      }.visitedNodes
      return (copied, visited)
    }
    func expect(_ name: String, _ change: (inout OrderedTestTable) -> Void) {
      let small = work(2_000, change)
      let large = work(60_000, change)
      #expect(small.0 <= 30, "\(name)")
      #expect(large.0 <= 2 * small.0 + 8, "\(name)")
      #expect(large.1 <= 4 * large.0 + 40, "\(name)")
    }
    expect("update") { $0[position: 1_000].number = -1 }
    expect("insert") { $0.insert(Self.row(1_000_000), at: 1_000) }
    expect("remove") { $0.remove(at: 1_000) }
    expect("move") { $0.move(from: 1_000, to: 10) }
  }

  @Test("Equality visits little where versions differ at both ends")
  func equalityWorkIsBounded() {
    let old = Self.rows(0..<60_000)
    var new = old
    new.move(from: 59_999, to: 0)
    new.move(from: 0, to: 59_999)
    let work = TableWork.counting { expectEqual(new, old) }
    #expect(work.visitedNodes < 300)
  }

  @Test("Nothing is copied while the table is not shared")
  func uniqueChangesCopyNothing() {
    var table = Self.rows(0..<5_000)
    let work = TableWork.counting {
      for value in 0..<1_000 {
        table[position: value].number += 1
        table.insert(Self.row(10_000 + value), at: value * 3)
        table.move(from: value, to: 4_000)
        table.remove(at: value)
      }
    }
    expectEqual(work.copiedNodes, 0)
    expectEqual(table.invariantViolations(), [])
  }

  @Test("A table that shrinks gives its leaves and levels back")
  func shrinking() {
    var table = Self.rows(0..<20_000)
    let before = table
    while table.count > 3 { table.remove(at: table.count / 2) }
    expectFalse(table.isTree)
    expectEqual(table.leaves.limit, 1)
    expectTrue(table.map(\.number) == [0, 1, 19_999] || table.count == 3)
    expectEqual(table.invariantViolations(), [])
    table.remove(at: 0)
    table.removeSubrange(0..<2)
    expectNil(table.leaves.root)
    expectEqual(before.count, 20_000)
    expectEqual(before.invariantViolations(), [])
    table = before
    while table.count > 500 { table.removeSubrange(100..<160) }
    #expect(table.leaves.limit < 400)
    expectEqual(table.invariantViolations(), [])
  }

  @Test("Small tables are small")
  func sizes() {
    #expect(MemoryLayout<OrderedTestTable>.size <= 56)
    #expect(MemoryLayout<IdentifiedArray<Int, Int>>.size <= 64)
    let ten = IdentifiedArray(uniqueElements: 0..<10, id: \.self)
    expectFalse(ten.table.isTree)
    typealias Leaves = OrderedLeafHandle<KeyValueEntry<IdentifiedKey<Int>, Int>>
    let room = Int(ten.table.leaves[0].header.pointee.room)
    let bytes = 24 + Leaves.capacity * 4 + room * 16
    #expect(bytes <= 2 * 10 * MemoryLayout<Int>.stride + 256)
  }

  @Test("Iteration can begin anywhere, and covers everything in order")
  func iteration() {
    let table = Self.rows(0..<3_000)
    for start in stride(from: 0, through: 3_000, by: 7) {
      var iterator = OrderedTestTable.Iterator(table, from: start)
      expectEqual(iterator.next()?.number, start < 3_000 ? start : nil)
    }
    var numbers: [Int] = []
    func see(_ row: TestRow) { numbers.append(row.number) }
    table.forEach(see)
    expectEqual(numbers, Array(0..<3_000))
  }

  @Test("A move is one element, whatever it passes")
  func movesAreFew() {
    let old = Self.rows(0..<2_000)
    var new = old
    new.move(from: 1_900, to: 3)
    var difference = new.differences(from: old)
    expectEqual(difference.moved.map(\.id.value), [1_900])
    expectEqual(difference.moved.map(\.from), [1_900])
    expectEqual(difference.moved.map(\.to), [3])
    expectTrue(difference.inserted.isEmpty && difference.removed.isEmpty)
    // Also between tables that share nothing.
    difference = OrderedTestTable(Array(new)).differences(from: OrderedTestTable(Array(old)))
    expectEqual(difference.moved.map(\.id.value), [1_900])
    expectEqual(longestIncreasingSubsequence(of: [3, 1, 2, 5, 4]).count, 3)
    expectEqual(longestIncreasingSubsequence(of: []), [])
  }
}
