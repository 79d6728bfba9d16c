import EntiaDatabase
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

  /// Does not say that its ID is another member than `id`.
  struct Receipt: EntityType, Identifiable {
    let id: String
    let number: String
    var entityID: EntityID { EntityID(number) }
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
    #expect(office.rows.count == 100 && office.rows.find(by: "n7")?.id == "again")
    #expect(office.rows.find(by: "7") == nil && office.verify().isEmpty)
    office.performBatchUpdates { $0.modifying.rows.remove("n7") }
    #expect(office.rows.find(by: "n7") == nil && office.rows.count == 99)
  }

  #if DEBUG
    @Test("One that compares its id is reported at insertion in debug builds, with the remedy")
    func undeclared() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        var office = Office<Receipt>()
        office.performBatchUpdates {
          $0.modifying.rows.insert(Receipt(id: "same", number: "same"))
        }
        office.performBatchUpdates { $0.modifying.rows.insert(Receipt(id: "1", number: "n1")) }
      }
      let error = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(
        error.contains(
          "Receipt n1 is not found by its ID: 'hasID' compares the 'id' of 'Identifiable', and "
            + "'entityID' is another member; declare "
            + "'func hasID(_ id: EntityID) -> Bool { entityID == id }' in Receipt"), "\(error)")
    }
  #endif
}
