import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// A row so large that a page has four, so that few rows make a high tree.
private struct LargeRow: Equatable {
  var key: Int
  var value = 0
  var padding = Padding()

  struct Padding: Equatable {
    var words: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
    var others: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

    static func == (lhs: Self, rhs: Self) -> Bool { true }
  }
}

private enum LargeRows: KeyedElements {
  static func key(of element: LargeRow) -> IdentifiedKey<Int> { IdentifiedKey(element.key) }
}

@Suite("PersistentTable: rows that only one version owns")
struct TableOwnershipTests {
  private typealias Table = PersistentTable<LargeRows>

  /// Returns the keys of the rows that a lookup for changing them finds to be owned.
  private func owned(_ keys: [Int], in table: inout Table) -> [Int] {
    var result: [Int] = []
    for key in keys where table.locate(IdentifiedKey(key)).owned != nil { result.append(key) }
    return result
  }

  @Test(
    "a row is owned unless another version shares its page", arguments: [3, 60, 16_000, 262_145])
  func sharedPages(count: Int) {
    var table = Table((0..<count).map { LargeRow(key: $0) })
    // The last argument makes a tree of the height above those whose walk is unrolled.
    expectTrue(count < 262_145 || table.height == 4)
    let keys = [0, count / 3, count - 1]
    let missing = table.locate(IdentifiedKey(count))
    expectTrue(missing.slot == -1 && missing.owned == nil)
    let ofNew = owned(keys, in: &table)
    expectEqual(ofNew, keys)

    var copy = table
    let ofShared = owned(keys, in: &table) + owned(keys, in: &copy)
    expectTrue(ofShared.isEmpty)
    copy.update(IdentifiedKey(0)) { $0.value = 1 }
    // All rows of the smallest table are in one page.
    let expected = count == 3 ? keys : [0]
    let ofOld = owned(keys, in: &table)
    let ofChanged = owned(keys, in: &copy)
    expectEqual(ofOld, expected)
    expectEqual(ofChanged, expected)
    expectEqual(table[IdentifiedKey(0)]?.value, 0)
    expectEqual(copy[IdentifiedKey(0)]?.value, 1)
    expectTrue(table != copy)

    copy = Table()
    let ofLast = owned(keys, in: &table)
    expectEqual(ofLast, keys)
  }

  @Test("versions that differ in one page share the other pages of its node")
  func neighboringPages() {
    var table = Table((0..<20_000).map { LargeRow(key: $0) })
    var copy = table
    copy.update(IdentifiedKey(9_000)) { $0.value = 1 }
    let keys = [0, 8_999, 9_000, 9_003, 9_004, 9_100, 12_000]
    let ofOld = owned(keys, in: &table)
    let ofChanged = owned(keys, in: &copy)
    expectEqual(ofOld, [9_000, 9_003])
    expectEqual(ofChanged, [9_000, 9_003])
    expectTrue(copy != table)
    table.update(IdentifiedKey(9_000)) { $0.value = 1 }
    expectEqual(copy, table)
  }
}
