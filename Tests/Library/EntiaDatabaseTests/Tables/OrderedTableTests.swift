import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import Testing

@Suite("Tables.Ordered")
struct OrderedTableTests {
  let three = Tables.Ordered<Author>.three

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

  @Test("Inserting at a position keeps the position of an existing row")
  func inserting() {
    var table = three
    table.insert(Author(id: "a4", name: "Dee"))
    #expect(table.insert(Author(id: "a5", name: "Eve"), at: 1).outcome == .inserted)
    let same = table.insert(Author(id: "a1", name: "Ann"), at: 3)
    #expect(same.outcome == .unchanged && same.replaced == nil)
    #expect(table.map(\.name) == ["Ann", "Eve", "Bob", "Cy", "Dee"])
    table.insert(
      [Author(id: "a7", name: "Gus"), Author(id: "a1", name: "An"), Author(id: "a8", name: "Hal")],
      at: 2)
    #expect(table.map(\.name) == ["An", "Eve", "Gus", "Hal", "Bob", "Cy", "Dee"])
    #expect(three.map(\.name) == ["Ann", "Bob", "Cy"])
  }

  @Test("Removing at a position")
  func removing() {
    var table = three
    #expect(table.remove(at: 1)?.name == "Bob" && table.allIDs() == ["a1", "a3"])
  }
}
