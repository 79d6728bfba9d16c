import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// The algorithms of an identified array, its slices and its reverse, against those of an array.
@Suite("IdentifiedArray: sequences of its elements")
struct IdentifiedArraySequenceTests {
  /// Elements in leaves of different lengths, because they were inserted and removed anywhere.
  private static func edited(_ random: inout SplitMix) -> (list: Todos, elements: [Todo]) {
    let initial = Int.random(in: 0...400, using: &random)
    var elements = (0..<initial).map { Todo(id: $0, title: "\($0 % 7)") }
    var list = Todos(uniqueElements: elements)
    for step in 0..<(initial / 2) {
      let position = Int.random(in: 0...elements.count, using: &random)
      if step % 3 == 0, position < elements.count {
        elements.remove(at: position)
        list.remove(at: position)
      } else {
        let new = Todo(id: 1_000 + step, title: "\(step % 7)")
        elements.insert(new, at: position)
        list.insert(new, at: position)
      }
    }
    return (list, elements)
  }

  @Test(
    "Searches, maps and reversals, of the whole and of slices", arguments: 1...UInt64(scaled(3)))
  func algorithms(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let (list, elements) = Self.edited(&random)
    expectSame(list, elements, seed)
    for round in 0..<8 {
      let start = Int.random(in: 0...elements.count, using: &random)
      let end = Int.random(in: start...elements.count, using: &random)
      expectSame(list[start..<end], elements[start..<end], seed)
      let reversed = Array(elements[start..<end].reversed())
      let backward = list[start..<end].reversed()
      expectEqual(Array(backward), reversed)
      // The check takes time in proportion to the square of the length, so only the first slice may
      // be long.
      if round == 0 || reversed.count <= 64 {
        expectEqual(SequenceCheck.violations(of: backward, expecting: reversed), [])
      }
      expectEqual(list[start..<end].reversed().map(\.id), reversed.map(\.id))
      expectEqual(Todos(list[start..<end]).elements, Array(elements[start..<end]))
    }
    let ids = list.ids
    expectEqual(ids.map { $0 }, elements.map(\.id), "seed \(seed)")
    var visited: [Int] = []
    func visit(_ id: Int) { visited.append(id) }
    ids.forEach(visit)
    expectEqual(visited, elements.map(\.id), "seed \(seed)")
    for divisor in [2, 97, 100_000] {
      let predicate: (Int) -> Bool = { $0 % divisor == 1 }
      expectEqual(ids.firstIndex(where: predicate), elements.map(\.id).firstIndex(where: predicate))
      expectEqual(ids.lastIndex(where: predicate), elements.map(\.id).lastIndex(where: predicate))
    }
  }

  /// Compares everything that the two collections have an implementation of their own for.
  private func expectSame<List: RandomAccessCollection, Model: RandomAccessCollection>(
    _ list: List, _ model: Model, _ seed: UInt64
  ) where List.Element == Todo, Model.Element == Todo, List.Index == Int, Model.Index == Int {
    let slice = list as? IdentifiedArraySlice<Int, Todo> ?? (list as? Todos)?[...]
    guard let slice else {
      Issue.record("no identified array")
      return
    }
    let whole = list as? Todos
    expectEqual(Array(slice), Array(model))
    expectEqual(slice.map(\.title), model.map(\.title))
    expectEqual(whole.map { $0.map(\.title) } ?? model.map(\.title), model.map(\.title))
    var visited: [Todo] = []
    func visit(_ todo: Todo) { visited.append(todo) }
    slice.forEach(visit)
    expectEqual(visited, Array(model))
    for title in ["0", "6", "none"] {
      let predicate: (Todo) -> Bool = { $0.title == title }
      let first = model.firstIndex(where: predicate)
      let last = model.lastIndex(where: predicate)
      expectEqual(slice.firstIndex(where: predicate), first, "seed \(seed)")
      expectEqual(slice.lastIndex(where: predicate), last, "seed \(seed)")
      expectEqual(slice.last(where: predicate), model.last(where: predicate), "seed \(seed)")
      expectEqual(Array(slice.prefix { !predicate($0) }), Array(model.prefix { !predicate($0) }))
      expectEqual(Array(slice.drop { !predicate($0) }), Array(model.drop { !predicate($0) }))
      guard let whole else { continue }
      expectEqual(whole.firstIndex(where: predicate), first, "seed \(seed)")
      expectEqual(whole.lastIndex(where: predicate), last, "seed \(seed)")
      expectEqual(whole.last(where: predicate), model.last(where: predicate), "seed \(seed)")
      expectEqual(Array(whole.prefix { !predicate($0) }), Array(model.prefix { !predicate($0) }))
      expectEqual(Array(whole.drop { !predicate($0) }), Array(model.drop { !predicate($0) }))
    }
    for element in [model.first, model.last, Todo(id: -1)].compactMap({ $0 }) {
      expectEqual(slice.firstIndex(of: element), model.firstIndex(of: element))
      expectEqual(slice.lastIndex(of: element), model.lastIndex(of: element))
      expectEqual(
        whole?.firstIndex(of: element) ?? nil, whole == nil ? nil : model.firstIndex(of: element))
      expectEqual(
        whole?.lastIndex(of: element) ?? nil, whole == nil ? nil : model.lastIndex(of: element))
    }
  }

