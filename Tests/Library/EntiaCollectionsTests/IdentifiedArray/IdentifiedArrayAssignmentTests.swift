import EntiaCollections
import EntiaTestSupport
import Testing

/// What the standard algorithms rely on: elements that are put back in another order.
@Suite("IdentifiedArray: assigning by position")
struct IdentifiedArrayAssignmentTests {
  @Test("Assigning an element that stands elsewhere swaps it with the one at the position")
  func swapping() {
    var numbers = IdentifiedArray(uniqueElements: [0, 1, 2, 3, 4], id: \.self)
    numbers[0] = 3
    expectEqual(numbers.elements, [3, 1, 2, 0, 4])
    numbers[1] = 1
    expectEqual(numbers.elements, [3, 1, 2, 0, 4])
    numbers[1] = 9
    expectEqual(numbers.elements, [3, 9, 2, 0, 4])
    expectNil(numbers.index(id: 1))
  }

  @Test("A rotation by hand works as it does in an array")
  func rotation() {
    var a = IdentifiedArray(uniqueElements: [0, 1, 2, 3], id: \.self)
    let t = a[0]
    a[0] = a[3]
    a[3] = a[2]
    a[2] = a[1]
    a[1] = t
    expectEqual(a.elements, [3, 0, 1, 2])
  }

  @Test("An assigned element replaces the one with its ID, in an older version's copy too")
  func replacing() {
    var list = todos(1, 2, 3)
    let before = list
    list[0] = Todo(id: 3, title: "new")
    expectEqual(list.map(\.title), ["new", "t2", "t1"])
    expectEqual(list[id: 3]?.title, "new")
    expectEqual(before, todos(1, 2, 3))
  }

  @Test(
    "Algorithms of the collection protocols, used through them, give what an array gives",
    arguments: [0, 1, 2, 7, 100])
  func algorithms(count: Int) throws {
    for seed in 1...UInt64(scaled(7)) {
      var random = SplitMix(seed: seed)
      let array = (0..<count).shuffled(using: &random)
      let list = IdentifiedArray(uniqueElements: array, id: \.self)
      for algorithm in ReorderingAlgorithm.allCases {
        var expected = array
        var found = list
        let held = found
        algorithm.apply(to: &expected, seed: seed)
        algorithm.apply(to: &found, seed: seed)
        expectEqual(found.elements, expected, "\(algorithm), seed \(seed)")
        expectEqual(held.elements, array, "\(algorithm), seed \(seed)")
        expectTrue(expected.allSatisfy { found.index(id: $0) == expected.firstIndex(of: $0) })
        expected = array
        found = list
        let middle = count / 3..<count
        algorithm.apply(to: &expected[middle], seed: seed)
        algorithm.apply(to: &found[middle], seed: seed)
        expectEqual(found.elements, expected, "a slice, \(algorithm), seed \(seed)")
      }
    }
  }

  @Test("A generic removal keeps the others in order")
  func removal() {
    func removeOdd<Items: RangeReplaceableCollection & MutableCollection>(_ items: inout Items)
    where Items.Element == Todo {
      items.removeAll { $0.id % 2 == 1 }
      items.append(contentsOf: [Todo(id: 8), Todo(id: 2)])
    }
    var list = todos(1, 2, 3, 4, 5, 6)
    removeOdd(&list)
    expectEqual(list.ids, [2, 4, 6, 8])
  }
}

/// The standard algorithms that put elements in another order, without a concrete type's own.
private enum ReorderingAlgorithm: CaseIterable {
  case sort, reverse, shuffle, partition, swap, insertionSort, rotation

  func apply<Items: MutableCollection & RandomAccessCollection>(
    to items: inout Items, seed: UInt64
  )
  where
    Items.Element == Int, Items.Index == Int,
    Items.SubSequence: MutableCollection & RandomAccessCollection
  {
    var random = SplitMix(seed: seed)
    switch self {
    case .sort: items.sort { $0 % 10 == $1 % 10 ? $0 < $1 : $0 % 10 < $1 % 10 }
    case .reverse: items.reverse()
    case .shuffle: items.shuffle(using: &random)
    case .partition:
      // The order inside the halves is not specified.
      let pivot = items.partition { $0 % 3 == 0 }
      items[..<pivot].sort()
      items[pivot...].sort()
    case .swap:
      guard !items.isEmpty else { return }
      for _ in 0..<10 {
        items.swapAt(
          Int.random(in: items.startIndex..<items.endIndex, using: &random),
          Int.random(in: items.startIndex..<items.endIndex, using: &random))
      }
    case .insertionSort:
      // An element that is shifted stands twice for a moment.
      for end in items.indices.dropFirst() {
        let element = items[end]
        var place = end
        while place > items.startIndex, items[place - 1] > element {
          items[place] = items[place - 1]
          place -= 1
        }
        items[place] = element
      }
    case .rotation:
      guard let first = items.first else { return }
      for index in items.indices.dropLast() { items[index] = items[index + 1] }
      items[items.endIndex - 1] = first
    }
  }
}
