import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("Changing elements of a sorted tree in place")
struct SortedTreeUpdateTests {
  private struct Labelled: Equatable {
    let key: Int
    var label: String
  }

  private enum ByKey: SortedElements {
    static func key(of element: Labelled) -> Int { element.key }
    static func keyPrecedes(_ a: Int, _ b: Int) -> Bool { a < b }
    static func tiePrecedes(_ a: Labelled, _ b: Labelled) -> Bool { false }
  }

  @Test("The last element that satisfies a predicate changes; copies keep the old one")
  func update() {
    for count in [0, 1, 5, 400, 5000] {
      var tree = SortedTree<ByKey>((0..<count).map { Labelled(key: $0 * 2, label: "") })
      let old = tree
      for bound in [-1, 0, 1, 2, count, count + 1, count * 2 - 2, count * 2 + 5] {
        let found = tree.updateLast {
          $0.key <= bound
        } _: { element in
          element.label = "b\(bound)"
          return element.key
        }
        let wanted = min(bound / 2 * 2, count * 2 - 2)
        expectEqual(found, count == 0 || bound < 0 ? nil : wanted)
        if let found { expectEqual(tree.first { $0.key == found }?.label, "b\(bound)") }
        tree.checkInvariants()
      }
      expectTrue(old.allSatisfy { $0.label.isEmpty })
      expectEqual(tree.map(\.key), old.map(\.key))
    }
  }
}
