import EntiaCollections
import EntiaTestSupport
import Foundation
import Testing

@Suite("OrderedIDs")
struct OrderedIDsTests {
  typealias IDs = OrderedIDs<Int>

  @Test("The IDs of an array do not keep its elements alive", arguments: [1, 40, 2_000])
  func lifetime(count: Int) {
    let census = Tracked.Census()
    struct Row: Identifiable {
      let id: String
      let value: Tracked
    }
    var rows: IdentifiedArrayOf<Row> = []
    for number in 0..<count { rows.append(Row(id: "\(number)", value: Tracked(census))) }
    let ids = rows.ids
    rows = []
    expectEqual(census.count, 0)
    expectEqual(ids.elements, (0..<count).map { "\($0)" })
    expectTrue(ids.contains("0") && !ids.contains("-1"))
    expectEqual(ids.firstIndex(of: "\(count - 1)"), count - 1)
  }

  @Test("The IDs of an array with a history are its elements', and stay what they were")
  func versions() {
    for seed in 1...UInt64(scaled(7)) {
      var random = SplitMix(seed: seed)
      var list = Todos(uniqueElements: (0..<(seed % 2 == 0 ? 900 : 12)).map { Todo(id: $0) })
      var kept: [(ids: IDs, expected: [Int])] = []
      for _ in 0..<300 {
        let id = Int.random(in: 0..<1_000, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: list.insert(Todo(id: id), at: list.count / 2)
        case 1: list.remove(id: id)
        case 2: list[id: id]?.title += "x"
        case 3: if list.count > 30 { list.removeSubrange(10..<25) }
        default: if !list.isEmpty { list.move(from: list.count - 1, to: list.count / 3) }
        }
        if id % 20 == 0 { kept.append((list.ids, list.map(\.id))) }
      }
      for (ids, expected) in kept {
        expectEqual(ids.elements, expected, "seed \(seed)")
        expectEqual(ids, IDs(expected), "seed \(seed)")
        expectTrue(expected.indices.allSatisfy { ids.firstIndex(of: expected[$0]) == $0 })
        var changed = ids
        for id in expected.prefix(40) { changed.remove(id) }
        changed.append(-1)
        expectEqual(changed.elements, expected.dropFirst(40) + [-1], "seed \(seed)")
        expectEqual(ids.elements, expected, "seed \(seed)")
      }
    }
  }

