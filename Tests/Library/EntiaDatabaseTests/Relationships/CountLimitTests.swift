import EntiaDatabase
import EntiaTestSupport
import Testing

@Suite("Limits of counts")
struct CountLimitTests {
  @Test("Law 16: every list that is too long or too short is reported with its count and limits")
  func violations() throws {
    var studio = Studio(.nullify, guests: .atMost(2), related: .between(1...2))
    let before = studio
    let error = #expect(throws: BatchError.self) {
      try studio.performBatchUpdates { context in
        context.modifying.teams.insert(Team(id: 1, guestIDs: ["p1", "p1", "p2"]))
        context.modifying.folders.insert([
          Folder(id: 1, relatedIDs: []), Folder(id: 2, relatedIDs: [1]),
          Folder(id: 3, relatedIDs: [1, 2, 3]),
        ])
      }
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: Team 1: teamGuests references 3, but must reference at most 2; \
      Folder 1: folderRelated references 0, but must reference 1 to 2; Folder 3: folderRelated \
      references 3, but must reference 1 to 2
      """)
    expectTrue(studio.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("Limits are checked at the end of the batch only")
  func intermediate() throws {
    var studio = Studio(.nullify, guests: .atMost(1), related: .exactly(1))
    try studio.performBatchUpdates { context in
      context.modifying.folders.insert(Folder(id: 1))
      context.modifying.teams.insert(Team(id: 1, guestIDs: ["p1", "p2"]))
      context.modifying.folders.updateIfExists(id: 1) { $0.relatedIDs = [1] }
      context.modifying.teams.updateIfExists(id: 1) { $0.guestIDs?.removeLast() }
      context.modifying.folders.insert(Folder(id: 2))
      context.modifying.folders.remove(.init(2))
    }
    expectEqual(studio.folders.map(\.relatedIDs), [[1]])
  }

  @Test("A removal whose nullifying leaves a list too short is refused")
  func nullified() throws {
    var studio = Studio(.nullify, related: .atLeast(1))
    try studio.performBatchUpdates { context in
      context.modifying.folders.insert([
        Folder(id: 1, relatedIDs: [2]), Folder(id: 2, relatedIDs: [2, 1, 2]),
      ])
    }
    let before = studio
    let error = #expect(throws: BatchError.self) {
      try studio.performBatchUpdates { $0.modifying.folders.remove(.init(2)) }
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: Folder 1: folderRelated references 0, but must reference at least 1
      """)
    expectEqual(studio, before)
    try studio.performBatchUpdates { $0.modifying.folders.remove(.init(1)) }
    expectEqual(studio.folders.map(\.relatedIDs), [[2, 2]])
  }

  @Test("verify() reports lists outside their limits")
  func verified() {
    var contents = Studio(.nullify, related: .atLeast(2)).snapshot.contents
    contents.folders.insert(Folder(id: 1, relatedIDs: [1]))
    var studio = Studio()
    studio.snapshot = Snapshot(contents)
    expectEqual(
      studio.verify().map(\.description),
      [
        "Folder 1: folderRelated references 1, but must reference at least 2"
      ])
  }

  @Test("Descriptions of limits")
  func descriptions() {
    let limits: [CountLimits] = [
      .any, .atLeast(1), .atMost(3), .between(2...4), .exactly(2), .atLeast(0),
    ]
    expectEqual(
      limits.map(\.description),
      [
        "any number", "at least 1", "at most 3", "2 to 4", "exactly 2", "any number",
      ])
  }
}