  @Test("An error of a closure ends the iteration")
  func errors() {
    struct Stop: Error {}
    let list = todos(1, 2, 3)
    var visited: [Int] = []
    #expect(throws: Stop.self) {
      _ = try list.map { todo throws(Stop) in
        visited.append(todo.id)
        if todo.id == 2 { throw Stop() }
      }
    }
    expectEqual(visited, [1, 2])
    func stop(_: Todo) throws(Stop) { throw Stop() }
    #expect(throws: Stop.self) { try list[1...].forEach(stop) }
    #expect(throws: Stop.self) { try list.lastIndex { _ in throw Stop() } }
    #expect(throws: Stop.self) { try list.ids.map { _ throws(Stop) in throw Stop() } }
  }

  @Test(
    "A slice that is edited has the elements of an edited array slice", arguments: [0, 1, 5, 200])
  func editedSlices(count: Int) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed)
      let elements = (0..<count).map { Todo(id: $0, title: "t\($0)") }
      let list = Todos(uniqueElements: elements)
      let start = Int.random(in: 0...count, using: &random)
      let end = Int.random(in: start...count, using: &random)
      var slice = list[start..<end]
      var model = elements[start..<end]
      for step in 0..<6 {
        let lower = Int.random(in: model.startIndex...model.endIndex, using: &random)
        let upper = Int.random(in: lower...model.endIndex, using: &random)
        let new = (0..<Int.random(in: 0...3, using: &random)).map {
          Todo(id: 1_000 + step * 3 + $0)
        }
        slice.replaceSubrange(lower..<upper, with: new)
        model.replaceSubrange(lower..<upper, with: new)
        if let first = model.first, step % 2 == 0 {
          slice[slice.startIndex].title += "!"
          model[model.startIndex].title += "!"
          expectEqual(slice.remove(at: slice.startIndex).id, first.id)
          model.remove(at: model.startIndex)
        }
        expectEqual(Array(slice), Array(model), "seed \(seed)")
        expectEqual(slice.indices, model.indices, "seed \(seed)")
        expectEqual(slice.array.elements, Array(model), "seed \(seed)")
      }
      expectEqual(list.elements, elements, "seed \(seed)")
      expectEqual(slice.description, Array(model).description)
    }
  }

  @Test("A new element of a slice replaces none outside the slice")
  func addedToSlice() {
    let list = todos(0, 1, 2, 3)
    var slice = list[1..<3]
    slice.append(Todo(id: 3, title: "new"))
    expectEqual(slice.map(\.id), [1, 2, 3])
    expectEqual(slice.array.map(\.title), ["t1", "t2", "new"])
    slice.append(Todo(id: 2, title: "other"))
    expectEqual(slice.map(\.title), ["t1", "other", "new"])
    expectEqual(list.map(\.title), ["t0", "t1", "t2", "t3"])
    expectEqual(Array(IdentifiedArraySlice<Int, Todo>()), [])
  }
}
