import EntiaDatabase
import EntiaJSON
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Rows that encode themselves by hand, as JSON")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    let storage = CodedRows(ids: 0..<400)
    let spelling = TypedExportOptions(dates: .iso8601)
    let text = try storage.exportJSON(CodedRow.self, options: spelling)
    var again = CodedRows()
    try again.importJSON(
      ImportSource(name: "rows", bytes: text), of: CodedRow.self,
      options: TypedImportOptions(dates: .iso8601))
    expectEqual(again, storage)
    try expectEqual(again.exportJSON(CodedRow.self, options: spelling), text)
  }
}
