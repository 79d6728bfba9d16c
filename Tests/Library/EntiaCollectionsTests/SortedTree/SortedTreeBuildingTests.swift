import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("SortedTree: building")
struct SortedTreeBuildingTests {
  @Test("Elements in order are built into a sound tree without a search")
  func inOrder() {
    for count in Array(0...140) + [1_000, 4_444] {
      let slim = (0..<count).map { SlimElement(key: $0 / 2, id: $0 % 2) }
      var tree = Modelled<SlimElement>.Tree()
      let comparisons = Comparisons.counting { tree = .init(slim) }
      #expect(comparisons <= 2 * count, "\(count)")
      expectEqual(Array(tree), slim, "\(count)")
      expectEqual(tree.invariantViolations(), [], "\(count)")
      if count > 1_000 { continue }
      let wide = (0..<count).map { WideElement(key: $0, id: 0) }
      let wideTree = Modelled<WideElement>.Tree(wide)
      expectEqual(Array(wideTree), wide, "\(count)")
      expectEqual(wideTree.invariantViolations(), [], "\(count)")
    }
  }

  @Test("Elements out of order and repeated ones find their places")
  func outOfOrder() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed)
      let count = Int.random(in: 0..<300, using: &random)
      var elements = (0..<count).map { WideElement(key: $0 / 2, id: 0) }
      if seed % 3 == 0 { elements.shuffle(using: &random) }
      if seed % 3 == 1, count > 0 { elements.insert(elements[count / 2], at: count - 1) }
      Modelled(elements).check("seed \(seed)")
    }
  }

  @Test("Trees that were built are changed like any others")
  func changedAfterwards() {
    var subject = Modelled((0..<900).map { WideElement(key: 2 * $0, id: 0) })
    let built = subject
    for key in 0..<300 { subject.insert(WideElement(key: 5 * key, id: 1), "key \(key)") }
    subject.check("inserted")
    for key in 0..<900 where key % 4 > 0 {
      subject.remove(WideElement(key: 2 * key, id: 0), "key \(key)")
    }
    subject.check("removed")
    built.check("what was copied")
  }

  @Test("Equal content is equal, however it came about")
  func equalContent() {
    let elements = (0..<500).map { WideElement(key: $0, id: 0) }
    var random = SplitMix(seed: 5)
    let built = Modelled(elements)
    let grown = Modelled(elements.shuffled(using: &random))
    grown.checkDifferences(from: built, "built and grown")
    var shrunk = Modelled((0..<2_000).map { WideElement(key: $0, id: 0) })
    for key in 500..<2_000 { shrunk.remove(WideElement(key: key, id: 0), "key \(key)") }
    shrunk.checkDifferences(from: built, "built and shrunk")
    built.checkDifferences(from: Modelled(), "from nothing")
    Modelled().checkDifferences(from: built, "to nothing")
    expectEqual(
      [SlimElement(key: 2, id: 0), SlimElement(key: 1, id: 0)] as Modelled.Tree,
      [
        SlimElement(key: 1, id: 0), SlimElement(key: 2, id: 0),
      ])
  }

  @Test("An empty tree has no node, and a small one a small node")
  func smallTrees() {
    typealias Tree = Modelled<SlimElement>.Tree
    #expect(MemoryLayout<Tree>.size <= 24)
    var tree = Tree()
    expectTrue(tree.root == nil && tree.isEmpty && tree == Tree())
    expectTrue(Array(tree) == [] && Array(tree.reversed()) == [] && tree.first == nil)
    let removed = tree.remove(SlimElement(key: 1, id: 1))
    expectNil(removed)
    func room(_ tree: Tree) -> Int {
      tree.isEmpty ? 0 : Int(tree.rootNode.leaf.header.pointee.capacity)
    }
    for key in 0..<10 { tree.insert(SlimElement(key: key, id: 0)) }
    #expect(room(tree) <= 16)
    expectEqual(room(Tree((0..<10).map { SlimElement(key: $0, id: 0) })), 10)
    tree.removeAll()
    expectTrue(tree.root == nil && tree.isEmpty)
  }
}
