import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("The order of Tables.Ordered")
struct OrderedTableOrderTests {
  let five = Tables.Ordered((1...5).map { Author(id: "a\($0)", name: "\($0)") })

  /// The numbers of the authors in their order.
  func order(_ table: Tables.Ordered<Author>) -> String { table.map(\.name).joined() }

  @Test("Moving to a position")
  func moving() {
    var table = five
    expectTrue(table.move("a1", to: 3) && order(table) == "23415")
    expectTrue(table.move("a5", to: 0) && order(table) == "52341")
    let before = table
    expectTrue(table.move("a3", to: 2) && !table.move("a9", to: 99))
    expectTrue(table.isIdentical(to: before) && order(five) == "12345")
  }

  @Test("append inserts after all others, and keeps the place of a known ID; in batches too")
  func appending() throws {
    var table = five
    expectEqual(table.append(Author(id: "a6", name: "6")).outcome, .inserted)
    let more = [Author(id: "a7", name: "7"), Author(id: "a1", name: "I")]
    expectEqual(table.append(contentsOf: more).map(\.entity.name), ["7", "I"])
    expectTrue(order(table) == "I234567" && order(five) == "12345")
    var feed = Feed()
    let copy = feed
    try feed.performBatchUpdates { context in
      context.modifying.users.append(User(id: 1, email: "a"))
      context.modifying.users.append(contentsOf: (2...3).map { User(id: $0, email: "\($0)") })
      context.modifying.users.append(User(id: 1, email: "b"))
    }
    let users = feed.snapshot.contents.users
    expectTrue(users.map(\.email) == ["b", "2", "3"] && copy.snapshot.contents.users.isEmpty)
  }

  @Test("Positions out of bounds are clamped, and have no entity")
  func stalePositions() {
    var table = five
    expectTrue(table.move("a1", to: 5) && order(table) == "23451")
    expectTrue(table.move("a4", to: .min) && order(table) == "42351")
    table.insert(Author(id: "a6", name: "6"), at: .max)
    table.insert(Author(id: "a7", name: "7"), at: -1)
    expectEqual(order(table), "7423516")
    table.insert([Author(id: "a8", name: "8"), Author(id: "a9", name: "9")], at: 99)
    table.insert([Author(id: "b1", name: "A"), Author(id: "b2", name: "B")], at: .min)
    expectEqual(order(table), "AB742351689")
    let before = table
    expectTrue(table.remove(at: 11) == nil && table.remove(at: -1) == nil)
    expectTrue(table.find(at: 11) == nil && table.isIdentical(to: before))
    var empty = Tables.Ordered<Author>()
    expectTrue(empty.remove(at: 0) == nil && !empty.move("a1", to: 0))
    empty.insert(Author(id: "a1", name: "1"), at: 7)
    expectEqual(empty.count, 1)
  }

  @Test("Moving before and behind another")
  func movingBeside() {
    var table = five
    expectTrue(table.move("a1", before: "a4") && order(table) == "23145")
    expectTrue(table.move("a5", before: "a2") && order(table) == "52314")
    expectTrue(table.move("a5", after: "a3") && order(table) == "23514")
    expectTrue(table.move("a4", after: "a2") && order(table) == "24351")
    let before = table
    expectTrue(table.move("a3", before: "a3") && table.move("a3", after: "a3"))
    expectTrue(table.move("a4", before: "a3") && table.move("a3", after: "a4"))
    expectTrue(!table.move("a3", before: "a9") && !table.move("a9", before: "a3"))
    expectTrue(!table.move("a3", after: "a9") && !table.move("a9", after: "a3"))
    expectTrue(table.isIdentical(to: before))
  }

  @Test("Two change places")
  func swapping() {
    var table = five
    expectTrue(table.swap("a1", "a4") && order(table) == "42315")
    let before = table
    expectTrue(!table.swap("a1", "a9") && !table.swap("a9", "a1") && table.swap("a2", "a2"))
    expectTrue(table.isIdentical(to: before))
  }

  @Test("Sorting is stable and moves as few rows as possible")
  func sorting() {
    struct Oops: Error {}
    var table = Tables.Ordered((0..<1000).map { Author(id: "\($0)", name: "\($0 / 10 + 100)") })
    let sorted = table
    table.sort { $0.name < $1.name }
    expectTrue(table.isIdentical(to: sorted))
    table.move("990", to: 0)
    table.move("500", to: 999)
    let before = table
    #expect(throws: Oops.self) { try table.sort { _, _ in throw Oops() } }
    expectTrue(table.isIdentical(to: before))
    table.sort { $0.name < $1.name }
    expectEqual(table.changes(since: before).moved.map(\.entityID), ["500", "990"])
    expectEqual(Array(table), Array(before).sorted { $0.name < $1.name })
    table.sort { $0.name > $1.name }
    expectEqual(
      Array(table), Array(before).sorted { $0.name < $1.name }.sorted { $0.name > $1.name })
  }

  @Test("Order is a part of equality and of changes")
  func equality() {
    var moved = five
    moved.move("a1", to: 4)
    expectTrue(moved != five && moved.changes(since: five).summary == "Author: 1 moved")
    expectEqual(moved.changes(since: five).moved, [EntityMove(entityID: "a1", from: 0, to: 4)])
    moved.move("a1", to: 0)
    expectTrue(moved == five && moved.changes(since: five).isEmpty)
    let other = Tables.Ordered(five.allEntities())
    expectTrue(other == five && other.changes(since: five).isEmpty)
  }

  @Test("A row that only makes room for another has not moved")
  func shifted() {
    var table = five
    table.insert(Author(id: "a0", name: "0"), at: 0)
    table.remove("a3")
    table.updateIfExists(id: "a5") { $0.name = "five" }
    table.move("a5", to: 1)
    let changes = table.changes(since: five)
    expectTrue(changes.inserted.map(\.id) == ["a0"] && changes.removed.map(\.id) == ["a3"])
    expectEqual(changes.updated.map(\.new.name), ["five"])
    expectEqual(changes.moved, [EntityMove(entityID: "a5", from: 4, to: 1)])
    expectTrue(changes.count == 3 && changes.moved == changes.inverted.inverted.moved)
    expectEqual(changes.inverted.moved, [EntityMove(entityID: "a5", from: 1, to: 4)])
    expectEqual(changes.summary, "Author: 1 inserted, 1 updated, 1 removed, 1 moved")
  }

  @Test("Of two neighbors that change places, either may be said to have moved")
  func neighbors() {
    typealias Order = TableOrderChanges<Author>
    let first = Order(
      taken: [.init(entityID: "a2", position: 1)], placed: [.init(entityID: "a2", position: 2)])
    let second = Order(
      taken: [.init(entityID: "a3", position: 2)], placed: [.init(entityID: "a3", position: 1)])
    let further = Order(
      taken: [.init(entityID: "a2", position: 1)], placed: [.init(entityID: "a2", position: 3)])
    let another = Order(
      taken: [.init(entityID: "a4", position: 1)], placed: [.init(entityID: "a4", position: 2)])
    expectTrue(first == second && second == first)
    expectTrue(first != further && further != second && first != another && first != Order())
    expectTrue(first.composed(with: second.inverted).isEmpty)
    expectTrue(first.composed(with: Order()) == first && Order().composed(with: first) == first)
  }
}
