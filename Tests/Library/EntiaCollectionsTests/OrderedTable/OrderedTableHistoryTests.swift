import EntiaTestSupport
import Testing

@testable import EntiaCollections

typealias OrderedTestTable = PersistentOrderedTable<TestRows>

/// Random histories of an ordered table beside an array that it must equal.
@Suite("PersistentOrderedTable: histories")
struct OrderedTableHistoryTests {
  /// Hash masks: well mixed, few distinct chunks, all tags equal, all low bits equal.
  static let masks: [UInt64] = [.max, 0x7 << 32, 0, 0xFC00_0000 << 32]

  @Test(
    "Law 1, 2, 5: a table equals its model after every step, and so does every version",
    arguments: masks, [3, 40, 700])
  func matchesModel(mask: UInt64, universe: Int) {
    for seed in 1...UInt64(scaled(1)) {
      var history = OrderedHistory(seed: seed &* 977 &+ UInt64(universe), mask, universe)
      for step in 0..<(universe * 6) {
        history.step(step)
        // A check costs the table's size: after every step for small ones only.
        guard universe < 100 || step % 150 == 0 else { continue }
        let violation = history.violation(ofVersions: universe > 100 || step % 8 == 0)
        expectNil(violation, "seed \(seed), step \(step)")
        if violation != nil { return }
      }
      expectNil(history.violation(), "seed \(seed), at the end")
    }
  }

  @Test("Many leaves and several levels of branches come and go as they should")
  func largeHistories() {
    for seed in 1...UInt64(scaled(1)) {
      var history = OrderedHistory(seed: seed, .max, 16_000)
      history.build(12_000)
      for step in 0..<2_000 {
        history.step(step)
        guard step == 999 else { continue }
        expectNil(history.violation(), "seed \(seed), step \(step)")
      }
      history.shrink(to: 5)
      expectNil(history.violation(), "seed \(seed), shrunk")
    }
  }
}

/// A table, an array that it must equal, and kept versions of both.
struct OrderedHistory {
  var random: SplitMix
  let mask: UInt64
  let universe: Int
  var table = OrderedTestTable()
  var model: [TestRow] = []
  var kept: [(OrderedTestTable, [TestRow])] = []

  init(seed: UInt64, _ mask: UInt64, _ universe: Int) {
    random = SplitMix(seed: seed)
    self.mask = mask
    self.universe = universe
  }

  func row(_ value: Int, _ number: Int) -> TestRow {
    TestRow(
      key: TestKey(value: value, bits: mask), text: "row \(value) with a long text", number: number)
  }

  func position(of value: Int) -> Int? { model.firstIndex { $0.key.value == value } }

  mutating func build(_ count: Int) {
    model = (0..<count).shuffled(using: &random).map { row($0, $0) }
    table = OrderedTestTable(model)
  }

  mutating func shrink(to count: Int) {
    while table.count > count {
      let position = Int.random(in: 0..<table.count, using: &random)
      let length = Swift.min(Int.random(in: 1...90, using: &random), table.count - position)
      table.removeSubrange(position..<(position + length))
      model.removeSubrange(position..<(position + length))
    }
  }

  mutating func step(_ step: Int) {
    let value = Int.random(in: 0..<universe, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<4: insert(row(value, step))
    case 4: append(row(value, step))
    case 5..<8: remove(value)
    case 8..<10: move()
    case 10: swap()
    case 11: replace(step)
    case 12: update(value)
    case 13: removeRange()
    default: version()
    }
  }

  mutating func insert(_ row: TestRow) {
    // The ends and runs at one place are where leaves are split otherwise.
    let at = [0, model.count, Int.random(in: 0...model.count, using: &random)]
    let position = at[Int.random(in: 0..<3, using: &random)]
    let known = self.position(of: row.key.value)
    if Bool.random(using: &random) {
      let result = table.insert(row, at: position)
      expectEqual(result, known)
      if known == nil { model.insert(row, at: position) }
    } else {
      let result = table.updateOrInsert(row, at: position)
      expectEqual(result.position, known ?? position)
      expectEqual(result.replaced, known.map { model[$0] })
      if let known { model[known] = row } else { model.insert(row, at: position) }
    }
  }

