extension SortedTree {
  /// Whether the tree has an element that the order considers the same as `element`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func contains(_ element: Element) -> Bool { rank(of: element) != nil }

  /// Returns the number of elements that precede `element`, or `nil` if the tree does not contain
  /// `element`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func rank(of element: Element) -> Int? {
    guard let place = place(behind: element), holds(element, before: place) else { return nil }
    return place.rank &- 1
  }

  /// Returns the number of leading elements that satisfy a predicate. This is the rank of the first
  /// element that does not satisfy the predicate.
  ///
  /// ```swift
  /// let start = names.rank { $0.key < "An" }
  /// let end = names.rank { $0.key < "An" || $0.key.hasPrefix("An") }
  /// ```
  /// - Parameter belongsBefore: Returns `true` up to some element and `false` from there on.
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  public func rank(where belongsBefore: (Element) -> Bool) -> Int {
    let rank = place(where: belongsBefore)?.rank ?? 0
    withExtendedLifetime(root) {}
    return rank
  }

  /// Returns the number of elements that precede `element`, which need not be in the tree.
  /// - Complexity: O(log *n*).
  @inlinable
  package func countPreceding(_ element: Element) -> Int {
    rank { Layout.precedes($0, element) }
  }

  /// Returns the ranks of the elements with keys between two bounds. The range is empty if there
  /// are none.
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
  package func ranks(of key: Key) -> Range<Int> {
    ranks(from: .including(key), to: .including(key))
  }

  /// Returns the number of elements whose keys precede `key`.
  /// - Complexity: O(log *n*).
  @inlinable
  package func countBelow(_ key: Key) -> Int {
    rank { Layout.keyPrecedes(Layout.key(of: $0), key) }
  }

  /// Returns the number of elements whose keys are `key` or precede it.
  /// - Complexity: O(log *n*).
  @inlinable
  package func countThrough(_ key: Key) -> Int {
    rank { !Layout.keyPrecedes(key, Layout.key(of: $0)) }
  }

  /// Returns the last element that satisfies a predicate, or `nil` if none does.
  /// - Parameter belongsBefore: Returns `true` up to some element and `false` from there on.
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  package func last(where belongsBefore: (Element) -> Bool) -> Element? {
    withLast(where: belongsBefore) { $0.pointee }
  }

  /// Calls the closure with the last element that satisfies a predicate.
  /// - Parameters:
  ///   - belongsBefore: Returns `true` up to some element and `false` from there on.
  ///   - body: The closure. The address is valid only while it runs.
  /// - Returns: The result of the closure, or `nil` if no element satisfies the predicate.
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  package func withLast<Result>(
    where belongsBefore: (Element) -> Bool, _ body: (UnsafePointer<Element>) -> Result
  ) -> Result? {
    guard let place = place(where: belongsBefore), place.slot > 0 else { return nil }
    let result = body(place.leaf.cast(to: Leaf.self).elements + (place.slot &- 1))
    withExtendedLifetime(root) {}
    return result
  }

  /// Returns the place directly after an element. If the element is not in the tree, this is the
  /// place at which to insert it. Returns `nil` in an empty tree.
  @inlinable
  @inline(__always)
  func place(behind element: Element) -> SortedPlace? {
    place { !Layout.precedes(element, $0) }
  }

  /// Whether the element directly before `place` equals `element` in the order. `place` must be
  /// `place(behind: element)`.
  @inlinable
  @inline(__always)
  func holds(_ element: Element, before place: SortedPlace) -> Bool {
    place.slot > 0
      && !Layout.precedes(place.leaf.cast(to: Leaf.self).elements[place.slot &- 1], element)
  }

  @inlinable
  @inline(__always)
  func place(where belongsBefore: (Element) -> Bool) -> SortedPlace? {
    if root == nil { return nil }
    var node = rootNode
    var path: UInt64 = 0
    var before = 0
    // The count comes from the branch above the leaf, so that the search need not wait for the
    // leaf's header.
    var leafCount = elementCount
    var level = height
    while level > 0 {
      let branches = node.inner.elements
      // The first branch needs no comparison, because it is chosen if no other branch begins before
      // the place.
      let index = SortedRun.partition(branches + 1, node.inner.count &- 1) {
        belongsBefore($0.pointee.first)
      }
      for earlier in 0..<index { before &+= branches[earlier].count }
      path = path &<< UInt64(truncatingIfNeeded: Inner.shift) | UInt64(truncatingIfNeeded: index)
      node = branches[index].child
      leafCount = branches[index].count
      level &-= 1
    }
    guard node.leaf.prefetch(count: leafCount) else { return nil }
    let slot = SortedRun.partition(node.leaf.elements, leafCount) {
      belongsBefore($0.pointee)
    }
    return SortedPlace(leaf: node.cast(), slot: slot, path: path, before: before)
  }
}
