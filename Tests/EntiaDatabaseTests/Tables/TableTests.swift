import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import Foundation
import Testing

@Suite("Tables.Hash")
struct TableTests {
  struct Oops: Error {}

  let three = Tables.Hash([
    Author(id: "a1", name: "Ann"), Author(id: "a2", name: "Bob"), Author(id: "a3", name: "Cy"),
  ])

  @Test("Reading")
  func reading() {
    #expect(three.count == 3 && !three.isEmpty)
    #expect(three.find(by: "a2")?.name == "Bob" && three["a9"] == nil)
    #expect(three["a2"] == three.find(by: "a2"))
    #expect(three.find(in: ["a3", "a9", "a1", "a3"]).map(\.name) == ["Cy", "Ann", "Cy"])
    #expect(three.contains("a1") && !three.contains("a9"))
    #expect(three.allIDs() == ["a1", "a2", "a3"])
    #expect(three.allEntities().map(\.name) == ["Ann", "Bob", "Cy"])
    #expect(three.map(\.name) == ["Ann", "Bob", "Cy"])
    #expect(three.underestimatedCount == 3)
    #expect(three.description == three.allEntities().description)
    let empty = Tables.Hash<Author>()
    #expect(empty.isEmpty && empty.allIDs() == [] && Array(empty) == [])
    let repeated = Tables.Hash([
      Author(id: "a1", name: "x"), Author(id: "a2", name: "Bob"), Author(id: "a1", name: "Ann"),
    ])
    #expect(repeated.map(\.name) == ["Ann", "Bob"])
  }

  @Test("An insertion reports its outcome")
  func inserting() {
    var table = three
    let new = table.insert(Author(id: "a4", name: "Dee"))
    #expect(new.outcome == .inserted && new.replaced == nil && new.entityID == "a4")
    let same = table.insert(Author(id: "a1", name: "Ann"))
    #expect(same.outcome == .unchanged && same.replaced == nil)
    let results = table.insert([Author(id: "a2", name: "Bo"), Author(id: "a5", name: "Eve")])
    #expect(results.map(\.replaced?.name) == ["Bob", nil])
    #expect(results.map(\.entity.name) == ["Bo", "Eve"])
    #expect(table.map(\.name) == ["Ann", "Bo", "Cy", "Dee", "Eve"])
    #expect(three.count == 3)
  }

  @Test("Reserving room changes nothing but the room, and no copy")
  func reserving() {
    var table = three
    table.reserveCapacity(2_000)
    #expect(table == three && table.allIDs() == three.allIDs())
    for number in 0..<1_000 { table.insert(Author(id: "b\(number)", name: "Bea")) }
    table.reserveCapacity(10)
    #expect(table.count == 1_003 && table["b999"]?.name == "Bea" && table["a2"] == three["a2"])
    #expect(three.count == 3 && three["b1"] == nil)
  }

  @Test("Inserting an equal row keeps the version")
  func insertingTheSame() {
    var table = three
    table.insert(Author(id: "a1", name: "Ann"))
    #expect(table.isIdentical(to: three))
    table.insert(Author(id: "a1", name: "An"))
    #expect(!table.isIdentical(to: three))
  }

