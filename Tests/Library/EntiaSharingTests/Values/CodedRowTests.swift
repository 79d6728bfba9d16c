import EntiaTestDomains
import Testing

@testable import EntiaSharing

@Suite("Rows that encode themselves by hand, in a log")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    for id in 0..<400 {
      let row = CodedRow(id: id)
      let json = try FormDestination.json(of: row)
      #expect(try FormSource(json).decode(CodedRow.self) == row, "row \(id): \(json)")
    }
  }
}