  mutating func append(_ row: TestRow) {
    let known = position(of: row.key.value)
    expectEqual(table.updateOrAppend(row), known.map { model[$0] })
    if let known { model[known] = row } else { model.append(row) }
  }

  mutating func remove(_ value: Int) {
    if let position = position(of: value) {
      let row = model.remove(at: position)
      expectEqual(value % 2 == 0 ? table.remove(row.key) : table.remove(at: position), row)
    } else {
      expectNil(table.remove(TestKey(value: value, bits: mask)))
    }
  }

  mutating func move() {
    if model.isEmpty { return }
    let from = Int.random(in: 0..<model.count, using: &random)
    let to = Int.random(in: 0..<model.count, using: &random)
    table.move(from: from, to: to)
    model.insert(model.remove(at: from), at: to)
  }

  mutating func swap() {
    if model.isEmpty { return }
    let first = Int.random(in: 0..<model.count, using: &random)
    let second = Int.random(in: 0..<model.count, using: &random)
    table.swapAt(first, second)
    model.swapAt(first, second)
  }

  mutating func range(_ longest: Int) -> Range<Int> {
    let start = Int.random(in: 0...model.count, using: &random)
    let length = Int.random(in: 0...longest, using: &random)
    return start..<Swift.min(start + length, model.count)
  }

  mutating func removeRange() {
    if Int.random(in: 0..<4, using: &random) > 0 { return }
    let range = range(50)
    table.removeSubrange(range)
    model.removeSubrange(range)
  }

  mutating func replace(_ step: Int) {
    let range = range(20)
    let count = Int.random(in: 0..<20, using: &random)
    let rows = (0..<count).map { _ in row(Int.random(in: 0..<universe, using: &random), step) }
    let leftOut = table.replaceSubrange(range, with: rows)
    model.removeSubrange(range)
    var position = range.lowerBound
    var known = Set(model.map(\.key.value))
    var expected: [TestRow] = []
    for row in rows {
      guard known.insert(row.key.value).inserted else {
        expected.append(row)
        continue
      }
      model.insert(row, at: position)
      position += 1
    }
    expectEqual(leftOut, expected)
  }

  mutating func update(_ value: Int) {
    let key = TestKey(value: value, bits: mask)
    guard let position = position(of: value) else {
      expectNil(table.update(key) { $0.text += "!" })
      return
    }
    model[position].text += "!"
    if value % 2 == 0 {
      table.update(key) { $0.text += "!" }
    } else {
      table[position: position].text += "!"
    }
  }

  /// Histories fork: sometimes one goes on from an old version.
  mutating func version() {
    if kept.count < 4 {
      kept.append((table, model))
      return
    }
    let index = Int.random(in: 0..<4, using: &random)
    let current = (table, model)
    if Bool.random(using: &random) { (table, model) = kept[index] }
    kept[index] = current
  }

  /// The first thing that is wrong with the table or, if they are checked, a kept version.
  func violation(ofVersions: Bool = true) -> String? {
    for (index, version) in ([(table, model)] + (ofVersions ? kept : [])).enumerated() {
      let (table, model) = version
      if table.count != model.count { return "\(index): count \(table.count), \(model.count)" }
      if Array(table) != model { return "\(index): other elements" }
      for position in stride(from: 0, to: model.count, by: model.count / 500 + 1) {
        let row = model[position]
        if table[position: position] != row { return "\(index): element at \(position)" }
        if table[row.key] != row { return "\(index): element by key at \(position)" }
      }
      if let violation = table.invariantViolations().first { return "\(index): \(violation)" }
    }
    return nil
  }
}
