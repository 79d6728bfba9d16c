import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Rows that encode themselves by hand, in a log")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    for id in 0..<400 {
      let row = CodedRow(id: id)
      let json = try FormDestination.json(of: row)
      try expectEqual(FormSource(json).decode(CodedRow.self), row, "row \(id): \(json)")
    }
  }

  @Test("Equal rows with sets and dictionaries have one form")
  func unorderedMembers() throws {
    for id in 0..<20 {
      let rows = [1, 100, 1_000, 10_000].map { UnorderedRow(id: id, capacity: $0) }
      let forms = try rows.map { try FormDestination.json(of: $0) }
      expectTrue(forms.allSatisfy { $0 == forms[0] })
      try expectEqual(FormSource(forms[0]).decode(UnorderedRow.self), rows[0])
    }
  }
}
