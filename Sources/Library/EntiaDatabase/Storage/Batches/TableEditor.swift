import EntiaCollections

/// A table in a batch, with the reads and writes of a table. Writes also update the database's
/// relationships and apply its delete rules.
@frozen
public struct TableEditor<Storage: NormalizedStorageType, Table: TableType> {
  /// The type of the entities in the table.
  public typealias Entity = Table.Entity

  @usableFromInline let transaction: BatchTransaction<Storage>
  @usableFromInline let table: UnsafeMutablePointer<Table>

  @inlinable
  @inline(__always)
  init(_ transaction: BatchTransaction<Storage>, _ table: UnsafeMutablePointer<Table>) {
    precondition(transaction.isOpen, "the batch has ended")
    self.transaction = transaction
    self.table = table
  }

  /// The number of entities.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { table.pointee.count }

  /// Whether the table is empty.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { table.pointee.count == 0 }

  /// Returns the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func find(by id: Entity.EntityID) -> Entity? { table.pointee.find(by: id) }

  /// Returns the entities with the IDs, in the order of the IDs, without the missing ones.
  /// - Complexity: O(*k*) expected in the number of IDs.
  @inlinable
  public func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] {
    table.pointee.find(in: ids)
  }

  /// Whether the table contains an entity with an ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: Entity.EntityID) -> Bool { table.pointee.contains(id) }

  /// Returns all IDs, in the table's order.
  /// - Complexity: O(*n*).
  @inlinable
  public func allIDs() -> [Entity.EntityID] { table.pointee.map(\.entityID) }

  /// Returns all entities, in the table's order.
  /// - Complexity: O(*n*).
  @inlinable
  public func allEntities() -> [Entity] { Array(table.pointee) }
}
