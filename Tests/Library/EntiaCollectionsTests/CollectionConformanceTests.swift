import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// Every sequence and collection of the room, against an array of the same elements.
@Suite("Collections: conformances")
struct CollectionConformanceTests {
  /// Empty, one element, a few, and so many that every structure has several nodes.
  static let counts = [0, 1, 2, 5, 300]

  @Test("An identified array, its slices and its IDs", arguments: counts)
  func identifiedArrays(count: Int) {
    let elements = (0..<count).map { Todo(id: $0 * 7, title: "t\($0)") }
    let list = Todos(uniqueElements: elements)
    expectEqual(SequenceCheck.violations(of: list, expecting: elements), [])
    expectEqual(SequenceCheck.violations(of: list.elements, expecting: elements), [])
    expectEqual(SequenceCheck.violations(of: list.ids, expecting: elements.map(\.id)), [])
    expectEqual(SequenceCheck.violations(of: list.reversed(), expecting: elements.reversed()), [])
    let backward = list.ids.reversed()
    expectEqual(
      SequenceCheck.violations(of: backward, expecting: elements.map(\.id).reversed()), [])
    expectEqual(backward.reversed().map { $0 }, elements.map(\.id))
    expectEqual(backward.lastIndex { $0 == 0 }, count == 0 ? nil : count - 1)
    let literal: OrderedIDs<Int> = [3, 1, 2]
    expectEqual(SequenceCheck.violations(of: literal, expecting: [3, 1, 2]), [])
  }

  @Test("A sorted tree, its slices and its elements backward", arguments: counts)
  func sortedTrees(count: Int) {
    checkTree(count, SlimElement.self)
    checkTree(count, WideElement.self)
  }

  private func checkTree<Element: TreeElement>(_ count: Int, _: Element.Type) {
    var tree = SortedTree<TreeLayout<Element>>()
    let elements = (0..<count).map { Element(key: $0 / 2, id: $0) }
    for element in elements.shuffled() { tree.insert(element) }
    expectEqual(SequenceCheck.violations(of: tree, expecting: elements), [])
    expectEqual(SequenceCheck.violations(of: tree[0..<count], expecting: elements), [])
    let part = elements.filter { $0.key >= 1 && $0.key < 3 }
    let slice = tree[tree.ranks(from: .including(1), to: .excluding(3))]
    expectEqual(SequenceCheck.violations(of: slice, expecting: part), [])
    expectEqual(SequenceCheck.violations(of: tree.reversed(), expecting: elements.reversed()), [])
    expectEqual(SequenceCheck.violations(of: slice.reversed(), expecting: part.reversed()), [])
    expectEqual(tree.map(\.id), elements.map(\.id))
    expectEqual(slice.map(\.id), part.map(\.id))
    for element in elements.prefix(5) + elements.suffix(2) {
      expectEqual(tree.firstIndex { $0.id == element.id }, element.id)
      expectEqual(tree.lastIndex { $0.id == element.id }, element.id)
      expectEqual(
        slice.firstIndex { $0.id == element.id }, part.contains(element) ? element.id : nil)
    }
    expectNil(tree.firstIndex { $0.id < 0 })
  }

  @Test("The tables, as sequences", arguments: counts)
  func tables(count: Int) {
    let keys = (0..<count).shuffled().map { IdentifiedKey($0) }
    typealias Layout = SelfKeyed<IdentifiedKey<Int>>
    let ordered = PersistentOrderedTable<Layout>(keys)
    expectEqual(SequenceCheck.violations(of: ordered, expecting: keys), [])
    var table = PersistentTable<Layout>(keys)
    expectEqual(SequenceCheck.violations(of: table, expecting: keys), [])
    for key in keys where key.id % 3 == 0 { table.remove(key) }
    expectEqual(SequenceCheck.violations(of: table, expecting: keys.filter { $0.id % 3 != 0 }), [])
  }

  @Test("The check itself passes arrays and their slices, and finds what is wrong")
  func check() {
    let array = [5, 6, 7]
    expectEqual(SequenceCheck.violations(of: array, expecting: array), [])
    expectEqual(SequenceCheck.violations(of: array[1...], expecting: [6, 7]), [])
    expectTrue(SequenceCheck.violations(of: array, expecting: [5, 7, 6]) != [])
    expectTrue(SequenceCheck.violations(of: array, expecting: [5, 6]) != [])
    for fault in FaultyCollection.Fault.allCases {
      let faulty = FaultyCollection(fault: fault)
      let violations = SequenceCheck.violations(of: faulty, expecting: [0, 1, 2, 3])
      expectEqual(violations.isEmpty, fault == .none, "\(fault)")
    }
  }
}

/// Four numbers that are their own indices, with a mistake.
private struct FaultyCollection: RandomAccessCollection {
  enum Fault: CaseIterable {
    case none, isEmpty, before, distance, limitBehind, noLimit, slice, iterator
  }

  let fault: Fault
  var startIndex = 0
  var endIndex = 4

  var isEmpty: Bool { fault == .isEmpty || startIndex == endIndex }

  subscript(position: Int) -> Int { position }

  subscript(bounds: Range<Int>) -> Self {
    var slice = self
    slice.startIndex = bounds.lowerBound
    slice.endIndex = fault == .slice ? Swift.max(bounds.lowerBound, 2) : bounds.upperBound
    return slice
  }

  func index(after position: Int) -> Int { position + 1 }

  func index(before position: Int) -> Int { position - (fault == .before ? 2 : 1) }

  func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

  func index(_ position: Int, offsetBy distance: Int, limitedBy limit: Int) -> Int? {
    let room = limit - position
    if fault == .noLimit { return position + distance }
    if fault == .limitBehind, abs(room) < abs(distance) { return nil }
    if distance > 0 ? room >= 0 && room < distance : room <= 0 && distance < room { return nil }
    return position + distance
  }

  func distance(from start: Int, to end: Int) -> Int {
    fault == .distance ? abs(end - start) : end - start
  }

  func makeIterator() -> AnyIterator<Int> {
    var next = startIndex
    let step = fault == .iterator ? 2 : 1
    return AnyIterator {
      guard next < endIndex else { return nil }
      defer { next += step }
      return next
    }
  }
}
