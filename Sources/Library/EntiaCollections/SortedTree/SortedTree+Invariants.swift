extension SortedTree: InvariantChecking {
  /// Returns the violated invariants of the tree's structure: none, unless Entia itself has a
  /// defect or the layout's order is inconsistent.
  /// - Complexity: O(*n*).
  @usableFromInline
  package func invariantViolations() -> [String] {
    guard let root else {
      return height == 0 && count == 0 ? [] : ["no root for a count of \(count)"]
    }
    var check = SortedTreeCheck<Layout>()
    check.look(at: rootNode, level: height, isLast: true, place: "root")
    if check.count != count {
      check.violations.append("\(check.count) elements for a count of \(count)")
    }
    if height > 0, rootNode.inner.count < 2 {
      check.violations.append("root: a single branch")
    }
    withExtendedLifetime(root) {}
    return check.violations
  }
}

private struct SortedTreeCheck<Layout: SortedElements> {
  typealias Leaf = SortedLeafHandle<Layout.Element>
  typealias Inner = SortedInnerHandle<Layout.Element>

  var violations: [String] = []
  var count = 0
  var previous: Layout.Element?

  mutating func look(at node: SortedTree<Layout>.Node, level: Int, isLast: Bool, place: String) {
    if level == 0 {
      look(atLeaf: node.leaf, isLast: isLast, place: place)
      return
    }
    let branches = node.inner.elements
    let branchCount = node.inner.count
    expect(branchCount, atLeast: isLast ? 1 : Inner.minimum, atMost: Inner.fanOut, place)
    for index in 0..<branchCount {
      let here = "\(place)/\(index)"
      let before = count
      let first = SortedTree<Layout>.first(of: branches[index].child, level: level - 1)
      let kept = branches[index].first
      if Layout.precedes(first, kept) || Layout.precedes(kept, first) {
        violations.append("\(here): begins with \(first), not with \(kept)")
      }
      look(
        at: branches[index].child, level: level - 1, isLast: isLast && index == branchCount - 1,
        place: here)
      if count - before != branches[index].count {
        violations.append("\(here): \(count - before) elements, not \(branches[index].count)")
      }
    }
  }

  private mutating func look(atLeaf leaf: Leaf, isLast: Bool, place: String) {
    let header = leaf.header.pointee
    expect(
      Int(header.count), atLeast: isLast ? 1 : max(1, Leaf.minimum),
      atMost: Int(header.capacity), place)
    if header.capacity > Leaf.capacity || (header.capacity < Leaf.capacity && place != "root") {
      violations.append("\(place): room for \(header.capacity) elements")
    }
    for slot in 0..<Int(header.count) {
      let element = leaf.elements[slot]
      if let previous, !Layout.precedes(previous, element) {
        violations.append("\(place): \(element) is behind \(previous)")
      }
      previous = element
    }
    count += Int(header.count)
  }

  private mutating func expect(
    _ found: Int, atLeast low: Int, atMost high: Int, _ place: String
  ) {
    if found < low || found > high {
      violations.append("\(place): \(found) entries, not \(low)...\(high)")
    }
  }
}
