/// A range of a sorted tree's elements, indexed by their ranks in the whole tree.
///
/// Iterating over it is as fast as iterating over several arrays in turn. Access to a single
/// element by its rank is O(log *n*).
@frozen
public struct SortedSlice<Layout: SortedElements> {
  /// The tree that contains the elements.
  @usableFromInline let tree: SortedTree<Layout>
  /// The ranks of the elements in the tree.
  @usableFromInline let ranks: Range<Int>

  @inlinable
  init(_ tree: SortedTree<Layout>, _ ranks: Range<Int>) {
    self.tree = tree
    self.ranks = ranks
  }

  /// Calls the closure with every element, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(log *n* + *k*) for *k* elements, with no work for an element except the call.
  @inlinable
  @inline(__always)
  public func forEach<Failure: Error>(
    _ body: (Layout.Element) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = SortedLeafCursor(tree, ranks)
    try leaves.forEach(body)
  }
}

extension SortedSlice: TreeCollection {
  /// The rank of the first element.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { ranks.lowerBound }

  /// The rank after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { ranks.upperBound }

  /// The element with a rank, which must be in the slice.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(rank: Int) -> Layout.Element {
    precondition(ranks.contains(rank), "rank outside the slice")
    return tree[rank]
  }

  /// The elements with ranks in a range, which must be within the slice.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> Self {
    precondition(
      bounds.lowerBound >= startIndex && bounds.upperBound <= endIndex,
      "ranks outside the slice")
    return Self(tree, bounds)
  }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Layout.Element> {
    SortedIterator(tree, ranks)
  }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<Layout.Element> {
    SortedReverseIterator(tree, ranks)
  }
}

extension SortedSlice: Sendable where Layout.Element: Sendable {}

/// The position of a leaf in a tree: its parent, and its index among the parent's children.
///
/// Iterators use it to move from one leaf to its neighbor without a search while both have the same
/// parent.
@frozen
@usableFromInline
struct SortedSpan<Layout: SortedElements> {
  /// The node above the leaf; `nil` above a lone leaf and before the first search.
  @usableFromInline var parent: SortedInnerHandle<Layout.Element>?
  @usableFromInline var index: Int

  @inlinable
  init() {
    parent = nil
    index = 0
  }

  /// Moves to the leaf that holds a rank. Returns the leaf's `elements`, their `count`, and the
  /// `slot` of the rank among them.
  @inlinable
  mutating func seek(
    _ rank: Int, in tree: SortedTree<Layout>
  ) -> (elements: UnsafePointer<Layout.Element>, slot: Int, count: Int) {
    var node = tree.rootNode
    var rest = rank
    var level = tree.height
    while level > 0 {
      let branches = node.inner.elements
      var branch = 0
      while rest >= branches[branch].count {
        rest &-= branches[branch].count
        branch &+= 1
      }
      parent = node.inner
      index = branch
      node = branches[branch].child
      level &-= 1
    }
    return (node.leaf.elements, rest, node.leaf.count)
  }

  /// Moves to the leaf at a distance under the same parent, and returns the leaf's elements. If
  /// there is no such leaf, returns `nil`.
  @inlinable
  @inline(__always)
  mutating func step(
    _ distance: Int
  ) -> (elements: UnsafePointer<Layout.Element>, count: Int)? {
    guard let parent else { return nil }
    let next = index &+ distance
    guard next >= 0, next < parent.count else { return nil }
    index = next
    let branch = parent.elements + next
    return (branch.pointee.child.leaf.elements, branch.pointee.count)
  }

  /// Moves to the leaf of the last element before a rank. Returns the `elements` of the leaf, and
  /// the `count` of its elements before the rank. An iteration backward must call only this method.
  /// After the first call, each call must pass the rank at which the previously returned leaf
  /// begins.
  @inlinable
  @inline(never)
  mutating func previous(
    endingAt rank: Int, in tree: SortedTree<Layout>
  ) -> (elements: UnsafePointer<Layout.Element>, count: Int) {
    if let leaf = step(-1) { return leaf }
    let found = seek(rank &- 1, in: tree)
    return (found.elements, found.slot &+ 1)
  }

