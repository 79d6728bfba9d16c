import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Insertion of a sequence into a table")
struct TableSequenceInsertionTests {
  /// Rows with few IDs and few names, so that some repeat an ID and some an earlier row.
  private static func authors(_ count: Int, ids: Int, seed: Int) -> [Author] {
    (0..<count).map { number in
      let mixed = (number + seed) &* 0x1E37_79B9_7F4A_7C15 >> 20 & 0xFFFF_FFFF
      return Author(
        id: "an author's ID that is not stored inline \(mixed % ids)",
        name: "name \(mixed >> 8 & 1)")
    }
  }

  /// Tables without rows and with some, of which some have storage of their own or shared storage.
  private static func starts<Table: AuthorTable>(_ type: Table.Type) -> [Table] {
    let some = authors(40, ids: 60, seed: 9)
    var emptied = Table(some)
    for author in some { emptied.remove(author.entityID) }
    return [Table(), emptied, Table(some.prefix(1)), Table(some)]
  }

  @Test(
    "Law: inserting a sequence has the results and the effect of single insertions",
    arguments: TableTests.types, [0, 1, 5, 17, 300])
  func equalsSingleInsertions(type: any AuthorTable.Type, count: Int) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      for ids in [1, max(1, count / 2), 4 * count + 1] {
        let rows = Self.authors(count, ids: ids, seed: count + ids)
        for start in Self.starts(type) {
          var expected = start
          let outcomes = rows.map { expected.insert($0) }
          // An array gives its count in advance; a stateful sequence gives none.
          var rest = rows[...]
          for sequence in [AnySequence(rows), AnySequence { AnyIterator { rest.popFirst() } }] {
            var table = start
            let held = table
            expectEqual(table.insert(sequence), outcomes)
            expectEqual(Array(table), Array(expected))
            expectTrue(table == expected && table.count == expected.count)
            for row in rows {
              expectEqual(table.find(by: row.entityID), expected.find(by: row.entityID))
            }
            expectEqual(Array(held), Array(start))
            let filled = table
            for row in rows.prefix(20) { table.remove(row.entityID) }
            expectEqual(Array(filled), Array(expected))
          }
        }
      }
    }
    check(type)
  }

  @Test("A version that shares reserved room is not changed by inserting a sequence")
  func sharedReservation() {
    let rows = Self.authors(300, ids: 1_000, seed: 4)
    // An array gives its count in advance; a stateful sequence gives none.
    var rest = rows[...]
    for sequence in [AnySequence(rows), AnySequence { AnyIterator { rest.popFirst() } }] {
      var table = Tables.Hash<Author>()
      table.reserveCapacity(1_000)
      var other = table
      other.insert(Author(id: "other", name: "Other"))
      table.insert(sequence)
      expectEqual(Array(other), [Author(id: "other", name: "Other")])
      expectTrue(rows.allSatisfy { !other.contains($0.entityID) && table.contains($0.entityID) })
      expectFalse(table.contains("other"))
    }
  }
}
