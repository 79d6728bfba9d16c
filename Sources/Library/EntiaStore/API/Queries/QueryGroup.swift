import EntiaCollections
public import EntiaDatabase

/// The entities of a live query with the same key.
public struct QueryGroup<Key: Equatable & Sendable, Entity: EntityType>: Equatable, Sendable {
  /// The key.
  public let key: Key
  /// The entities, in the order of the query.
  public internal(set) var entities: [Entity]

  /// Returns whether both have equal keys and equal entities in the same order; a NaN equals a NaN
  /// with the same bits.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    haveSameValue(lhs.key, rhs.key) && haveSameElements(lhs.entities, rhs.entities)
  }
}
