import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@Suite("Limits of the number of holders of one entity")
struct HolderLimitTests {
  func studio(leads: CountLimits = .any, fans: CountLimits = .any) throws -> Studio {
    var studio = Studio(.nullify, leads: leads, fans: fans)
    try studio.performBatchUpdates { context in
      context.modifying.people.insert([Person(id: "p1"), Person(id: "p2")])
      context.modifying.teams.insert([Team(id: 1, leadID: "p1", fanIDs: ["p1", "p2"])])
    }
    return studio
  }

  /// Runs the batch on storage that nothing shares and beside a copy; it must be refused
  /// with the text.
  func expectRefusal(
    of studio: @autoclosure () throws -> Studio, _ text: String,
    _ body: (inout BatchContext<Studio>) -> Void
  ) throws {
    var unique = try studio()
    let kept = try studio()
    var copy = kept
    for error in [
      #expect(throws: BatchError.self) { try unique.performBatchUpdates { body(&$0) } },
      #expect(throws: BatchError.self) { try copy.performBatchUpdates { body(&$0) } },
    ] {
      expectEqual(error?.description, "the batch was refused: \(text)")
    }
    let fresh = try studio()
    expectTrue(unique == kept && copy == kept && kept == fresh)
    expectTrue(copy.snapshot.isIdentical(to: kept.snapshot))
  }

  @Test("Law 16: too many holders of a to-one are reported with their number and the limits")
  func tooMany() throws {
    try expectRefusal(
      of: studio(leads: .atMost(1)),
      "Person p1: referenced by 2 through teamLead, but must be referenced by at most 1"
    ) { $0.modifying.teams.insert(Team(id: 2, leadID: "p1")) }
    try expectRefusal(
      of: studio(leads: .atMost(1)),
      "Person p2: referenced by 2 through teamLead, but must be referenced by at most 1"
    ) { context in
      context.modifying.teams.insert([Team(id: 2, leadID: "p2"), Team(id: 3, leadID: "p2")])
    }
  }

  @Test("Law 16: too few holders, of an inserted entity and after holders went or changed")
  func tooFew() throws {
    let studio = try studio(fans: .atLeast(1))
    let text = "Person p1: referenced by 0 through teamFans, but must be referenced by at least 1"
    let other = "Person p2: referenced by 0 through teamFans, but must be referenced by at least 1"
    try expectRefusal(of: studio, "\(text); \(other)") { $0.modifying.teams.remove(.init(1)) }
    try expectRefusal(of: studio, text) { $0.modifying.teams[.init(1)]?.fanIDs = ["p2"] }
    try expectRefusal(
      of: studio,
      "Person p3: referenced by 0 through teamFans, but must be referenced by at "
        + "least 1"
    ) { $0.modifying.people.insert(Person(id: "p3")) }
  }

  @Test("Limits concern the end of the batch and entities that are there")
  func intermediate() throws {
    var studio = try studio(leads: .atMost(1), fans: .atLeast(1))
    try studio.performBatchUpdates { context in
      context.modifying.teams.insert(Team(id: 2, leadID: "p1"))
      context.modifying.teams[.init(1)]?.leadID = "p2"
      context.modifying.people.insert(Person(id: "p3"))
      context.modifying.teams[.init(2)]?.fanIDs = ["p3"]
      context.modifying.teams.insert([Team(id: 3, leadID: "p9"), Team(id: 4, leadID: "p9")])
    }
    expectEqual(studio.teams.count, 4)
    let before = studio
    let error = #expect(throws: BatchError.self) {
      try studio.performBatchUpdates { context in
        context.modifying.people.insert(Person(id: "p9"))
        context.modifying.teams[.init(1)]?.fanIDs.insert("p9")
      }
    }
    expectEqual(
      error?.description,
      "the batch was refused: Person p9: referenced by 2 through teamLead, but must be "
        + "referenced by at most 1")
    expectEqual(studio, before)
    // A row that changes without its keys is not judged for others.
    try studio.performBatchUpdates { $0.modifying.people[.init("p1")]?.name = "n" }
  }

  @Test("Law 41: apply and merge are refused where each side by itself is allowed")
  func versions() throws {
    let base = try studio(leads: .atMost(2))
    var mine = base
    try mine.performBatchUpdates { $0.modifying.teams.insert(Team(id: 2, leadID: "p1")) }
    var theirs = base
    try theirs.performBatchUpdates { $0.modifying.teams.insert(Team(id: 3, leadID: "p1")) }
    let text = "Person p1: referenced by 3 through teamLead, but must be referenced by at most 2"
    let merging = #expect(throws: BatchError.self) { try mine.merging(theirs, base: base) }
    expectEqual(merging?.description, "the batch was refused: \(text)")
    let before = mine
    let applying = #expect(throws: BatchError.self) { try mine.apply(theirs.changes(since: base)) }
    expectEqual(applying?.description, "the batch was refused: \(text)")
    expectEqual(mine, before)
  }

  @Test("verify(), validation and decoding report entities outside their limits")
  func verified() throws {
    var contents = try studio(leads: .atMost(1)).snapshot.contents
    contents.teams.insert(Team(id: 2, leadID: "p1"))
    var studio = Studio()
    studio.snapshot = Snapshot(contents)
    let text = "Person p1: referenced by 2 through teamLead, but must be referenced by at most 1"
    expectEqual(studio.verify().map(\.description), [text])
    let error = #expect(throws: BatchError.self) { try Studio(validating: contents) }
    expectEqual(error?.description, "the batch was refused: \(text)")
  }

  @Test("The schema has the limits, as text and in the diagram")
  func schema() {
    let schema = Studio(.nullify, leads: .exactly(1), fans: .atMost(3)).schema
    expectEqual(
      schema.relationships.prefix(4).map(\.description),
      [
        "teamLead: Team -> Person, to one or none; holders: exactly 1; on delete nullify",
        "teamDeputy: Team -> Person, to one or none; on delete nullify",
        "teamGuests: Team -> Person, to many, ordered; on delete nullify",
        "teamFans: Team -> Person, to many; holders: at most 3; on delete nullify",
      ])
    expectTrue(schema.mermaid.contains("Team ||--o| Person : \"teamLead, nullify\""))
    expectTrue(schema.mermaid.contains("Team }o--o{ Person : \"teamFans, nullify\""))
  }
}
