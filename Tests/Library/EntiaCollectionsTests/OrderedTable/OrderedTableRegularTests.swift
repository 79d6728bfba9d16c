import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// Places that are computed instead of looked up. `invariantViolations()` compares both for every
/// position.
@Suite("PersistentOrderedTable: the regular prefix")
struct OrderedTableRegularTests {
  typealias Table = PersistentOrderedTable<SelfKeyed<IdentifiedKey<Int>>>

  static func table(_ keys: some Sequence<Int>) -> Table { Table(keys.map { IdentifiedKey($0) }) }

  /// The number of positions whose places are computed.
  static func regularCount(_ table: Table) -> Int {
    table.isTree ? Swift.min(Int(table.branches[0].header.pointee.regularEnd), table.count) : 0
  }

  @Test("A table that was built, or grew at its end, is regular", arguments: [33, 500, 5_000])
  func regularTables(count: Int) {
    let built = Self.table(0..<count)
    expectEqual(Self.regularCount(built), count)
    expectEqual(built.invariantViolations(), [])

    var appended = Table()
    for key in 0..<count { appended.append(IdentifiedKey(key)) }
    expectEqual(Self.regularCount(appended), count)
    expectEqual(appended.invariantViolations(), [])

    while appended.count > count / 2 { appended.remove(at: appended.count - 1) }
    for key in 0..<count { appended.append(IdentifiedKey(key + count)) }
    expectEqual(Self.regularCount(appended), appended.count)
    expectEqual(appended.invariantViolations(), [])
  }

  @Test("A change in the middle leaves the positions before it regular")
  func prefix() {
    let table = Self.table(0..<2_000)
    var changed = table
    changed.insert(IdentifiedKey(-1), at: 1_200)
    expectEqual(Self.regularCount(changed), 1_200)
    changed.move(from: 1_900, to: 1_000)
    expectEqual(Self.regularCount(changed), 1_000)
    changed.remove(IdentifiedKey(800))
    expectEqual(Self.regularCount(changed), 800)
    changed.removeSubrange(300..<420)
    expectEqual(Self.regularCount(changed), 300)
    changed.swapAt(10, 900)
    expectEqual(Self.regularCount(changed), 300)
    expectEqual(changed.invariantViolations(), [])
    expectEqual(Self.regularCount(table), 2_000)
    expectEqual(table.invariantViolations(), [])
  }

  @Test("The IDs of a regular array are regular, also while the last ones are removed")
  func copiedKeys() {
    typealias Row = Identified<Int, (Int, Int, Int, Int, Int)>
    for count in 29...60 {
      let array = IdentifiedArray(
        uniqueElements: (0..<count).map { Row(($0, 0, 0, 0, 0), id: $0) }, id: \.id)
      var ids = array.ids
      let held = ids
      expectEqual(Self.regularCount(ids.table), count)
      for id in (count / 2..<count).reversed() {
        ids.remove(id)
        expectEqual(ids.table.invariantViolations(), [], "\(count), \(id)")
        expectEqual(Array(ids), Array(0..<id))
      }
      ids.formUnion(1_000..<1_040)
      expectEqual(ids.table.invariantViolations(), [])
      expectEqual(held.table.invariantViolations(), [])
      expectTrue(held.elementsEqual(0..<count))
    }
  }

  @Test("Random changes near the end, with older versions held", arguments: [false, true])
  func histories(isBuilt: Bool) {
    for seed in 1...UInt64(scaled(10)) {
      var random = SplitMix(seed: seed)
      var model = Array(0..<Int.random(in: 20...300, using: &random))
      var table = Table()
      if isBuilt { table = Self.table(model) }
      for key in model { table.append(IdentifiedKey(key)) }
      var next = model.count
      var held: [(Table, [Int])] = []
      for step in 0..<400 {
        let position = Swift.max(0, model.count - Int.random(in: 0...40, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4:
          table.append(IdentifiedKey(next))
          model.append(next)
          next += 1
        case 4..<7:
          if model.isEmpty { continue }
          table.remove(at: model.count - 1)
          model.removeLast()
        case 7:
          table.insert(IdentifiedKey(next), at: position)
          model.insert(next, at: position)
          next += 1
        case 8 where position < model.count:
          table.remove(IdentifiedKey(model.remove(at: position)))
        case 9:
          let range = position..<Swift.min(model.count, position + 12)
          table.removeSubrange(range)
          model.removeSubrange(range)
        case 10 where position < model.count:
          table.move(from: position, to: model.count - 1)
          model.append(model.remove(at: position))
        default:
          if held.count > 3 { held.removeFirst() }
          held.append((table, model))
        }
        guard step % 20 == 0 else { continue }
        for (table, model) in held + [(table, model)] {
          let violations = table.invariantViolations()
          expectEqual(violations, [], "seed \(seed), step \(step)")
          expectEqual(table.map(\.id), model, "seed \(seed), step \(step)")
          if !violations.isEmpty { return }
        }
      }
    }
  }
}
