import EntiaStore
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite struct SharedDatabaseErrorTests {
  @Test func messagesNameThePlaceAndTheReason() {
    let decoding = SharedDatabaseError.cannotDecode(
      space: "team", entity: "books", row: "\"b1\"", column: "title", reason: "expected a string")
    expectEqual(
      decoding.description,
      "team: row \"b1\" of books, column title, cannot be read: expected a string")
    let refused = SharedDatabaseError.refused(space: "team", reasons: ["one", "two"])
    expectEqual(refused.description, "team: the rows violate rules: one; two")
  }

  @Test func problemsOfASharingNameTheSpaceOnce() {
    let errors: [SharedDatabaseError] = [
      .disconnected(space: "team", reason: "r"), .timedOut(space: "team"),
      .unavailable(space: "team", code: "", reason: "r"),
      .unavailable(space: "team", code: "1", reason: "r"), .isClosed(space: "team"),
      .notLoaded(space: "team"), .partIsShared(space: "team"), .isNewer(reason: "team: r"),
      .noRights(space: "team", reason: "r"), .spaceNotFound(space: "team"),
      .schemaDiffers(space: "team", reason: "r"),
      .notCodable(space: "team", entity: "e", type: "t"),
      .cannotEncode(space: "team", entity: "e", row: "w", column: nil, reason: "r"),
      .cannotDecode(space: "team", entity: "e", row: "w", column: "c", reason: "r"),
      .refused(space: "team", reasons: ["r"]), .isOpenElsewhere(file: "team", process: 1),
      .failed(space: "team", code: "", reason: "r"),
    ]
    for error in errors {
      let problem = StoreProblem(sharing: "team", isRetried: false, error)
      expectEqual(problem.description.ranges(of: "team").count, 1, "\(problem)")
    }
  }

  @Test func errorsOfTheConnectionAndOfRowsOfOthersAreTransient() {
    expectTrue(SharedDatabaseError.disconnected(space: "s", reason: "").isTransient)
    expectTrue(SharedDatabaseError.timedOut(space: "s").isTransient)
    expectTrue(SharedDatabaseError.unavailable(space: "s", code: "57P03", reason: "").isTransient)
    expectTrue(SharedDatabaseError.refused(space: "s", reasons: []).isTransient)
    expectTrue(
      SharedDatabaseError.cannotDecode(space: "s", entity: "", row: "", column: nil, reason: "")
        .isTransient)
    expectFalse(SharedDatabaseError.isClosed(space: "s").isTransient)
    expectFalse(SharedDatabaseError.cannotConnect(reason: "").isTransient)
    expectFalse(SharedDatabaseError.failed(space: "s", code: "XX000", reason: "").isTransient)
  }
}
