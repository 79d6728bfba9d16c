import Testing

@testable import EntiaSharing

@Suite struct SharedDatabaseErrorTests {
  @Test func messagesNameThePlaceAndTheReason() {
    let decoding = SharedDatabaseError.cannotDecode(
      space: "team", entity: "books", row: "\"b1\"", column: "title", reason: "expected a string")
    #expect(
      decoding.description
        == "space team: row \"b1\" of books, column title, cannot be read: expected a string")
    let refused = SharedDatabaseError.refused(space: "team", reasons: ["one", "two"])
    #expect(refused.description == "space team: the rows violate rules: one; two")
  }

  @Test func errorsOfTheConnectionAndOfRowsOfOthersAreTransient() {
    #expect(SharedDatabaseError.disconnected(space: "s", reason: "").isTransient)
    #expect(SharedDatabaseError.timedOut(space: "s").isTransient)
    #expect(SharedDatabaseError.unavailable(space: "s", code: "57P03", reason: "").isTransient)
    #expect(SharedDatabaseError.refused(space: "s", reasons: []).isTransient)
    #expect(
      SharedDatabaseError.cannotDecode(space: "s", entity: "", row: "", column: nil, reason: "")
        .isTransient)
    #expect(!SharedDatabaseError.isClosed(space: "s").isTransient)
    #expect(!SharedDatabaseError.cannotConnect(reason: "").isTransient)
    #expect(!SharedDatabaseError.failed(space: "s", code: "XX000", reason: "").isTransient)
  }
}
