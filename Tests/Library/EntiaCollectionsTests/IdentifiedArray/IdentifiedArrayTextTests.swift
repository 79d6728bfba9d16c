import EntiaCollections
import EntiaTestSupport
import Foundation
import Testing

/// What an identified array looks like from outside: texts, mirrors, JSON, errors.
@Suite("IdentifiedArray: texts")
struct IdentifiedArrayTextTests {
  @Test("Descriptions and mirrors show the elements")
  func descriptions() {
    let array: IdentifiedArrayOf<Number> = [1, 2, 3]
    expectEqual(array.description, "[1, 2, 3]")
    expectEqual(array.debugDescription, "IdentifiedArray<Number>([1, 2, 3])")
    let mirror = Mirror(reflecting: array)
    expectEqual(mirror.displayStyle, .collection)
    expectNil(mirror.superclassMirror)
    expectTrue(mirror.children.allSatisfy { $0.label == nil })
    expectEqual(mirror.children.map { ($0.value as? Number)?.id }, [1, 2, 3])
    let strings = IdentifiedArray(uniqueElements: ["a"], id: \.self)
    expectEqual(strings.description, "[\"a\"]")
  }

  @Test("It is encoded as an array, and decoded from one")
  func coding() throws {
    let list = todos(2, 1)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(list)
    expectEqual(data, try encoder.encode(list.elements))
    try expectEqual(JSONDecoder().decode(Todos.self, from: data), list)
  }

  @Test("A duplicate in what is decoded is named by its offset")
  func duplicateInDecoded() throws {
    let text = #"[{"id":1,"title":"","isComplete":false},{"id":1,"title":"","isComplete":false}]"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Todos.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error")
      return
    }
    expectEqual(context.debugDescription, "Duplicate element at offset 1")
  }

  @Test("Equal arrays have equal hashes, however they came to be")
  func hashing() {
    var list = todos(1, 3)
    list.insert(Todo(id: 2, title: "t2"), at: 1)
    expectEqual(list, todos(1, 2, 3))
    expectEqual(Set([list, todos(1, 2, 3), todos(1, 3)]).count, 2)
    expectTrue(list != todos(1, 3, 2))
    expectFalse(list.isIdentical(to: todos(1, 2, 3)))
    expectTrue(list.isIdentical(to: Todos(list)))
  }

  @Test("Offsets are moved and removed as a list does")
  func offsets() {
    var list = todos(1, 2, 3)
    list.move(fromOffsets: [0, 2], toOffset: 0)
    expectEqual(list.ids, [1, 3, 2])
    list = todos(1, 2, 3)
    list.move(fromOffsets: [0, 2], toOffset: 1)
    expectEqual(list.ids, [1, 3, 2])
    list = todos(1, 2, 3)
    list.move(fromOffsets: [0, 2], toOffset: 2)
    expectEqual(list.ids, [2, 1, 3])
    list.remove(atOffsets: [0, 2])
    expectEqual(list.ids, [1])
  }

  @Test("A few offsets and many are moved and removed alike", arguments: [2, 20, 60])
  func manyOffsets(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    for round in 0..<50 {
      let all = (0..<100).map { Todo(id: $0) }
      let offsets = IndexSet((0..<count).map { _ in Int.random(in: 0..<100, using: &random) })
      let destination = Int.random(in: 0...100, using: &random)
      var moved = Todos(uniqueElements: all)
      moved.move(fromOffsets: offsets, toOffset: destination)
      let stays = { (range: Range<Int>) in range.filter { !offsets.contains($0) } }
      let expected = stays(0..<destination) + Array(offsets) + stays(destination..<100)
      expectEqual(moved.map(\.id), expected, "round \(round)")
      var removed = Todos(uniqueElements: all)
      removed.remove(atOffsets: offsets)
      expectEqual(removed.map(\.id), stays(0..<100), "round \(round)")
    }
  }
}
