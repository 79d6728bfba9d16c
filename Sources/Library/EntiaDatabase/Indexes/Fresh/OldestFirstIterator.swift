public import EntiaCollections
public import Foundation

/// An iterator over the entries of an `AgeTable`, the oldest first.
///
/// A block is opened when its oldest entry is next. Its entries are then merged with those of the
/// blocks that are open.
@frozen
@usableFromInline
package struct OldestFirstIterator<ID: TableKey & Comparable>: IteratorProtocol {
  @usableFromInline typealias Order = IndexOrder<Date, ID>

  @usableFromInline let blocks: SortedTree<AgeBlockOrder<ID>>
  @usableFromInline let end: SortedBound<Date>
  /// The oldest entries of the blocks that are not open.
  @usableFromInline var closed: SortedIterator<IndexOrder<Date, ID>>
  @usableFromInline var nextClosed: SortedEntry<Date, ID>?
  /// The rest of each open block, as a heap: the one with the oldest entry is first.
  @usableFromInline var open: [Rest]

  /// The entries of a block that were not visited.
  ///
  /// The next entry is searched for at first, because a caller often visits few entries of many
  /// blocks. Then the rest is sorted.
  @frozen
  @usableFromInline
  struct Rest {
    /// The entries of the block or, from the position on, the sorted rest.
    @usableFromInline var entries: [KeyValueEntry<ID, Date>]
    /// The oldest entry that was not visited.
    @usableFromInline var first: SortedEntry<Date, ID>
    /// The position of that entry; before the rest is sorted, the number of searches, minus the
    /// most.
    @usableFromInline var position = -4

    @inlinable
    init(_ entries: [KeyValueEntry<ID, Date>], first: SortedEntry<Date, ID>) {
      self.entries = entries
      self.first = first
    }

    /// Moves to the next entry, or returns `false` at the end.
    @inlinable
    mutating func advance() -> Bool {
      position &+= 1
      if position < 0 { return searchNext() }
      if position == 0 { sortRest() }
      if position == entries.count { return false }
      first = SortedEntry(key: entries[position].value, id: entries[position].key)
      return true
    }

    @inlinable
    mutating func searchNext() -> Bool {
      var next: SortedEntry<Date, ID>?
      for entry in entries where !Order.keyPrecedes(entry.value, first.key) {
        if let next, !Order.keyPrecedes(entry.value, next.key) { continue }
        let candidate = SortedEntry(key: entry.value, id: entry.key)
        // Entries of one time are in the order of their IDs.
        if Order.precedes(first, candidate) { next = candidate }
      }
      guard let next else { return false }
      first = next
      return true
    }

    @inlinable
    @inline(never)
    mutating func sortRest() {
      let visited = first
      entries.removeAll { !Order.precedes(visited, SortedEntry(key: $0.value, id: $0.key)) }
      entries.sort {
        Order.precedes(
          SortedEntry(key: $0.value, id: $0.key), SortedEntry(key: $1.value, id: $1.key))
      }
    }
  }

  /// Creates an iterator that ends at a bound.
  @inlinable
  package init(_ table: AgeTable<ID>, to end: SortedBound<Date>) {
    blocks = table.blocks
    self.end = end
    closed = table.oldest.slice(to: end).makeIterator()
    nextClosed = closed.next()
    open = []
  }

  /// Returns the next entry, or `nil` after the last.
  @inlinable
  package mutating func next() -> SortedEntry<Date, ID>? {
    while let candidate = nextClosed,
      open.isEmpty || Order.precedes(candidate, open[0].first)
    {
      openBlock(of: candidate)
      nextClosed = closed.next()
    }
    if open.isEmpty { return nil }
    let result = open[0].first
    if case .excluding(let time) = end, !Order.keyPrecedes(result.key, time) { return nil }
    if !open[0].advance() {
      open.swapAt(0, open.count &- 1)
      open.removeLast()
    }
    if open.count > 1 { moveDown() }
    return result
  }

  @inlinable
  @inline(never)
  mutating func openBlock(of oldest: SortedEntry<Date, ID>) {
    let found = blocks.withLast(where: { !(oldest.id < $0.bound) }, { $0.pointee.entries })
    guard let found else { return }
    open.append(Rest(found, first: oldest))
    var index = open.count &- 1
    while index > 0 {
      let parent = (index &- 1) / 2
      if !Order.precedes(open[index].first, open[parent].first) { return }
      open.swapAt(index, parent)
      index = parent
    }
  }

  /// Moves the first of the heap to its place.
  @inlinable
  mutating func moveDown() {
    var index = 0
    while true {
      var child = 2 &* index &+ 1
      if child >= open.count { return }
      if child &+ 1 < open.count, Order.precedes(open[child &+ 1].first, open[child].first) {
        child &+= 1
      }
      if !Order.precedes(open[child].first, open[index].first) { return }
      open.swapAt(child, index)
      index = child
    }
  }
}
