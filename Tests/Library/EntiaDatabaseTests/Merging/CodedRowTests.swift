import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Rows that encode themselves by hand, in a merge")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    for id in 0..<400 {
      let row = CodedRow(id: id)
      let members = try #require(try MemberNode.members(of: row))
      try expectEqual(MemberSource.row(CodedRow.self, of: members), row, "row \(id)")
      // The members of two encodings are the same values.
      for (name, member) in try #require(try MemberNode.members(of: row)) {
        try expectTrue(MemberNode.haveSameValue(member, members[name]), "row \(id), \(name)")
      }
    }
  }
}
