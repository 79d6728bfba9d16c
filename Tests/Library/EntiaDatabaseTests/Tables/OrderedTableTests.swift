import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Tables.Ordered")
struct OrderedTableTests {
  let three = Tables.Ordered<Author>.three

  @Test("Reading by position")
  func positions() {
    expectEqual(three.positions, 0..<3)
    expectTrue(three[position: 0].name == "Ann" && three[position: 2].name == "Cy")
    expectTrue(three.index(of: "a3") == 2 && three.index(of: "a9") == nil)
    expectEqual(three.find(at: 1)?.name, "Bob")
    expectTrue(three.find(at: 3) == nil && three.find(at: -1) == nil)
    expectEqual(three.find(at: 1..<3).map(\.name), ["Bob", "Cy"])
    expectTrue(three.find(at: 2..<9).map(\.name) == ["Cy"] && three.find(at: 7..<9) == [])
    expectTrue(three.first?.name == "Ann" && three.last?.name == "Cy")
    let empty = Tables.Ordered<Author>()
    expectTrue(empty.first == nil && empty.last == nil && empty.positions.isEmpty)
  }

  @Test("Inserting at a position keeps the position of an existing row")
  func inserting() {
    var table = three
    table.insert(Author(id: "a4", name: "Dee"))
    expectEqual(table.insert(Author(id: "a5", name: "Eve"), at: 1).outcome, .inserted)
    let same = table.insert(Author(id: "a1", name: "Ann"), at: 3)
    expectTrue(same.outcome == .unchanged && same.replaced == nil)
    expectEqual(table.map(\.name), ["Ann", "Eve", "Bob", "Cy", "Dee"])
    table.insert(
      [Author(id: "a7", name: "Gus"), Author(id: "a1", name: "An"), Author(id: "a8", name: "Hal")],
      at: 2)
    expectEqual(table.map(\.name), ["An", "Eve", "Gus", "Hal", "Bob", "Cy", "Dee"])
    expectEqual(three.map(\.name), ["Ann", "Bob", "Cy"])
  }

  @Test("Removing at a position")
  func removing() {
    var table = three
    expectTrue(table.remove(at: 1)?.name == "Bob" && table.allIDs() == ["a1", "a3"])
  }
}
