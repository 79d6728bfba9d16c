import EntiaTestDomains
import Testing

@testable import EntiaSQLite

@Suite("Rows that encode themselves by hand, as columns")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    for id in 0..<400 { try checkStoredRow(CodedRow(id: id)) }
  }
}
