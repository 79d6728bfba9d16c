import EntiaCollections
import EntiaTestSupport
import Testing

@Suite("IdentifiedArray: duplicates")
struct IdentifiedArrayDuplicateTests {
  static let elements = [
    Todo(id: 1, title: "a"), Todo(id: 2, title: "b"), Todo(id: 1, title: "c"),
    Todo(id: 3, title: "d"),
  ]

  @Test("An array of elements with one ID follows the policy")
  func initializers() throws {
    let elements = Self.elements
    try expectEqual(Todos(elements, duplicates: .keep).map(\.title), ["a", "b", "d"])
    try expectEqual(Todos(elements, duplicates: .replace).map(\.title), ["c", "b", "d"])
    let merged = try Todos(
      elements, id: \.id, duplicates: .merge { Todo(id: $0.id, title: $0.title + $1.title) })
    expectEqual(merged.map(\.title), ["ac", "b", "d"])
    let error = #expect(throws: IdentifiedArrayError.self) {
      try Todos(elements, duplicates: .error)
    }
    expectEqual(error, .duplicateID(id: "1", offset: 2, index: 0))
    expectEqual(
      error?.description, "duplicate ID 1: the new element at offset 2 has the ID of the one at 0")
  }

  @Test("What is appended or inserted follows the policy")
  func insertions() throws {
    var list = todos(3, 4, 5)
    try list.append(contentsOf: Self.elements, duplicates: .keep)
    expectEqual(list.map(\.title), ["t3", "t4", "t5", "a", "b"])
    list = todos(3, 4, 5)
    try list.insert(contentsOf: Self.elements, at: 1, duplicates: .replace)
    expectEqual(list.map(\.title), ["d", "c", "b", "t4", "t5"])
    list = todos(3, 4, 5)
    list.removeSubrange(0..<2)
    try list.insert(contentsOf: Self.elements, at: 0, duplicates: .replace)
    expectEqual(list.map(\.title), ["c", "b", "d", "t5"])
  }

  @Test("A refused duplicate changes nothing, and is named")
  func refusals() {
    var list = todos(3, 4, 5)
    let error = #expect(throws: IdentifiedArrayError.self) {
      try list.insert(contentsOf: [Todo(id: 8), Todo(id: 5)], at: 0, duplicates: .error)
    }
    expectEqual(
      error?.description, "duplicate ID 5: the new element at offset 1 has the ID of the one at 3")
    expectEqual(list, todos(3, 4, 5))
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try list.append(contentsOf: Self.elements, duplicates: .merge { _, _ in throw Refusal() })
    }
    expectEqual(list, todos(3, 4, 5))
  }

  @Test("Merging must keep the ID")
  func mergingKeepsTheID() {
    var list = todos(3)
    let error = #expect(throws: IdentifiedArrayError.self) {
      try list.append(contentsOf: [Todo(id: 3)], duplicates: .merge { _, _ in Todo(id: 4) })
    }
    expectEqual(
      error?.description, "changed ID: the element that replaces the one with the ID 3 has the ID 4"
    )
    expectEqual(list, todos(3))
  }

  @Test("Merging keeps a NaN, which is one ID")
  func mergingNaN() throws {
    struct Value: Identifiable {
      let id: Double
      var number: Int
    }
    var list = IdentifiedArray(uniqueElements: [Value(id: .nan, number: 5)], id: \.id)
    try list.append(
      contentsOf: [Value(id: .nan, number: 2)],
      duplicates: .merge { Value(id: $0.id, number: $0.number + $1.number) })
    expectEqual(list.map(\.number), [7])
  }
}
