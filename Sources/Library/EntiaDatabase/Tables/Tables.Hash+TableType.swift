public import EntiaCollections

extension Tables.Hash: TableType {
  /// The proof that the type is one of Entia's.
  public static var seal: Seal<Self> { Seal() }

  /// `false`: the order is that of insertion.
  @inlinable
  public static var isOrdered: Bool { false }

  /// Replaces the entity that has the same ID.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func replace(_ entity: Entity) -> Entity? { rows.replace(entity) }

  /// Does nothing: the order is that of insertion.
  @inlinable
  public mutating func arrange(_ order: TableOrderChanges<Entity>) {}
}
