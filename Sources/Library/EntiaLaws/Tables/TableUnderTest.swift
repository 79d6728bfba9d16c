public import EntiaDatabase

/// The requirements for checking the laws of tables. `Tables.Hash`, `Tables.Ordered` and a batch's
/// `TableEditor` conform to it. A custom table can conform, too, and so can a deliberately
/// defective one, to check that the laws detect it.
public protocol TableUnderTest<Entity> {
  /// The type of the entities in the table.
  associatedtype Entity: EntityType

  /// The number of entities.
  var count: Int { get }
  /// Whether there are no entities.
  var isEmpty: Bool { get }
  /// Returns the entity with an ID, or `nil`.
  func find(by id: Entity.EntityID) -> Entity?
  /// Whether there is an entity with an ID.
  func contains(_ id: Entity.EntityID) -> Bool
  /// Returns all IDs, in insertion order.
  func allIDs() -> [Entity.EntityID]
  /// Returns all entities, in insertion order.
  func allEntities() -> [Entity]
  /// Inserts an entity, or replaces the one with its ID in place.
  @discardableResult
  mutating func insert(_ entity: Entity) -> InsertionResult<Entity>
  /// Changes the entity with an ID and returns it, or returns `nil` if there is none.
  @discardableResult
  mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity?
  /// Removes the entity with an ID and returns it, or returns `nil` if there is none.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity?
  /// Removes every entity.
  mutating func removeAll()
}

/// A table with value semantics: its copies are versions that can be compared.
public protocol VersionedTableUnderTest: TableUnderTest, Equatable {
  /// Returns the differences from an older version.
  func changes(since old: Self) -> TableChanges<Entity>
}

extension Tables.Hash: VersionedTableUnderTest {}
extension Tables.Ordered: TableUnderTest {}
extension TableEditor: TableUnderTest {}
