import EntiaDatabase
import EntiaJSON
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Sets and dictionaries of exported rows")
struct UnorderedMemberTests {
  @Test("Equal rows have equal bytes, whatever the capacity of their collections is")
  func equalRows() throws {
    let rows = [1, 100, 1_000, 10_000].map { capacity in
      UnorderedRows((0..<20).map { UnorderedRow(id: $0, capacity: capacity) })
    }
    let texts = try rows.map { try $0.exportJSON(UnorderedRow.self) }
    for (storage, text) in zip(rows, texts) {
      expectEqual(storage, rows[0])
      expectEqual(text, texts[0])
      var again = UnorderedRows()
      try again.importJSON(ImportSource(name: "rows", bytes: text), of: UnorderedRow.self)
      expectEqual(again, storage)
    }
  }
}