  @Test("Updates of existing and missing rows, with a closure that throws or changes the ID")
  func updating() throws {
    var table = three
    #expect(try table.updateExists(id: "a1") { $0.name = "Anna" }.name == "Anna")
    #expect(table.updateIfExists(id: "a2") { $0.name = "Bo" }?.name == "Bo")
    #expect(table.updateIfExists(id: "a9") { $0.name = "?" } == nil)
    let before = table
    let missing = #expect(throws: TableError.self) { try table.updateExists(id: "a9") { _ in } }
    #expect(missing?.description == "there is no Author a9")
    let changed = #expect(throws: TableError.self) {
      try table.updateExists(id: "a1") { $0 = Author(id: "a7", name: "?") }
    }
    #expect(
      changed?.description
        == "an update of Author a1 changed its ID to a7; the row was left unchanged")
    #expect(table.updateIfExists(id: "a1") { $0 = Author(id: "a7", name: "?") } == nil)
    #expect(throws: Oops.self) {
      try table.updateIfExists(id: "a1") {
        $0.name = "?"
        throw Oops()
      }
    }
    #expect(throws: Oops.self) {
      try table.updateExists(id: "a1") {
        $0.name = "?"
        throw Oops()
      }
    }
    #expect(table.isIdentical(to: before))
    #expect(table.updateIfExists(id: "a1") { $0.name = "Anna" }?.name == "Anna")
    #expect(table.isIdentical(to: before))
  }

  @Test("Updating by a predicate")
  func updatingMany() {
    var table = three
    func rename(_ author: inout Author) {
      if author.entityID == "a3" {
        author = Author(id: "a9", name: "?")
      } else {
        author.name += "!"
      }
    }
    let updated = table.update(where: { $0.name != "Bob" }, rename)
    #expect(updated.map(\.name) == ["Ann!"])
    #expect(table.map(\.name) == ["Ann!", "Bob", "Cy"])
    let before = table
    func failAtTheLast(_ author: inout Author) throws {
      if author.entityID == "a3" { throw Oops() }
      author.name = "?"
    }
    #expect(throws: Oops.self) { try table.update(where: { _ in true }, failAtTheLast) }
    #expect(table.isIdentical(to: before))
  }

  @Test("A removal returns the removed row")
  func removing() {
    var table = three
    #expect(table.remove("a2")?.name == "Bob" && table.remove("a2") == nil)
    table.insert(Author(id: "a2", name: "Bob"))
    #expect(table.allIDs() == ["a1", "a3", "a2"])
    #expect(table.remove(["a3", "a9", "a1"]).map(\.name) == ["Cy", "Ann"])
    table = three
    let before = table
    #expect(throws: Oops.self) {
      try table.remove { author in
        if author.entityID == "a3" { throw Oops() }
        return true
      }
    }
    #expect(table.isIdentical(to: before))
    #expect(table.remove { $0.name < "C" }.map(\.name) == ["Ann", "Bob"])
    table.removeAll()
    #expect(table.isEmpty && table == Tables.Hash() && three.count == 3)
  }

  @Test("Equality is that of the content, whatever the order")
  func equality() {
    let reversed = Tables.Hash(three.allEntities().reversed())
    #expect(reversed == three && reversed.changes(since: three).isEmpty)
    var other = three
    other.updateIfExists(id: "a1") { $0.name = "?" }
    #expect(other != three)
    #expect(other.changes(since: three).description == "Author: 1 updated")
  }

  @Test("Encoded as an array in order; decoding refuses a repeated ID and names it")
  func coding() throws {
    let data = try JSONEncoder().encode(three)
    let decoded = try JSONDecoder().decode(Tables.Hash<Author>.self, from: data)
    #expect(decoded == three && decoded.allIDs() == three.allIDs())
    let twice = Data(#"[{"id":"a1","name":"x"},{"id":"a1","name":"y"}]"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Tables.Hash<Author>.self, from: twice)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, not \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "Author a1 is there twice")
    #expect(context.codingPath.map(\.stringValue) == ["Index 1"])
  }

  @Test("Errors of batches name the entity, the table and the reason")
  func batchErrors() {
    #expect(BatchError.aborted.description == "the batch was aborted")
    let loans = (1...7).map { EntityLabel(Loan.EntityID($0)) }
    let refusal = BatchError.refused([
      .deniedDelete(
        EntityLabel(Book.EntityID("b1")), relationship: "loanBook", holders: Array(loans.prefix(1))),
      .deniedDelete(
        EntityLabel(Book.EntityID("b2")), relationship: "loanBook", holders: loans),
    ])
    #expect(
      refusal.description == """
        the batch was refused: Book b1 cannot be removed: it is referenced through loanBook by \
        Loan 1; Book b2 cannot be removed: it is referenced through loanBook by Loan 1, Loan 2, \
        Loan 3, Loan 4, Loan 5 and 2 more
        """)
    let problem = BatchProblem.changedID(
      EntityLabel(Book.EntityID("b1")), to: EntityLabel(Book.EntityID("b2")))
    #expect(
      problem.description == "an update of Book b1 changed its ID to b2; the row was left "
        + "unchanged")
  }
}
