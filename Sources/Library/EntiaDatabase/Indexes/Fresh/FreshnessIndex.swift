package import EntiaCollections
package import Foundation

/// An index of the times at which rows were received, or of the answers that contained them. The
/// index is stored, not derived from the rows. The entries of a row are removed with the row.
///
/// As a part of the database's value, the index is copied, restored by an undo, and merged. But
/// `==` ignores the index, and change sets do not contain it, because receiving the same rows again
/// does not change the database.
package protocol FreshnessIndex<Entity>: RebuildableIndex {
  /// The type of the keys of entries: IDs or requests.
  associatedtype Key: TableKey
  /// The type of the values of entries.
  associatedtype Value: Equatable & Sendable
  /// The type of the collection of entries.
  associatedtype Entries: PlacedElements & Sequence<KeyValueEntry<Key, Value>>

  /// The entries from which the index can be created again.
  var entries: Entries { get }

  /// The number of entries.
  var count: Int { get }

  /// Creates an index of entries.
  init(entries: some Sequence<KeyValueEntry<Key, Value>>)

  /// Whether both are the same version and share all storage; `true` implies that they are equal.
  func isIdentical(to other: Self) -> Bool

  /// Removes what is recorded of a removed row.
  mutating func rowRemoved(_ id: Entity.EntityID)

  /// Merges the changes that another version made since a common version. If both versions received
  /// the same row or page of an answer again, the later time is kept.
  /// - Parameters:
  ///   - theirs: The other version.
  ///   - base: The common version.
  ///   - evictions: The sides that may have evicted rows, each with the other side.
  ///   - exists: Whether the merged database has the row with an ID.
  mutating func merge(
    _ theirs: Self, base: Self, evictions: [(evicted: Self, other: Self)],
    exists: (Entity.EntityID) -> Bool)
}

extension FreshnessIndex {
  /// The traits of an index that has no fields and contains only some of the rows.
  public var traits: IndexTraits<Entity> { .withoutFields }
}

/// An index of the times at which rows were received, for code that does not depend on the type of
/// the index.
package protocol AgeIndex<Entity>: FreshnessIndex
where Key == Entity.EntityID, Value == Date {
  /// Returns the time at which a row was received, or `nil` when it is not known.
  func receivedAt(_ id: Entity.EntityID) -> Date?

  /// Returns the IDs and times, oldest first.
  func oldestFirst() -> AnyIterator<SortedEntry<Date, Entity.EntityID>>
}

/// Whether less than a duration has passed since something was received.
///
/// A time after `now` counts as `now`. Such a time is possible after the clock was set back.
package func isFresh(receivedAt time: Date, within duration: Duration, at now: Date) -> Bool {
  let (seconds, attoseconds) = duration.components
  let limit = Double(seconds) + Double(attoseconds) / 1e18
  return max(0, now.timeIntervalSince(time)) < limit
}
