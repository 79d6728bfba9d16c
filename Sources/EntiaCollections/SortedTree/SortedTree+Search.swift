extension SortedTree {
  /// Returns whether there is an element that the order does not tell from this one.
  /// - Complexity: O(log *n*).
  @inlinable
  public func contains(_ element: Element) -> Bool { rank(of: element) != nil }

  /// Returns how many elements precede this one, or `nil` when it is not there.
  /// - Complexity: O(log *n*).
  @inlinable
  public func rank(of element: Element) -> Int? {
    guard let place = place(behind: element), holds(element, before: place) else { return nil }
    return place.rank &- 1
  }

  /// Returns how many elements, from the first on, the closure accepts: the rank of the first one
  /// that it does not.
  ///
  /// ```swift
  /// let start = names.rank { $0.key < "An" }
  /// let end = names.rank { $0.key < "An" || $0.key.hasPrefix("An") }
  /// ```
  /// - Parameter belongsBefore: Answers yes up to some element and no from there on.
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  public func rank(where belongsBefore: (Element) -> Bool) -> Int {
    let rank = place(where: belongsBefore)?.rank ?? 0
    withExtendedLifetime(root) {}
    return rank
  }

  /// Returns how many elements precede this one, which need not be there itself.
  /// - Complexity: O(log *n*).
  @inlinable
  public func countPreceding(_ element: Element) -> Int {
    rank { Layout.precedes($0, element) }
  }

  /// Returns the ranks of the elements with keys between two bounds; an empty range where the bounds
  /// have nothing between them.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ranks(from lower: SortedBound<Key>, to upper: SortedBound<Key>) -> Range<Int> {
    let start =
      switch lower {
      case .unbounded: 0
      case .including(let key): countBelow(key)
      case .excluding(let key): countThrough(key)
      }
    let end =
      switch upper {
      case .unbounded: count
      case .including(let key): countThrough(key)
      case .excluding(let key): countBelow(key)
      }
    return start..<Swift.max(start, end)
  }

  /// Returns the ranks of the elements with a key.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ranks(of key: Key) -> Range<Int> { ranks(from: .including(key), to: .including(key)) }

  /// Returns how many elements have keys that precede this one.
  /// - Complexity: O(log *n*).
  @inlinable
  public func countBelow(_ key: Key) -> Int {
    rank { Layout.keyPrecedes(Layout.key(of: $0), key) }
  }

  /// Returns how many elements have this key or one that precedes it.
  /// - Complexity: O(log *n*).
  @inlinable
  public func countThrough(_ key: Key) -> Int {
    rank { !Layout.keyPrecedes(key, Layout.key(of: $0)) }
  }

  /// The place behind an element, or where it would go; `nil` in an empty tree.
  @inlinable
  @inline(__always)
  func place(behind element: Element) -> SortedPlace? {
    place { !Layout.precedes(element, $0) }
  }

  /// Whether the element directly before a place, in its leaf, is this one.
  @inlinable
  @inline(__always)
  func holds(_ element: Element, before place: SortedPlace) -> Bool {
    place.slot > 0
      && !Layout.precedes(Leaves.elements(place.leaf)[place.slot &- 1], element)
  }

  @inlinable
  @inline(__always)
  func place(where belongsBefore: (Element) -> Bool) -> SortedPlace? {
    guard let root else { return nil }
    var node = borrowed(root)
    var path: UInt64 = 0
    var before = 0
    // What the branch above says of a leaf, so that the leaf's header is not waited for.
    var leafCount = elementCount
    var level = height
    while level > 0 {
      let branches = Nodes.branches(node)
      // Nothing is before the first branch but what is before the node.
      let index = SortedRun.partition(branches + 1, Nodes.count(node) &- 1) {
        belongsBefore($0.pointee.first)
      }
      for earlier in 0..<index { before &+= branches[earlier].count }
      path = path &<< UInt64(truncatingIfNeeded: Nodes.shift) | UInt64(truncatingIfNeeded: index)
      node = branches[index].child
      leafCount = branches[index].count
      level &-= 1
    }
    guard Leaves.fetch(node, count: leafCount) else { return nil }
    let slot = SortedRun.partition(Leaves.elements(node), leafCount) {
      belongsBefore($0.pointee)
    }
    return SortedPlace(leaf: node, slot: slot, path: path, before: before)
  }
}
