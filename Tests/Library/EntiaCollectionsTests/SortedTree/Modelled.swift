import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// A tree and the sorted array that it must equal.
struct Modelled<Element: TreeElement> {
  typealias Tree = SortedTree<TreeLayout<Element>>

  var tree = Tree()
  var model: [Element] = []

  static func precedes(_ a: Element, _ b: Element) -> Bool { (a.key, a.id) < (b.key, b.id) }

  init() {}

  /// Builds both from elements in any order.
  init(_ elements: [Element]) {
    tree = Tree(elements)
    model = elements.sorted(by: Self.precedes)
    var index = 1
    while index < model.count {
      if model[index - 1] == model[index] { model.remove(at: index) } else { index += 1 }
    }
  }

  /// Where an element is in the model, or would go.
  func place(of element: Element) -> Int {
    var low = 0
    var high = model.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(model[middle], element) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func insert(_ element: Element, _ where: String) {
    let place = place(of: element)
    let isThere = place < model.count && model[place] == element
    if !isThere { model.insert(element, at: place) }
    expectEqual(tree.insert(element), !isThere, "\(`where`)")
  }

  mutating func remove(_ element: Element, _ where: String) {
    let place = place(of: element)
    let isThere = place < model.count && model[place] == element
    if isThere { model.remove(at: place) }
    expectEqual(tree.remove(element), isThere ? element : nil, "\(`where`)")
  }

  /// Checks content and structure.
  func check(_ where: String) {
    expectEqual(tree.count, model.count, "\(`where`)")
    expectEqual(Array(tree), model, "\(`where`)")
    expectEqual(tree.invariantViolations(), [], "\(`where`)")
  }

  /// Checks what two versions tell of each other.
  func checkDifferences(from old: Self, _ where: String) {
    var expected: [SortedDifference<Element>] = []
    var i = 0
    var j = 0
    while i < old.model.count || j < model.count {
      if j == model.count
        || (i < old.model.count && Self.precedes(old.model[i], model[j]))
      {
        expected.append(.removed(old.model[i]))
        i += 1
      } else if i == old.model.count || Self.precedes(model[j], old.model[i]) {
        expected.append(.inserted(model[j]))
        j += 1
      } else {
        i += 1
        j += 1
      }
    }
    expectEqual(tree.differences(from: old.tree), expected, "\(`where`)")
    expectEqual(tree == old.tree, expected.isEmpty, "\(`where`)")
  }
}
