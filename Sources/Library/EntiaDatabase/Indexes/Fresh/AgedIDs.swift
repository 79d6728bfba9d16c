public import EntiaCollections
public import Foundation

/// The IDs of received rows, oldest first; of rows of one time, in the order of their IDs.
///
/// A view of one version of the index, created in logarithmic time.
@frozen
@usableFromInline
struct AgedIDs<Entity: EntityType>: Sendable where Entity.EntityIDRawType: Comparable {
  @usableFromInline let table: AgeTable<Entity.EntityID>
  /// The number of visited runs.
  @usableFromInline let runCount: Int

  @inlinable
  init(_ table: AgeTable<Entity.EntityID>, to end: SortedBound<Date>) {
    self.table = table
    runCount = table.runs.ranks(from: .unbounded, to: end).upperBound
  }
}

extension AgedIDs: BidirectionalCollection {
  /// A run and the offset of an ID in it.
  @frozen
  @usableFromInline
  struct Index: Comparable {
    @usableFromInline var run: Int
    @usableFromInline var offset: Int

    @inlinable
    init(run: Int, offset: Int) { (self.run, self.offset) = (run, offset) }

    @inlinable
    static func < (a: Self, b: Self) -> Bool { (a.run, a.offset) < (b.run, b.offset) }
  }

  @inlinable
  var startIndex: Index { Index(run: 0, offset: 0) }

  @inlinable
  var endIndex: Index { Index(run: runCount, offset: 0) }

  @inlinable
  subscript(position: Index) -> Entity.EntityID {
    precondition(position.run < runCount, "the index is out of bounds")
    return table.runs[position.run][position.offset]
  }

  @inlinable
  func index(after position: Index) -> Index {
    position.offset &+ 1 < table.runs[position.run].count
      ? Index(run: position.run, offset: position.offset &+ 1)
      : Index(run: position.run &+ 1, offset: 0)
  }

  @inlinable
  func index(before position: Index) -> Index {
    position.offset > 0
      ? Index(run: position.run, offset: position.offset &- 1)
      : Index(run: position.run &- 1, offset: table.runs[position.run &- 1].count &- 1)
  }

  /// The number of IDs.
  /// - Complexity: O(1) for all IDs of an index, else O(*k*).
  @inlinable
  var count: Int {
    if runCount == table.runs.count { return table.count }
    var count = 0
    for run in table.runs[0..<runCount] { count &+= run.count }
    return count
  }

  @inlinable
  var underestimatedCount: Int { count }

  @inlinable
  func makeIterator() -> Iterator {
    Iterator(entries: AgeTable.Iterator(table.runs[0..<runCount].makeIterator()))
  }

  @frozen
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline var entries: AgeTable<Entity.EntityID>.Iterator

    @inlinable
    init(entries: AgeTable<Entity.EntityID>.Iterator) { self.entries = entries }

    @inlinable
    mutating func next() -> Entity.EntityID? { entries.next()?.key }
  }
}
