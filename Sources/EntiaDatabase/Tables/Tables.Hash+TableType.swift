public import EntiaCollections

extension Tables.Hash: TableType {
  /// `false`: the order is that of insertion.
  @inlinable
  public static var isOrdered: Bool { false }

  /// Replaces the entity that has the given one's ID.
  /// - Returns: the entity that was replaced, or `nil` when there was none, and nothing is stored.
  /// - Complexity: O(1) expected; what an older version shares is copied, O(log *n*).
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func replace(_ entity: Entity) -> Entity? { rows.replace(entity) }

  /// Does nothing: the order is that of insertion.
  @inlinable
  public mutating func arrange(_ order: TableOrderChanges<Entity>) {}
}
