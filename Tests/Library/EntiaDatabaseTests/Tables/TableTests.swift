import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// A table of authors of either type.
protocol AuthorTable: TableType, Codable where Entity == Author {
  func find(in ids: some Sequence<Author.EntityID>) -> [Author]
  func allEntities() -> [Author]
  func forEach(_ body: (Author) throws -> Void) rethrows
  mutating func updateExists(
    id: Author.EntityID, _ body: (inout Author) throws -> Void
  ) throws -> Author
  mutating func updateIfExists(
    id: Author.EntityID, _ body: (inout Author) throws -> Void
  ) rethrows -> Author?
}

extension Tables.Hash: AuthorTable where Entity == Author {}
extension Tables.Ordered: AuthorTable where Entity == Author {}

extension AuthorTable {
  /// Three authors.
  static var three: Self {
    Self([
      Author(id: "a1", name: "Ann"), Author(id: "a2", name: "Bob"), Author(id: "a3", name: "Cy"),
    ])
  }
}

@Suite("Tables of both types")
struct TableTests {
  struct Oops: Error {}

  static let types: [any AuthorTable.Type] = [
    Tables.Hash<Author>.self, Tables.Ordered<Author>.self,
  ]

  @Test("Reading by ID", arguments: types)
  func reading(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      expectTrue(three.count == 3 && !three.isEmpty)
      expectTrue(three.find(by: "a2")?.name == "Bob" && three["a9"] == nil)
      expectEqual(three["a2"], three.find(by: "a2"))
      expectEqual(three.find(in: ["a3", "a9", "a1", "a3"]).map(\.name), ["Cy", "Ann", "Cy"])
      expectTrue(three.contains("a1") && !three.contains("a9"))
      expectEqual(three.allIDs(), ["a1", "a2", "a3"])
      expectEqual(three.allEntities().map(\.name), ["Ann", "Bob", "Cy"])
      expectEqual(three.map(\.name), ["Ann", "Bob", "Cy"])
      var names: [String] = []
      let take: (Author) -> Void = { names.append($0.name) }
      three.forEach(take)
      expectEqual(names, ["Ann", "Bob", "Cy"])
      expectEqual(three.underestimatedCount, 3)
      expectEqual(three.description, three.allEntities().description)
    }
    check(type)
  }

  @Test("An empty table, and one of rows with a repeated ID", arguments: types)
  func creating(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let empty = Table()
      expectTrue(empty.isEmpty && empty.allIDs() == [] && Array(empty) == [])
      let repeated = Table([
        Author(id: "a1", name: "x"), Author(id: "a2", name: "Bob"), Author(id: "a1", name: "Ann"),
      ])
      expectEqual(repeated.map(\.name), ["Ann", "Bob"])
    }
    check(type)
  }

  @Test("An insertion reports its outcome", arguments: types)
  func inserting(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      let new = table.insert(Author(id: "a4", name: "Dee"))
      expectTrue(new.outcome == .inserted && new.replaced == nil && new.entityID == "a4")
      let same = table.insert(Author(id: "a1", name: "Ann"))
      expectTrue(same.outcome == .unchanged && same.replaced == nil)
      let results = table.insert([Author(id: "a2", name: "Bo"), Author(id: "a5", name: "Eve")])
      expectEqual(results.map(\.replaced?.name), ["Bob", nil])
      expectEqual(results.map(\.entity.name), ["Bo", "Eve"])
      expectEqual(table.map(\.name), ["Ann", "Bo", "Cy", "Dee", "Eve"])
      expectEqual(three.map(\.name), ["Ann", "Bob", "Cy"])
    }
    check(type)
  }

  @Test("Replacing changes an existing row only", arguments: types)
  func replacing(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      var table = Table.three
      expectEqual(table.replace(Author(id: "a1", name: "An"))?.name, "Ann")
      expectEqual(table.map(\.name), ["An", "Bob", "Cy"])
      expectTrue(table.replace(Author(id: "b1", name: "?")) == nil && !table.contains("b1"))
    }
    check(type)
  }

  @Test("Inserting an equal row keeps the version", arguments: types)
  func insertingAnEqualRow(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      table.insert(Author(id: "a1", name: "Ann"))
      expectTrue(table.isIdentical(to: three))
      table.insert(Author(id: "a1", name: "An"))
      expectFalse(table.isIdentical(to: three))
    }
    check(type)
  }

  @Test("Updates return the new row", arguments: types)
  func updating(type: any AuthorTable.Type) throws {
    func check<Table: AuthorTable>(_ type: Table.Type) throws {
      var table = Table.three
      try expectEqual(table.updateExists(id: "a1") { $0.name = "Anna" }.name, "Anna")
      expectEqual(table.updateIfExists(id: "a2") { $0.name = "Bo" }?.name, "Bo")
      expectEqual(table.map(\.name), ["Anna", "Bo", "Cy"])
      let before = table
      expectEqual(table.updateIfExists(id: "a1") { $0.name = "Anna" }?.name, "Anna")
      try expectEqual(table.updateExists(id: "a1") { $0.name = "Anna" }.name, "Anna")
      expectTrue(table.isIdentical(to: before))
    }
    try check(type)
  }

  @Test("An update of a missing row changes nothing", arguments: types)
  func updatingMissing(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      expectNil(table.updateIfExists(id: "a9") { $0.name = "?" })
      let error = #expect(throws: TableError.self) {
        _ = try table.updateExists(id: "a9") { _ in }
      }
      expectEqual(error?.description, "there is no Author a9")
      expectTrue(table.isIdentical(to: three))
    }
    check(type)
  }

  @Test("An update that changes the ID changes nothing", arguments: types)
  func updatingTheID(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      let error = #expect(throws: TableError.self) {
        _ = try table.updateExists(id: "a1") { $0 = Author(id: "a7", name: "?") }
      }
      expectEqual(
        error?.description,
        "an update of Author a1 changed its ID to a7; the row was left unchanged")
      expectNil(table.updateIfExists(id: "a1") { $0 = Author(id: "a7", name: "?") })
      expectTrue(table.isIdentical(to: three))
    }
    check(type)
  }

  @Test("An update whose closure throws changes nothing", arguments: types)
  func throwingUpdates(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      func fail(_ author: inout Author) throws {
        author.name = "?"
        throw Oops()
      }
      #expect(throws: Oops.self) { _ = try table.updateIfExists(id: "a1", fail) }
      #expect(throws: Oops.self) { _ = try table.updateExists(id: "a1", fail) }
      expectTrue(table.isIdentical(to: three))
    }
    check(type)
  }

  @Test("Updating by a predicate", arguments: types)
  func updatingMany(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      var table = Table.three
      func rename(_ author: inout Author) {
        if author.entityID == "a3" {
          author = Author(id: "a9", name: "?")
        } else {
          author.name += "!"
        }
      }
      let updated = table.update(where: { $0.name != "Bob" }, rename)
      expectEqual(updated.map(\.name), ["Ann!"])
      expectEqual(table.map(\.name), ["Ann!", "Bob", "Cy"])
      let before = table
      func failAtTheLast(_ author: inout Author) throws {
        if author.entityID == "a3" { throw Oops() }
        author.name = "?"
      }
      #expect(throws: Oops.self) { try table.update(where: { _ in true }, failAtTheLast) }
      expectTrue(table.isIdentical(to: before))
    }
    check(type)
  }

  @Test("A removal returns the removed row", arguments: types)
  func removing(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      expectTrue(table.remove("a2")?.name == "Bob" && table.remove("a2") == nil)
      table.insert(Author(id: "a2", name: "Bob"))
      expectEqual(table.allIDs(), ["a1", "a3", "a2"])
      expectEqual(table.remove(["a3", "a9", "a1"]).map(\.name), ["Cy", "Ann"])
      table.removeAll()
      expectTrue(table.isEmpty && table == Table() && three.count == 3)
    }
    check(type)
  }

  @Test("Removing by a predicate", arguments: types)
  func removingMany(type: any AuthorTable.Type) {
    func check<Table: AuthorTable>(_ type: Table.Type) {
      let three = Table.three
      var table = three
      #expect(throws: Oops.self) {
        try table.remove { author in
          if author.entityID == "a3" { throw Oops() }
          return true
        }
      }
      expectTrue(table.isIdentical(to: three))
      expectEqual(table.remove { $0.name < "C" }.map(\.name), ["Ann", "Bob"])
      expectEqual(table.allIDs(), ["a3"])
    }
    check(type)
  }

  @Test("Encoded as an array in order, which a table of either type decodes", arguments: types)
  func coding(type: any AuthorTable.Type) throws {
    func check<Table: AuthorTable>(_ type: Table.Type) throws {
      let three = Table.three
      let data = try JSONEncoder().encode(three)
      try expectEqual(JSONDecoder().decode(Table.self, from: data), three)
      for other in Self.types {
        func ids<Other: AuthorTable>(_ other: Other.Type) throws -> [Author.EntityID] {
          try JSONDecoder().decode(Other.self, from: data).allIDs()
        }
        try expectEqual(ids(other), three.allIDs())
      }
    }
    try check(type)
  }

  @Test("Decoding refuses a repeated ID and names it", arguments: types)
  func decodingRepeatedIDs(type: any AuthorTable.Type) {
    let twice = Data(#"[{"id":"a1","name":"x"},{"id":"a1","name":"y"}]"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(type, from: twice)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, not \(String(describing: error))")
      return
    }
    expectEqual(context.debugDescription, "Author a1 is there twice")
    expectEqual(context.codingPath.map(\.stringValue), ["Index 1"])
  }
}

@Suite("Tables.Hash")
struct HashTableTests {
  let three = Tables.Hash<Author>.three

  @Test("Reserving room changes nothing but the room, and no copy")
  func reserving() {
    var table = three
    table.reserveCapacity(2_000)
    expectTrue(table == three && table.allIDs() == three.allIDs())
    for number in 0..<1_000 { table.insert(Author(id: "b\(number)", name: "Bea")) }
    table.reserveCapacity(10)
    expectTrue(table.count == 1_003 && table["b999"]?.name == "Bea" && table["a2"] == three["a2"])
    expectTrue(three.count == 3 && three["b1"] == nil)
  }

  @Test("Equality is that of the content, whatever the order")
  func equality() {
    let reversed = Tables.Hash(three.allEntities().reversed())
    expectTrue(reversed == three && reversed.changes(since: three).isEmpty)
    var other = three
    other.updateIfExists(id: "a1") { $0.name = "?" }
    expectTrue(other != three)
    expectEqual(other.changes(since: three).summary, "Author: 1 updated")
  }
}
