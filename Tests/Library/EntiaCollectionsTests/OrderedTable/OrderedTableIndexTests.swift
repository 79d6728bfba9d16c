import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// The entries of the index, whose offsets are hints.
@Suite("PersistentOrderedTable: the index")
struct OrderedTableIndexTests {
  typealias Table = OrderedTableRegularTests.Table

  /// The number of keys whose entries have the right offsets.
  static func exactCount(_ table: Table) -> Int {
    var count = 0
    for key in table {
      let tag = table.tag(of: key)
      guard let place = table.place(of: key, tag: tag) else { continue }
      if table.index.find(tag, { $0 == Table.indexEntry(place.leaf, place.offset) }) >= 0 {
        count += 1
      }
    }
    return count
  }

  @Test("Entries are exact where a table was built, grew at its end, or was only split and merged")
  func exactEntries() {
    let built = OrderedTableRegularTests.table(0..<2_000)
    expectEqual(Self.exactCount(built), 2_000)
    var table = Table()
    for key in 0..<2_000 { table.append(IdentifiedKey(key)) }
    expectEqual(Self.exactCount(table), 2_000)
    while table.count > 40 { table.remove(at: table.count - 1) }
    expectEqual(Self.exactCount(table), 40)
    expectEqual(table.invariantViolations(), [])

    // A split after an insertion enters the offsets of the moved half anew.
    var split = built
    split.insert(IdentifiedKey(-1), at: 1_000)
    #expect(Self.exactCount(split) >= 2_001 - 32)
    expectEqual(split.invariantViolations(), [])
    expectEqual(Self.exactCount(built), 2_000)
  }

  @Test("Wrong offsets mislead no look-up and no removal", arguments: [false, true])
  func wrongOffsets(isShared: Bool) {
    var table = OrderedTableRegularTests.table(0..<1_000)
    var model = Array(0..<1_000)
    var held: [(Table, [Int])] = []
    // Every leaf loses its first element, so that all other offsets are wrong.
    var position = 0
    while position < table.count {
      if isShared { held.append((table, model)) }
      table.remove(at: position)
      model.remove(at: position)
      position += 20
    }
    #expect(Self.exactCount(table) < 500)
    expectEqual(table.invariantViolations(), [])
    for (index, key) in model.enumerated() {
      expectEqual(table.position(of: IdentifiedKey(key)), index)
    }
    for index in stride(from: 0, to: model.count - 1, by: 2) {
      table.swapAt(index, index + 1)
      model.swapAt(index, index + 1)
    }
    expectEqual(table.invariantViolations(), [])
    while let key = model.popLast() {
      let removed = table.remove(IdentifiedKey(key))
      expectEqual(removed?.id, key)
      expectFalse(table.contains(IdentifiedKey(key)))
      if model.count % 100 == 0 { expectEqual(table.invariantViolations(), []) }
    }
    expectTrue(table.isEmpty)
    for (version, model) in held {
      expectEqual(version.map(\.id), model)
      expectEqual(version.invariantViolations(), [])
    }
  }
}
