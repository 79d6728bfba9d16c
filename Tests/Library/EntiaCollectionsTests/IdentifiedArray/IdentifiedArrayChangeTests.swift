import EntiaCollections
import EntiaTestSupport
import Testing

@Suite("IdentifiedArray: changes")
struct IdentifiedArrayChangeTests {
  @Test("Changes say what came, went, differs and moved")
  func example() throws {
    let before = todos(1, 2, 3, 4, 5)
    var list = before
    list.move(from: 4, to: 0)
    list[id: 2]?.title = "x"
    list.remove(id: 3)
    list.insert(Todo(id: 6), at: 2)
    let changes = list.changes(since: before)
    expectEqual(changes.moved.map(\.id), [5])
    expectEqual(changes.moved.map(\.from), [4])
    expectEqual(changes.moved.map(\.to), [0])
    expectEqual(changes.updated.map(\.id), [2])
    expectEqual(changes.updated.map(\.old.title), ["t2"])
    expectEqual(changes.updated.map(\.new.title), ["x"])
    expectEqual(changes.removed.map(\.index), [2])
    expectEqual(changes.inserted.map(\.index), [2])
    expectFalse(changes.isEmpty)
    expectTrue(list.changes(since: list).isEmpty)
    var other = before
    try other.apply(changes)
    expectEqual(other, list)
    try other.apply(changes.inverted)
    expectEqual(other, before)
  }

  @Test("Changes that do not fit are refused, and change nothing")
  func conflicts() {
    let before = todos(1, 2, 3)
    func refused(_ change: (inout Todos) -> Void, _ list: Todos) -> String? {
      var after = before
      change(&after)
      var target = list
      let error = #expect(throws: IdentifiedArrayError.self) {
        try target.apply(after.changes(since: before))
      }
      expectEqual(target, list)
      return error?.description
    }
    expectEqual(
      refused({ $0.remove(id: 2) }, todos(1, 3)),
      "conflict at ID 2: the element to remove is missing or another one")
    expectEqual(
      refused({ $0.move(from: 2, to: 0) }, todos(1, 2)),
      "conflict at ID 3: the element to move is missing")
    expectEqual(
      refused({ $0.append(Todo(id: 4)) }, todos(1, 2, 3, 4)),
      "conflict at ID 4: the element to insert is there")
    expectEqual(
      refused({ $0.append(Todo(id: 4)) }, todos(1)), "conflict at ID 4: index 3 of 1 elements")
    expectEqual(
      refused({ $0[id: 1]?.title = "x" }, todos(2, 3)),
      "conflict at ID 1: the element to update is missing or another one")
  }

  @Test("Law 3: changes applied to the old version give the new one, and are empty between equals")
  func law() throws {
    for seed in 1...UInt64(scaled(12)) {
      var random = SplitMix(seed: seed)
      let size = [3, 30, 400, 3_000][Int(seed % 4)]
      var list = Todos(uniqueElements: (0..<size).map { Todo(id: $0) })
      var versions = [list]
      for _ in 0..<6 {
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          Self.change(&list, size, &random)
        }
        for old in versions {
          let changes = list.changes(since: old)
          expectEqual(changes.isEmpty, list == old, "seed \(seed)")
          expectEqual(list == old, list.elements == old.elements, "seed \(seed)")
          var target = old
          try target.apply(changes)
          expectEqual(target.elements, list.elements, "seed \(seed)")
          try target.apply(changes.inverted)
          expectEqual(target.elements, old.elements, "seed \(seed)")
        }
        versions.append(list)
        // Histories fork.
        if Bool.random(using: &random) { list = versions.randomElement(using: &random) ?? list }
      }
    }
  }

  static func change(_ list: inout Todos, _ size: Int, _ random: inout SplitMix) {
    let id = Int.random(in: 0..<(size * 2), using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: list.insert(Todo(id: id), at: Int.random(in: 0...list.count, using: &random))
    case 1: list.remove(id: id % size)
    case 2: list[id: id % size]?.title += "x"
    case 3, 4:
      if list.isEmpty { return }
      list.move(
        from: Int.random(in: 0..<list.count, using: &random),
        to: Int.random(in: 0..<list.count, using: &random))
    default:
      let start = Int.random(in: 0...list.count, using: &random)
      list.removeSubrange(start..<min(start + 5, list.count))
    }
  }
}