  @Test("Their algebra is that of sets, in order")
  func algebra() {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed)
      func numbers() -> [Int] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Int.random(in: 0...5, using: &random)
        }
      }
      let (a, b) = (IDs(numbers()), numbers())
      let (x, y) = (Set(a), Set(b))
      func check(_ ids: IDs, _ expected: Set<Int>, _ order: [Int]) {
        expectEqual(Set(ids), expected, "seed \(seed)")
        expectEqual(ids, IDs(order.filter { expected.contains($0) }), "seed \(seed)")
      }
      let order = a.elements + b
      check(a.union(b), x.union(y), order)
      check(a.intersection(b), x.intersection(y), order)
      check(a.subtracting(b), x.subtracting(y), order)
      check(a.symmetricDifference(b), x.symmetricDifference(y), order)
      expectEqual(a.isSubset(of: b), x.isSubset(of: y))
      expectEqual(a.isSuperset(of: b), x.isSuperset(of: y))
      expectEqual(a.isDisjoint(with: b), x.isDisjoint(with: y))
      expectEqual(a.isEqualSet(to: b), x == y)
      expectEqual(a.isSubset(of: y), x.isSubset(of: y))
      var changed = a
      changed.formUnion(b)
      expectEqual(changed, a.union(b))
      changed.formIntersection(a)
      expectEqual(changed, a)
      changed.subtract(b)
      expectEqual(changed, a.subtracting(b))
      changed.formSymmetricDifference(b)
      expectEqual(changed, a.subtracting(b).symmetricDifference(b))
    }
  }

  @Test("IDs of different elements are compared; a filter gives IDs")
  func elementTypes() {
    struct Row: Identifiable {
      let id: Int
    }
    let rows: IdentifiedArrayOf<Row> = [Row(id: 3), Row(id: 1)]
    expectEqual(rows.ids, todos(3, 1).ids)
    expectEqual(rows.ids.hashValue, todos(3, 1).ids.hashValue)
    expectTrue(rows.ids != todos(1, 3).ids)
    expectTrue(rows.ids.isEqualSet(to: todos(1, 3).ids))
    expectEqual(rows.ids.union(todos(2).ids), [3, 1, 2])
    let odd: IDs = todos(1, 2, 3).ids.filter { $0 % 2 == 1 }
    expectEqual(odd, [1, 3])
    expectEqual(odd.sorted(by: >), [3, 1])
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { let _: IDs = try odd.filter { _ in throw Refusal() } }
  }

  @Test("They are appended and removed once")
  func changes() {
    var ids: IDs = [2, 1, 2]
    let before = ids
    #expect(ids.append(2) == (false, 0))
    #expect(ids.append(5) == (true, 2))
    expectEqual(ids.remove(2), 2)
    expectNil(ids.remove(2))
    expectEqual(ids, [1, 5])
    expectEqual(before, [2, 1])
    expectTrue(IDs().isEmpty)
    expectTrue(before.isIdentical(to: IDs(before)))
  }

  @Test("They are shown and coded as an array")
  func texts() throws {
    let ids = todos(3, 1).ids
    expectEqual(ids.description, "[3, 1]")
    expectEqual(ids.debugDescription, "[3, 1]")
    expectEqual("\(ids)", "[3, 1]")
    expectEqual(IdentifiedArray(uniqueElements: ["a"], id: \.self).ids.description, "[\"a\"]")
    let mirror = Mirror(reflecting: ids)
    expectEqual(mirror.displayStyle, .collection)
    expectEqual(mirror.children.map { $0.value as? Int }, [3, 1])
    var text = ""
    dump(ids, to: &text)
    expectFalse(text.contains("Table"))
    let data = try JSONEncoder().encode(ids)
    expectEqual(String(decoding: data, as: UTF8.self), "[3,1]")
    try expectEqual(JSONDecoder().decode(IDs.self, from: data), ids)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(IDs.self, from: Data("[1,2,1]".utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error")
      return
    }
    expectEqual(context.debugDescription, "Duplicate ID at offset 2")
  }

  @Test("Changes of the order are those of an array of unique IDs", arguments: [true, false])
  func ordering(isShared: Bool) throws {
    for seed in 1...UInt64(scaled(7)) {
      var random = SplitMix(seed: seed)
      var model = Array(0..<Int.random(in: 0..<300, using: &random))
      var ids = IDs(model)
      var copies: [(ids: IDs, expected: [Int])] = []
      for _ in 0..<60 {
        if isShared { copies.append((ids, model)) }
        let id = Int.random(in: 0..<400, using: &random)
        let first = Int.random(in: 0...model.count, using: &random)
        let second = Int.random(in: 0...model.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          ids.append(contentsOf: [id, id, id + 1])
          for new in [id, id + 1] where !model.contains(new) { model.append(new) }
        case 1:
          let known = model.firstIndex(of: id)
          let result = ids.insert(id, at: first)
          #expect(result == (known == nil, known ?? first), "seed \(seed)")
          if known == nil { model.insert(id, at: first) }
        case 2 where first < model.count:
          expectEqual(ids.remove(at: first), model.remove(at: first), "seed \(seed)")
        case 3 where max(first, second) < model.count:
          ids.move(from: first, to: second)
          model.insert(model.remove(at: first), at: second)
        case 4:
          ids.sort { $0 % 10 < $1 % 10 }
          model.sort { $0 % 10 < $1 % 10 }
        default:
          ids.sort()
          model.sort()
        }
        expectEqual(ids.elements, model, "seed \(seed)")
        expectTrue(model.enumerated().allSatisfy { ids.firstIndex(of: $1) == $0 }, "seed \(seed)")
      }
      for copy in copies { expectEqual(copy.ids.elements, copy.expected, "seed \(seed)") }
      let before = ids
      if ids.count > 1 {
        #expect(throws: CancellationError.self) {
          try ids.sort { _, _ in throw CancellationError() }
        }
      }
      expectEqual(ids, before, "seed \(seed)")
    }
  }
}
