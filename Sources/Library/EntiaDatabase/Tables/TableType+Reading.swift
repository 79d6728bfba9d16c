extension TableType {
  /// Whether the table is empty.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// The number of entities.
  @inlinable
  public var underestimatedCount: Int { count }

  /// The entity with an ID, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(id: Entity.EntityID) -> Entity? {
    @inline(__always)
    get { find(by: id) }
  }

  /// Returns the entities with the IDs, in the order of the IDs, without the missing ones.
  /// - Complexity: O(*k*) expected in the number of IDs.
  @inlinable
  public func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] {
    ids.compactMap { find(by: $0) }
  }

  /// Returns all IDs, in the table's order.
  /// - Complexity: O(*n*).
  @inlinable
  public func allIDs() -> [Entity.EntityID] { map(\.entityID) }
}
