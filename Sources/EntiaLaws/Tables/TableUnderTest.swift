public import EntiaDatabase

/// What the laws of tables ask of a table. `Tables.Hash` and a batch's `TableEditor` adopt it; so can
/// a table of one's own, or a deliberately broken one that shows that the laws would notice.
public protocol TableUnderTest<Entity> {
  /// The entities that the table holds.
  associatedtype Entity: EntityType

  /// How many entities there are.
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
  /// Inserts an entity, or replaces the one with its ID where that stands.
  @discardableResult
  mutating func insert(_ entity: Entity) -> InsertionResult<Entity>
  /// Changes the entity with an ID, if there is one, and returns it.
  @discardableResult
  mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity?
  /// Removes the entity with an ID and returns it.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity?
  /// Removes every entity.
  mutating func removeAll()
}

/// A table that is a value: copies are versions, which can be compared.
public protocol VersionedTableUnderTest: TableUnderTest, Equatable {
  /// Returns how this version differs from an older one.
  func changes(since old: Self) -> TableChanges<Entity>
}

extension Tables.Hash: VersionedTableUnderTest {}
extension Tables.Ordered: TableUnderTest {}
extension TableEditor: TableUnderTest {}
