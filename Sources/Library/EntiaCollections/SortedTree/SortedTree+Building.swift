extension SortedTree {
  /// Creates a tree of elements. Of several elements that the order considers the same, the first
  /// is stored.
  ///
  /// Elements that are already in order are appended without a search. The first element that is
  /// out of order, and all elements after it, are inserted with a search.
  /// - Complexity: O(*n*) if the elements are in order, O(*n* log *n*) otherwise.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    var builder = SortedBuilder<Layout>()
    var iterator = elements.makeIterator()
    while let element = iterator.next() {
      if builder.append(element) { continue }
      self = builder.finish()
      insert(element)
      while let element = iterator.next() { insert(element) }
      return
    }
    self = builder.finish()
  }
}

extension SortedTree: ExpressibleByArrayLiteral {
  /// Creates a tree of the elements, which may be in any order.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

/// Builds a tree from its first element to its last.
///
/// Nodes keep some free room, so that the first insertions into a new tree split few nodes.
@frozen
@usableFromInline
struct SortedBuilder<Layout: SortedElements> {
  @usableFromInline typealias Element = Layout.Element
  @usableFromInline typealias Leaf = SortedLeafHandle<Element>
  @usableFromInline typealias Inner = SortedInnerHandle<Element>
  @usableFromInline typealias Branch = SortedBranch<Element>

  /// The finished leaves.
  @usableFromInline var leaves: [Branch]
  /// The elements of the current leaf. Their number is not yet in the leaf's header.
  @usableFromInline var elements: UnsafeMutablePointer<Element>?
  @usableFromInline var leaf: Leaf?
  @usableFromInline var count: Int

  @inlinable
  init() {
    leaves = []
    count = 0
  }

  @inlinable
  @inline(__always)
  static var leafFill: Int { Leaf.capacity &- Leaf.capacity / 8 }

  @inlinable
  @inline(__always)
  static var nodeFill: Int { Inner.fanOut &- Inner.fanOut / 8 }

  /// Appends an element, or returns `false` if the last one does not precede it.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) -> Bool {
    if let elements {
      guard Layout.precedes(elements[count &- 1], element) else { return false }
      if count < Self.leafFill {
        (elements + count).initialize(to: element)
        count &+= 1
        return true
      }
    }
    beginLeaf(with: element)
    return true
  }

  @inlinable
  @inline(never)
  mutating func beginLeaf(with element: Element) {
    finishLeaf()
    let leaf = Leaf.make()
    let elements = leaf.mutableElements
    elements.initialize(to: element)
    self.leaf = leaf
    self.elements = elements
    count = 1
  }

  @inlinable
  mutating func finishLeaf() {
    guard let leaf, let elements else { return }
    leaf.setCount(count)
    leaves.append(Branch(child: leaf.cast(), count: count, first: elements.pointee))
    self.leaf = nil
    self.elements = nil
  }

  /// Returns the tree of the appended elements. The builder is empty afterwards.
  @inlinable
  mutating func finish() -> SortedTree<Layout> {
    finishLeaf()
    guard let first = leaves.first else { return SortedTree() }
    if leaves.count == 1 {
      leaves = []
      let leaf = first.child.leaf.resized(to: max(4, first.count))
      return SortedTree(root: leaf.cast(), height: 0, count: first.count)
    }
    var level = leaves
    leaves = []
    var height = 0
    while level.count > 1 {
      level = Self.nodes(above: level)
      height &+= 1
    }
    return SortedTree(root: level[0].child, height: height, count: level[0].count)
  }

  @inlinable
  static func nodes(above branches: [Branch]) -> [Branch] {
    var result: [Branch] = []
    var start = 0
    while start < branches.count {
      let rest = branches.count &- start
      let taken = rest <= Inner.fanOut ? rest : nodeFill
      let node = Inner.make()
      let target = node.mutableElements
      var count = 0
      for index in 0..<taken {
        (target + index).initialize(to: branches[start &+ index])
        count &+= branches[start &+ index].count
      }
      node.mutableHeader.pointee = taken
      result.append(Branch(child: node.cast(), count: count, first: branches[start].first))
      start &+= taken
    }
    return result
  }
}
