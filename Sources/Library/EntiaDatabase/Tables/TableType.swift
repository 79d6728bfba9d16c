/// A table of a database: `Tables.Hash` or `Tables.Ordered`.
///
/// Generic code, such as a `StorageVisitor`, uses this protocol. Other types cannot conform to it:
/// a storage reads its tables in memory, as these two types.
public protocol TableType<Entity>: Sequence, Equatable, Sendable, CustomStringConvertible,
  CustomReflectable
where Element == Entity {
  /// The type of the entities in the table.
  associatedtype Entity: EntityType

  /// The proof that the type is one of Entia's.
  static var seal: Seal<Self> { get }

  /// Whether the user decides the order, so that it is a part of equality and of changes.
  static var isOrdered: Bool { get }

  /// Creates an empty table.
  init()

  /// Creates a table of the entities. Of several with the same ID, the last one is stored in the
  /// place of the first.
  init(_ entities: some Sequence<Entity>)

  /// The number of entities.
  var count: Int { get }

  /// Returns the entity with an ID, or `nil`.
  func find(by id: Entity.EntityID) -> Entity?

  /// Returns the entities with the IDs, in the order of the IDs, without the missing ones.
  func find(in ids: some Sequence<Entity.EntityID>) -> [Entity]

  /// Whether the table contains an entity with an ID.
  func contains(_ id: Entity.EntityID) -> Bool

  /// Whether two tables are the same version and share all storage; `true` implies that they are
  /// equal.
  func isIdentical(to other: Self) -> Bool

  /// Returns the difference between this version and an older one.
  func changes(since old: Self) -> TableChanges<Entity>

  /// Inserts an entity, or replaces the one with its ID in place.
  @discardableResult
  mutating func insert(_ entity: Entity) -> InsertionResult<Entity>

  /// Replaces the entity that has the same ID.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  @discardableResult
  mutating func replace(_ entity: Entity) -> Entity?

  /// Removes the entity with an ID and returns it, or returns `nil` when no entity has the ID.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity?

  /// Removes every entity.
  mutating func removeAll()

  /// Moves the entities that a change set places next to their neighbors. A table without an
  /// order of its own does nothing.
  mutating func arrange(_ order: TableOrderChanges<Entity>)
}

/// The proof that a type is one of those for which a protocol is made. Only Entia creates it, so
/// that no other type can conform to the protocol.
public struct Seal<Conformer>: Sendable {
  package init() {}
}

extension TableType {
  /// The entities in their order, formatted as an array.
  public var description: String { Array(self).description }

  /// A mirror of the entities, like that of an array.
  /// - Complexity: O(*n*).
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}
