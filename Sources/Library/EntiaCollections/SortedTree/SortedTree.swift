/// A persistent sorted collection: a value whose copies cost nothing and share their structure.
///
/// It is a counted B+ tree. The leaves hold the elements. For each child, an inner node stores the
/// number of elements below the child, and the first of these elements. A uniquely referenced tree
/// is changed in place, whereas a change of a shared tree copies one path. Elements are numbered
/// from 0 in order; an element's number is its rank.
///
/// ```swift
/// var years = SortedTree<KeyThenID<Int, String>>()
/// years.insert(SortedEntry(key: 1967, id: "b1"))
/// years.insert(SortedEntry(key: 1984, id: "b2"))
/// years[years.ranks(from: .including(1960), to: .excluding(1970))].map(\.id)  // ["b1"]
/// ```
@frozen
public struct SortedTree<Layout: SortedElements> {
  /// The type of the elements.
  public typealias Element = Layout.Element
  /// The type of the keys.
  public typealias Key = Layout.Key

  @usableFromInline typealias Leaf = SortedLeafHandle<Element>
  @usableFromInline typealias Inner = SortedInnerHandle<Element>
  @usableFromInline typealias Branch = SortedBranch<Element>
  @usableFromInline typealias Node = NodeRef<SortedTreeNode<Element>>

  /// A leaf when the height is 0, an inner node otherwise; `nil` in an empty tree.
  @usableFromInline var root: AnyObject?
  /// The number of levels of inner nodes.
  @usableFromInline var height: Int
  @usableFromInline var elementCount: Int

  /// Creates an empty tree.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
    root = nil
    height = 0
    elementCount = 0
  }

  /// Takes ownership of the only reference to a root.
  @inlinable
  init(root: Node, height: Int, count: Int) {
    self.root = root.cast(to: AnyNode.self).takeObject()
    self.height = height
    elementCount = count
  }

  /// The root of a tree that is not empty.
  @inlinable
  @inline(__always)
  var rootNode: Node { AnyNode(borrowing: root.unsafelyUnwrapped).cast() }

  /// Whether two trees are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: Self) -> Bool { root === other.root }
}

// Nodes are changed only while uniquely referenced, so sharing them between threads is safe.
extension SortedTree: @unchecked Sendable where Layout.Element: Sendable {}

/// A bound of a range of keys, in the order of a tree.
public enum SortedBound<Key> {
  /// Before the first or after the last element.
  case unbounded
  /// At a key. The range includes elements with this key.
  case including(Key)
  /// At a key. The range excludes elements with this key.
  case excluding(Key)
}

extension SortedBound: Equatable where Key: Equatable {}
extension SortedBound: Hashable where Key: Hashable {}
extension SortedBound: Sendable where Key: Sendable {}

// Access to an element by its rank is O(log n), where the protocol expects O(1). All other
// operations, including iteration, have the complexity that the protocol requires.
extension SortedTree: TreeCollection {
  /// The rank after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { elementCount }

  /// The element with a rank, which must be in the tree.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(rank: Int) -> Element {
    precondition(rank >= 0 && rank < elementCount, "rank outside the tree")
    return element(at: rank)
  }

  /// The elements with ranks in a range, which must be within the tree.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> SortedSlice<Layout> {
    precondition(
      bounds.lowerBound >= 0 && bounds.upperBound <= elementCount, "ranks outside the tree")
    return SortedSlice(self, bounds)
  }

  /// Returns the element with a rank, or `nil` if the tree has no such element.
  /// - Complexity: O(log *n*).
  @inlinable
  package func nth(_ rank: Int) -> Element? {
    rank >= 0 && rank < elementCount ? element(at: rank) : nil
  }

  /// The first element, or `nil` in an empty tree.
  /// - Complexity: O(1).
  @inlinable
  public var first: Element? {
    guard let root else { return nil }
    let element = Self.first(of: rootNode, level: height)
    withExtendedLifetime(root) {}
    return element
  }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Element> {
    SortedIterator(self, 0..<elementCount)
  }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<Element> {
    SortedReverseIterator(self, 0..<elementCount)
  }

  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*), with no work for an element except the call.
  @inlinable
  @inline(__always)
  public func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = SortedLeafCursor(self, 0..<elementCount)
    try leaves.forEach(body)
  }

  @inlinable
  func element(at rank: Int) -> Element {
    var span = SortedSpan<Layout>()
    let found = span.seek(rank, in: self)
    let element = found.elements[found.slot]
    withExtendedLifetime(root) {}
    return element
  }
}

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
