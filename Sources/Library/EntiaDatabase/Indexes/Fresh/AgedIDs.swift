public import EntiaCollections
public import Foundation

/// The IDs of received rows, the oldest first; of rows of one time, in the order of their IDs.
///
/// A view of one version of the index, created in constant time. Only what is visited is sorted:
/// `ids.prefix(100)` visits the 100 oldest rows and their neighbors in the order of IDs.
public struct AgedIDs<Entity: EntityType>: Sequence, Sendable
where Entity.EntityIDRawType: Comparable {
  @usableFromInline let times: AgeTable<Entity.EntityID>
  @usableFromInline let end: SortedBound<Date>

  @inlinable
  init(_ times: AgeTable<Entity.EntityID>, to end: SortedBound<Date>) {
    self.times = times
    self.end = end
  }

  /// Whether there is no ID.
  /// - Complexity: O(log *n*).
  @inlinable
  public var isEmpty: Bool { times.oldest.slice(to: end).isEmpty }

  /// The oldest ID, or `nil` if there is none.
  /// - Complexity: O(log *n*).
  @inlinable
  public var first: Entity.EntityID? { times.oldest.slice(to: end).first?.id }

  /// The number of IDs.
  /// - Complexity: O(1) for all IDs of an index; else O(*k* · log *n*) in the number of IDs.
  public var count: Int {
    guard case .excluding(let time) = end else { return times.count }
    return times.oldest.slice(to: end).reduce(0) { count, oldest in
      count + times.countInBlock(of: oldest.id, before: time)
    }
  }

  /// Returns an iterator over the IDs, the oldest first.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(OldestFirstIterator(times, to: end)) }

  /// An iterator over the IDs, the oldest first.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: OldestFirstIterator<Entity.EntityID>

    @inlinable
    init(_ entries: OldestFirstIterator<Entity.EntityID>) { self.entries = entries }

    /// Returns the next ID, or `nil` after the last.
    @inlinable
    public mutating func next() -> Entity.EntityID? { entries.next()?.id }
  }
}
