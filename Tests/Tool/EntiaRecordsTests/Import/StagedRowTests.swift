import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Staged rows")
struct StagedRowTests {
  @Test func `a staged row is small, and its parts are independent`() {
    expectEqual(MemoryLayout<StagedRow>.stride, 32)
    var row = StagedRow(id: RecordID(entity: "posts", key: .string("p1")))
    expectTrue(row.table == -1 && !row.isChanged && !row.isRoot)
    for (table, isChanged, isRoot) in [
      (Int32(0), true, false), (7, false, true), (1 << 28, true, true), (-1, false, false),
    ] {
      row.isChanged = isChanged
      row.table = table
      row.isRoot = isRoot
      #expect((row.table, row.isChanged, row.isRoot) == (table, isChanged, isRoot))
    }
  }
}
