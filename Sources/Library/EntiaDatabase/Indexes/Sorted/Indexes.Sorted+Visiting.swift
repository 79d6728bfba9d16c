public import EntiaCollections

extension Indexes.Sorted {
  /// Calls the closure with the IDs in order until it returns `false`. Equal keys are in the
  /// order of their IDs, in both directions.
  /// - Parameters:
  ///   - isReversed: Whether greater keys are first.
  ///   - body: The closure, which returns `false` to stop.
  /// - Returns: `true`.
  /// - Complexity: O(log *n* + *k*) for *k* calls; reversed, O(log *n*) for each group of equal
  ///   keys.
  @inlinable
  public func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool {
    visit(0..<tree.count, isReversed: isReversed, body)
    return true
  }

  @inlinable
  func visit(_ ranks: Range<Int>, isReversed: Bool, _ body: (Entity.EntityID) -> Bool) {
    guard isReversed else {
      for entry in tree[ranks] where !body(entry.id) { return }
      return
    }
    var end = ranks.upperBound
    var entries = tree[ranks].reversed().makeIterator()
    var next = entries.next()
    while let entry = next {
      next = entries.next()
      // Usually no other entry has the key.
      guard let other = next, !Order.keyPrecedes(other.key, entry.key) else {
        if !body(entry.id) { return }
        end -= 1
        continue
      }
      let start = Swift.max(ranks.lowerBound, tree.countBelow(entry.key))
      for entry in tree[start..<end] where !body(entry.id) { return }
      end = start
      entries = tree[ranks.lowerBound..<end].reversed().makeIterator()
      next = entries.next()
    }
  }
}
