import EntiaCollections
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
    #expect(try Todos(elements, duplicates: .keep).map(\.title) == ["a", "b", "d"])
    #expect(try Todos(elements, duplicates: .replace).map(\.title) == ["c", "b", "d"])
    let merged = try Todos(
      elements, id: \.id, duplicates: .merge { Todo(id: $0.id, title: $0.title + $1.title) })
    #expect(merged.map(\.title) == ["ac", "b", "d"])
    let error = #expect(throws: IdentifiedArrayError.self) {
      try Todos(elements, duplicates: .error)
    }
    #expect(error == .duplicateID(id: "1", offset: 2, index: 0))
    #expect(
      error?.description
        == "duplicate ID 1: the new element at offset 2 has the ID of the one at 0")
  }

  @Test("What is appended, inserted or put in a range's place follows the policy")
  func insertions() throws {
    var list = todos(3, 4, 5)
    try list.append(contentsOf: Self.elements, duplicates: .keep)
    #expect(list.map(\.title) == ["t3", "t4", "t5", "a", "b"])
    list = todos(3, 4, 5)
    try list.insert(contentsOf: Self.elements, at: 1, duplicates: .replace)
    #expect(list.map(\.title) == ["d", "c", "b", "t4", "t5"])
    list = todos(3, 4, 5)
    try list.replaceSubrange(0..<2, with: Self.elements, duplicates: .replace)
    #expect(list.map(\.title) == ["c", "b", "d", "t5"])
  }

  @Test("A refused duplicate changes nothing, and is named")
  func refusals() {
    var list = todos(3, 4, 5)
    let error = #expect(throws: IdentifiedArrayError.self) {
      try list.insert(contentsOf: [Todo(id: 8), Todo(id: 5)], at: 0, duplicates: .error)
    }
    #expect(
      error?.description
        == "duplicate ID 5: the new element at offset 1 has the ID of the one at 3")
    #expect(list == todos(3, 4, 5))
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try list.append(contentsOf: Self.elements, duplicates: .merge { _, _ in throw Refusal() })
    }
    #expect(list == todos(3, 4, 5))
  }

  @Test("Merging must keep the ID")
  func mergingKeepsTheID() {
    var list = todos(3)
    let error = #expect(throws: IdentifiedArrayError.self) {
      try list.append(contentsOf: [Todo(id: 3)], duplicates: .merge { _, _ in Todo(id: 4) })
    }
    #expect(
      error?.description
        == "changed ID: the element that replaces the one with the ID 3 has the ID 4")
    #expect(list == todos(3))
  }
}
