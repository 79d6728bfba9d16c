import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("PersistentTable: filling a new table")
struct TableFillingTests {
  private typealias Table = TestTable

  @Test(
    "Law: a new table equals one built by single insertions, in its rows, order and structure",
    arguments: [UInt64.max, 3 << 40, 0, 63 << 33], [0, 1, 4, 5, 16, 17, 256, 300, 1_000, 5_000])
  func equalsSingleInsertions(bits: UInt64, count: Int) {
    var random = SplitMix(seed: UInt64(count) ^ bits)
    // Without spread hashes every look-up compares all rows.
    if bits != .max, count > 300 { return }
    for keys in [max(1, count), max(1, count / 3), 2] {
      let rows = (0..<count).map { number in
        TestRow(
          key: TestKey(value: Int(random.next() % UInt64(keys)), bits: bits),
          text: "a text that is not stored inline \(number)", number: number)
      }
      var expected = Table()
      for row in rows { expected.updateOrInsert(row) }
      // An array gives its count in advance; a stateful sequence gives none.
      var rest = rows[...]
      for table in [Table(rows), Table(AnySequence { AnyIterator { rest.popFirst() } })] {
        expectEqual(Array(table), Array(expected), "bits \(bits), \(count) rows, \(keys) keys")
        expectEqual(table.count, expected.count)
        expectEqual(table, expected)
        expectNil(table.structureProblem())
        expectTrue(rows.allSatisfy { table[$0.key] == expected[$0.key] })
        expectNil(table[TestKey(value: keys, bits: bits)])
        var copy = table
        for row in rows.prefix(20) { copy.remove(row.key) }
        copy.updateOrInsert(
          TestRow(key: TestKey(value: 1_000_000, bits: bits), text: "new", number: -1))
        expectNil(copy.structureProblem())
        expectEqual(Array(table), Array(expected), "the version is unchanged")
      }
    }
  }
}
