public import EntiaCollections
public import Foundation

/// A persistent map from IDs to times that finds the oldest: a value whose copies share their
/// structure.
///
/// The entries are in blocks of adjacent IDs, and a second tree has only the oldest entry of each
/// block. It leads to the blocks in which the oldest entries are. The memory is little more than
/// that of each ID and its time.
@frozen
@usableFromInline
package struct AgeTable<ID: TableKey & Comparable> {
  @usableFromInline typealias Block = AgeBlock<ID>
  @usableFromInline package typealias Entry = KeyValueEntry<ID, Date>

  @usableFromInline var blocks = SortedTree<AgeBlockOrder<ID>>()
  /// The oldest entry of each block.
  @usableFromInline var oldest = SortedTree<IndexOrder<Date, ID>>()
  /// The number of entries.
  @usableFromInline package internal(set) var count = 0

  /// Creates an empty table.
  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// Creates a table of entries. Of several times of one ID, the latest is kept.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  package init(_ entries: some Sequence<Entry>) {
    var sorted = Array(entries)
    sorted.sort { $0.key == $1.key ? $0.value > $1.value : $0.key < $1.key }
    var last: ID?
    sorted.removeAll { entry in
      if entry.key == last { return true }
      last = entry.key
      return false
    }
    self.init()
    fill(sorted)
  }

  /// Whether two are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: Self) -> Bool { blocks.isIdentical(to: other.blocks) }

  /// The time of an ID, or `nil`.
  /// - Complexity: O(log *n*).
  @inlinable
  package subscript(id: ID) -> Date? {
    withBlock(of: id) { $0.pointee.time(of: id) } ?? nil
  }

  /// Calls the closure with the block to which an ID belongs, or returns `nil` if the ID is before
  /// the first block.
  @inlinable
  @inline(__always)
  func withBlock<Result>(of id: ID, _ body: (UnsafePointer<Block>) -> Result) -> Result? {
    blocks.withLast(where: { !(id < $0.bound) }, body)
  }

  /// Changes the block to which an ID belongs, or returns `nil` if the ID is before the first block.
  @inlinable
  @inline(__always)
  mutating func updateBlock<Result>(of id: ID, _ body: (inout Block) -> Result) -> Result? {
    blocks.updateLast(where: { !(id < $0.bound) }, body)
  }

  /// Sets the time of IDs.
  /// - Complexity: O(log *n*) for each ID that is not near the one before in the order of IDs.
  @inlinable
  package mutating func set(_ ids: some Sequence<ID>, to time: Date) {
    var iterator = ids.makeIterator()
    guard let first = iterator.next() else { return }
    guard let second = iterator.next() else {
      withUnsafePointer(to: first) {
        setAscending(UnsafeBufferPointer(start: $0, count: 1), to: time)
      }
      return
    }
    var all: [ID] = []
    all.reserveCapacity(ids.underestimatedCount)
    all.append(first)
    all.append(second)
    var isAscending = first < second
    while let id = iterator.next() {
      if isAscending, !(all[all.count &- 1] < id) { isAscending = false }
      all.append(id)
    }
    if !isAscending {
      all.sort()
      var last: ID?
      all.removeAll { id in
        if id == last { return true }
        last = id
        return false
      }
    }
    all.withUnsafeBufferPointer { setAscending($0, to: time) }
  }

  @inlinable
  mutating func setAscending(_ ids: UnsafeBufferPointer<ID>, to time: Date) {
    if isEmpty { return fill(ids.map { Entry(key: $0, value: time) }) }
    var start = 0
    while start < ids.count {
      start &+= setInOneBlock(UnsafeBufferPointer(rebasing: ids[start...]), to: time)
    }
  }

  /// Fills an empty table with entries in the order of their IDs.
  @inlinable
  mutating func fill(_ entries: [Entry]) {
    let all = Block.blocks(of: entries, count: Block.blockCount(of: entries.count))
    var oldest = all.map(\.oldest)
    oldest.sort(by: IndexOrder.precedes)
    blocks = SortedTree(all)
    self.oldest = SortedTree(oldest)
    count = entries.count
  }

  /// Sets the time of the first IDs that belong into one block, and returns their number.
  @inlinable
  mutating func setInOneBlock(_ ids: UnsafeBufferPointer<ID>, to time: Date) -> Int {
    let first = ids[0]
    // An ID before the first block belongs into that.
    let bound = blocks.first.map { Swift.max(first, $0.bound) } ?? first
    var taken = 1
    if ids.count > 1 {
      let next = blocks.nth(blocks.rank { !(bound < $0.bound) })?.bound
      taken = next.flatMap { next in ids.firstIndex { !($0 < next) } } ?? ids.count
    }
    let mine = UnsafeBufferPointer(rebasing: ids[..<taken])
    let isCurrent = withBlock(of: bound) { block in
      mine.allSatisfy { block.pointee.time(of: $0) == time }
    }
    if isCurrent != false { return taken }
    var rest: [Block] = []
    var former = SortedEntry(key: time, id: first)
    var current = former
    let added = updateBlock(of: bound) { block in
      former = block.oldest
      let count = block.entries.count
      block.set(mine, to: time)
      let added = block.entries.count &- count
      rest = block.split()
      current = block.oldest
      return added
    }
    count &+= added ?? 0
    replaceOldest(former, by: current)
    for block in rest {
      blocks.insert(block)
      oldest.insert(block.oldest)
    }
    return taken
  }

  /// Returns the number of entries before a time in the block of an ID.
  func countInBlock(of id: ID, before time: Date) -> Int {
    withBlock(of: id) { block in
      block.pointee.entries.count { IndexOrder<Date, ID>.keyPrecedes($0.value, time) }
    } ?? 0
  }

  @inlinable
  mutating func replaceOldest(
    _ former: SortedEntry<Date, ID>, by current: SortedEntry<Date, ID>
  ) {
    if former.id == current.id, former.key == current.key { return }
    oldest.remove(former)
    oldest.insert(current)
  }

  /// Removes the entry of an ID.
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func remove(_ id: ID) {
    if self[id] == nil { return }
    var former: SortedEntry<Date, ID>?
    var current: SortedEntry<Date, ID>?
    let remaining = updateBlock(of: id) { block in
      former = block.oldest
      block.remove(id)
      current = block.oldest
      return block.entries.count
    }
    count &-= 1
    guard let former, let current, let remaining else { return }
    if remaining > 0, remaining >= Block.capacity / 4 || blocks.count == 1 {
      return replaceOldest(former, by: current)
    }
    oldest.remove(former)
    if count == 0 {
      self = Self()
    } else {
      mergeBlock(of: id)
    }
  }

  /// Merges a small block, whose oldest entry has been removed, with a neighbor.
  @inlinable
  @inline(never)
  mutating func mergeBlock(of id: ID) {
    let rank = blocks.rank { !(id < $0.bound) } &- 1
    let isLast = rank &+ 1 == blocks.count
    let left = isLast ? rank &- 1 : rank
    let (a, b) = (blocks[left], blocks[left &+ 1])
    oldest.remove(isLast ? a.oldest : b.oldest)
    blocks.remove(a)
    blocks.remove(b)
    let all = a.entries + b.entries
    var merged = Block.blocks(of: all, count: all.count <= Block.capacity &* 3 / 4 ? 1 : 2)
    merged[0].bound = a.bound
    for block in merged {
      blocks.insert(block)
      oldest.insert(block.oldest)
    }
  }
}

extension AgeTable: Sendable {}

extension AgeTable: Sequence {
  /// An iterator over the entries, in the order of the IDs.
  @frozen
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var blocks: SortedIterator<AgeBlockOrder<ID>>
    @usableFromInline var entries: IndexingIterator<[Entry]>

    @inlinable
    init(_ table: AgeTable) {
      blocks = table.blocks.makeIterator()
      entries = [].makeIterator()
    }

    /// Returns the next entry, or `nil` after the last.
    @inlinable
    package mutating func next() -> Entry? {
      while true {
        if let entry = entries.next() { return entry }
        guard let block = blocks.next() else { return nil }
        entries = block.entries.makeIterator()
      }
    }
  }

  /// Returns an iterator over the entries, in the order of the IDs.
  @inlinable
  package func makeIterator() -> Iterator { Iterator(self) }
}