  /// Prefetches the next leaf under the same parent. Always returns `true`. The caller must use the
  /// result, because the optimizer removes the loads if the result is unused.
  @inlinable
  @inline(__always)
  func prefetchNext() -> Bool {
    guard let parent, index &+ 1 < parent.count else { return true }
    let next = parent.elements + (index &+ 1)
    return next.pointee.child.leaf.prefetch(count: next.pointee.count)
  }
}

/// The operations that leaves and inner nodes have in common, on runs of values in raw memory.
@usableFromInline
enum SortedRun<Value> {
  /// Returns the number of leading values that satisfy a predicate. The predicate must be `true` up
  /// to some value and `false` from there on.
  @inlinable
  @inline(__always)
  static func partition(
    _ values: UnsafePointer<Value>, _ count: Int,
    _ belongsBefore: (UnsafePointer<Value>) -> Bool
  ) -> Int {
    // Without a data-dependent jump, because a misprediction costs more than a comparison.
    var base = values
    var rest = count
    while rest > 1 {
      let half = rest &>> 1
      let isBefore = belongsBefore(base + (half &- 1)) ? 1 : 0
      base += half & (0 &- isBefore)
      rest &-= half
    }
    if rest == 1, belongsBefore(base) { base += 1 }
    return base - values
  }

  /// Inserts a value into a run. The memory must have room for one more value after the run.
  @inlinable
  @inline(__always)
  static func insert(
    _ value: consuming Value, _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) {
    (values + index + 1).moveInitialize(from: values + index, count: count &- index)
    (values + index).initialize(to: value)
  }

  /// Removes a value from a run and closes the gap.
  @inlinable
  @inline(__always)
  static func remove(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) -> Value {
    let value = (values + index).move()
    (values + index).moveInitialize(from: values + index + 1, count: count &- index &- 1)
    return value
  }

  /// Balances two adjacent runs. The left run receives all values if they fit in three quarters of
  /// its capacity; otherwise, each run receives half of them.
  /// - Returns: The number of values on the left.
  @inlinable
  static func balance(
    _ left: UnsafeMutablePointer<Value>, _ leftCount: Int,
    _ right: UnsafeMutablePointer<Value>, _ rightCount: Int, capacity: Int
  ) -> Int {
    let all = leftCount &+ rightCount
    let leftWanted = all <= capacity &* 3 / 4 ? all : all &>> 1
    if leftCount < leftWanted {
      let moved = leftWanted &- leftCount
      (left + leftCount).moveInitialize(from: right, count: moved)
      right.moveInitialize(from: right + moved, count: rightCount &- moved)
    } else {
      let moved = leftCount &- leftWanted
      (right + moved).moveInitialize(from: right, count: rightCount)
      right.moveInitialize(from: left + leftWanted, count: moved)
    }
    return leftWanted
  }

  /// Inserts a value into a full run, and moves the last values to an empty run on its right.
  ///
  /// The halves are unequal where more insertions in order are likely. If the value is inserted at
  /// the end of the last run (`isLast`), the left run stays full. If the value is inserted at the
  /// start of a run, the left run keeps only `minimum` values.
  /// - Returns: The number of values on the left.
  @inlinable
  @inline(__always)
  static func split(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, inserting value: consuming Value,
    at index: Int, into right: UnsafeMutablePointer<Value>, minimum: Int, isLast: Bool
  ) -> Int {
    let left =
      isLast && index == count ? count : index == 0 ? max(1, minimum) : (count &+ 1) &>> 1
    let staying = index < left ? left &- 1 : left
    right.moveInitialize(from: values + staying, count: count &- staying)
    if index < left {
      insert(value, values, staying, at: index)
    } else {
      insert(value, right, count &- staying, at: index &- staying)
    }
    return left
  }
}
