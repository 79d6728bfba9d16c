import EntiaDatabase
import EntiaTestSupport
import Testing

/// Entities that are `Identifiable` by one member, and stored by another of the same type.
@Suite("An entity is found by its entityID")
struct EntityIDMemberTests {
  struct Ticket: EntityType, Identifiable {
    let id: String
    let number: String
    var entityID: EntityID { EntityID(number) }
    func hasID(_ id: EntityID) -> Bool { entityID == id }
  }

  /// Compares by the default.
  struct Receipt: EntityType, Identifiable {
    let id: String
    let number: String
    var entityID: EntityID { EntityID(number) }
  }

  /// Has an ID that is computed of its `id`.
  struct Code: EntityType, Identifiable {
    let id: String
    var text = ""
    var entityID: EntityID { EntityID(id.lowercased()) }
  }

  /// Has another integer as its ID than `id`.
  struct Seat: EntityType, Identifiable {
    let id: Int
    var entityID: EntityID { EntityID(-id) }
  }

  struct Office<Entity: EntityType>: NormalizedStorageType {
    struct Contents: StorageContents {
      var rows = Tables.Hash<Entity>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("rows", \.rows)
      }
    }

    var snapshot = Snapshot(Contents())
    var rows: Tables.Hash<Entity> { snapshot.contents.rows }
  }

  @Test("One that compares its entityID is found, updated and removed by it")
  func declared() {
    var office = Office<Ticket>()
    office.performBatchUpdates { context in
      for number in 0..<100 {
        context.modifying.rows.insert(Ticket(id: "\(number)", number: "n\(number)"))
      }
      context.modifying.rows.insert(Ticket(id: "again", number: "n7"))
    }
    expectTrue(office.rows.count == 100 && office.rows.find(by: "n7")?.id == "again")
    expectTrue(office.rows.find(by: "7") == nil && office.verify().isEmpty)
    office.performBatchUpdates { $0.modifying.rows.remove("n7") }
    expectTrue(office.rows.find(by: "n7") == nil && office.rows.count == 99)
  }

  @Test("One that declares its entityID alone is found, updated and removed by it")
  func undeclared() {
    var office = Office<Receipt>()
    office.performBatchUpdates { context in
      for number in 0..<100 {
        context.modifying.rows.insert(Receipt(id: "\(number)", number: "n\(number)"))
      }
      context.modifying.rows.insert(Receipt(id: "again", number: "n7"))
    }
    expectTrue(office.rows.count == 100 && office.rows.find(by: "n7")?.id == "again")
    expectTrue(office.rows.find(by: "7") == nil && office.verify().isEmpty)
    office.performBatchUpdates { $0.modifying.rows.remove("n7") }
    expectTrue(office.rows.find(by: "n7") == nil && office.rows.count == 99)
  }

  @Test("One whose entityID is computed of its id is stored once for each entityID")
  func computed() {
    var office = Office<Code>()
    for id in ["a1", "A1", "B2"] {
      office.performBatchUpdates { $0.modifying.rows.insert(Code(id: id, text: id)) }
    }
    expectTrue(office.rows.count == 2 && office.rows.find(by: "a1")?.text == "A1")
    expectTrue(office.rows.find(by: "A1") == nil && office.rows.find(by: "b2")?.id == "B2")
    expectTrue(office.verify().isEmpty)
    var theatre = Office<Seat>()
    theatre.performBatchUpdates { context in
      for number in -50..<50 { context.modifying.rows.insert(Seat(id: number)) }
    }
    for number in -49..<50 {
      expectEqual(theatre.rows.find(by: Seat.EntityID(number))?.id, -number)
    }
    expectTrue(theatre.rows.find(by: 51) == nil && theatre.verify().isEmpty)
  }
}
