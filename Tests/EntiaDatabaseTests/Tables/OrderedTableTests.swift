import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import Foundation
import Testing

@Suite("Tables.Ordered")
struct OrderedTableTests {
  struct Oops: Error {}

  let three = Tables.Ordered([
    Author(id: "a1", name: "Ann"), Author(id: "a2", name: "Bob"), Author(id: "a3", name: "Cy"),
  ])

  @Test("Reading by ID")
  func reading() {
    #expect(three.count == 3 && !three.isEmpty)
    #expect(three.find(by: "a2")?.name == "Bob" && three["a9"] == nil)
    #expect(three["a2"] == three.find(by: "a2"))
    #expect(three.find(in: ["a3", "a9", "a1", "a3"]).map(\.name) == ["Cy", "Ann", "Cy"])
    #expect(three.contains("a1") && !three.contains("a9"))
    #expect(three.allIDs() == ["a1", "a2", "a3"])
    #expect(three.allEntities().map(\.name) == ["Ann", "Bob", "Cy"])
    #expect(three.map(\.name) == ["Ann", "Bob", "Cy"])
    var names: [String] = []
    let take: (Author) -> Void = { names.append($0.name) }
    three.forEach(take)
    #expect(names == ["Ann", "Bob", "Cy"])
    #expect(three.underestimatedCount == 3)
    #expect(three.description == three.allEntities().description)
    let empty = Tables.Ordered<Author>()
    #expect(empty.isEmpty && empty.allIDs() == [] && Array(empty) == [])
    let repeated = Tables.Ordered([
      Author(id: "a1", name: "x"), Author(id: "a2", name: "Bob"), Author(id: "a1", name: "Ann"),
    ])
    #expect(repeated.map(\.name) == ["Ann", "Bob"])
  }

  @Test("Reading by position")
  func positions() {
    #expect(three.positions == 0..<3)
    #expect(three[position: 0].name == "Ann" && three[position: 2].name == "Cy")
    #expect(three.index(of: "a3") == 2 && three.index(of: "a9") == nil)
    #expect(three.find(at: 1)?.name == "Bob")
    #expect(three.find(at: 3) == nil && three.find(at: -1) == nil)
    #expect(three.find(at: 1..<3).map(\.name) == ["Bob", "Cy"])
    #expect(three.find(at: 2..<9).map(\.name) == ["Cy"] && three.find(at: 7..<9) == [])
    #expect(three.first?.name == "Ann" && three.last?.name == "Cy")
    let empty = Tables.Ordered<Author>()
    #expect(empty.first == nil && empty.last == nil && empty.positions.isEmpty)
  }

  @Test("An insertion reports its outcome and keeps the position of an existing row")
  func inserting() {
    var table = three
    let new = table.insert(Author(id: "a4", name: "Dee"))
    #expect(new.outcome == .inserted && new.replaced == nil && new.entityID == "a4")
    let placed = table.insert(Author(id: "a5", name: "Eve"), at: 1)
    #expect(placed.outcome == .inserted)
    let same = table.insert(Author(id: "a1", name: "Ann"), at: 3)
    #expect(same.outcome == .unchanged && same.replaced == nil)
    #expect(table.map(\.name) == ["Ann", "Eve", "Bob", "Cy", "Dee"])
    let results = table.insert([Author(id: "a2", name: "Bo"), Author(id: "a6", name: "Flo")])
    #expect(results.map(\.replaced?.name) == ["Bob", nil])
    #expect(results.map(\.entity.name) == ["Bo", "Flo"])
    #expect(table.map(\.name) == ["Ann", "Eve", "Bo", "Cy", "Dee", "Flo"])
    table.insert(
      [Author(id: "a7", name: "Gus"), Author(id: "a1", name: "An"), Author(id: "a8", name: "Hal")],
      at: 2)
    #expect(table.map(\.name) == ["An", "Eve", "Gus", "Hal", "Bo", "Cy", "Dee", "Flo"])
    #expect(three.map(\.name) == ["Ann", "Bob", "Cy"])
    let replaced = table.replace(Author(id: "a1", name: "Ann"))
    #expect(replaced?.name == "An" && table.first?.name == "Ann")
    #expect(table.replace(Author(id: "b1", name: "?")) == nil && !table.contains("b1"))
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
    #expect(table.map(\.name) == ["Anna", "Bo", "Cy"])
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
    #expect(table.updateIfExists(id: "a1") { $0.name = "Anna" }?.name == "Anna")
    #expect(try table.updateExists(id: "a1") { $0.name = "Anna" }.name == "Anna")
    #expect(table.isIdentical(to: before) && table.map(\.name) == ["Anna", "Bo", "Cy"])
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
    #expect(table.remove(at: 1)?.name == "Bob" && table.allIDs() == ["a1", "a3"])
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
    #expect(table.isEmpty && table == Tables.Ordered() && three.count == 3)
  }

  @Test("Encoded as an array in order; decoding refuses a repeated ID and names it")
  func coding() throws {
    let data = try JSONEncoder().encode(three)
    let decoded = try JSONDecoder().decode(Tables.Ordered<Author>.self, from: data)
    #expect(decoded == three)
    #expect(
      try JSONDecoder().decode(Tables.Hash<Author>.self, from: data).allIDs() == three.allIDs())
    let twice = Data(#"[{"id":"a1","name":"x"},{"id":"a1","name":"y"}]"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Tables.Ordered<Author>.self, from: twice)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, not \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "Author a1 is there twice")
    #expect(context.codingPath.map(\.stringValue) == ["Index 1"])
  }
}
