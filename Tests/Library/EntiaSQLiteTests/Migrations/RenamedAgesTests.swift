import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Renamed tables of ages")
struct RenamedAgesTests {
  @Test("A migration renames tables of ages and of received rows before the first save")
  func renamedTables() throws {
    let folder = try TemporaryFolder()
    let received = Date(timeIntervalSinceReferenceDate: 5)
    let old = try DatabaseFile<OldRoster>(path: folder.file())
    var roster = OldRoster()
    roster.performBatchUpdates { context in
      context.modifying.persons.insert(OldRoster.Person(id: 1), receivedAt: received)
    }
    try old.save(roster)
    try old.close()
    let new = try DatabaseFile<NewRoster>(
      path: folder.file(),
      migrations: [
        .renamingTable("ages", to: "personAges"), .renamingTable("persons", to: "people"),
      ])
    expectEqual(try new.load().personAges.receivedAt(1), received)
    let parts = try new.withTurn { try $0.connection.freshnessParts(of: "") }
    expectEqual(parts, [FreshnessPart(kind: .ages, name: "personAges", rows: "people")])
    try new.close()
    let tool = try CachedFile(reading: folder.file())
    expectEqual(tool.names, ["people"])
    expectEqual(try tool.statistics().ages.map(\.count), [1])
  }
}

@NormalizedStorage
private struct OldRoster {
  @Entity
  struct Person {
    let id: Int
  }

  @Table var persons: Tables.Hash<Person> = .init()
  @Index var ages: Indexes.Age<Person> = .init()
}

@NormalizedStorage
private struct NewRoster {
  @Entity
  struct Person {
    let id: Int
  }

  @Table var people: Tables.Hash<Person> = .init()
  @Index var personAges: Indexes.Age<Person> = .init()
}
