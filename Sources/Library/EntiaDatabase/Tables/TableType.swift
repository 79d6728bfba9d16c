public import EntiaCollections

/// A table of a database: `Tables.Hash` or `Tables.Ordered`.
///
/// Generic code, such as a `StorageVisitor`, uses this protocol. Other types cannot conform to it,
/// because a storage reads each table in memory as one of these two types.
public protocol TableType<Entity>: Sequence, Equatable, Sendable, CustomStringConvertible,
  CustomReflectable
where Element == Entity {
  /// The type of the entities in the table.
  associatedtype Entity: EntityType

  /// The proof that the type is one of Entia's.
  static var seal: Seal<Self> { get }

  /// Creates an empty table.
  init()

  /// Creates a table of the entities. Of several entities with the same ID, the last one is stored,
  /// at the position of the first.
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

  /// Inserts an entity, or replaces in place the entity with the same ID.
  @discardableResult
  mutating func insert(_ entity: consuming Entity) -> InsertionResult<Entity>

  /// Replaces the entity that has the same ID.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  @discardableResult
  mutating func replace(_ entity: Entity) -> Entity?

  /// Removes the entity with an ID and returns it, or returns `nil` when no entity has the ID.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity?

  /// Removes every entity.
  mutating func removeAll()
}

extension TableType {
  /// Whether the user decides the order of the rows. If so, `==` and change sets include the order.
  /// In specialized code, this property is a constant.
  @inlinable
  @inline(__always)
  package static var isOrdered: Bool { Self.self == Tables.Ordered<Entity>.self }

  /// Moves the entities in `order.placed` to the positions that their neighbors in `order`
  /// determine. A `Tables.Hash` is not changed.
  @usableFromInline
  package mutating func arrange(_ order: TableOrderChanges<Entity>) {
    guard Self.isOrdered else { return }
    withUnsafeMutableBytes(of: &self) {
      $0.assumingMemoryBound(to: Tables.Ordered<Entity>.self)[0].arrangeRows(order)
    }
  }
}

/// A value that only Entia can create. Types outside of Entia cannot conform to a protocol that
/// requires it.
public struct Seal<Conformer>: Sendable {
  package init() {}
}

/// A type of Entia with a `seal`. Public protocols that only Entia conforms to require a seal.
package protocol Sealed {}

extension Sealed {
  /// The proof that the type is one of Entia's.
  public static var seal: Seal<Self> { Seal() }
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

/// A coding key with any name.
struct PartKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { return nil }
}

extension TableType where Entity: Encodable {
  /// Encodes the entities as an array, in their order.
  /// - Throws: The error that encoding an entity throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entity in self { try container.encode(Coded(entity)) }
  }
}

extension TableType where Entity: Decodable {
  /// Decodes an array of entities.
  /// - Throws: `DecodingError.dataCorrupted` if two entities have the same ID, and the error that
  ///   decoding an entity throws. The error for a missing member describes how to give it a
  ///   default.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init()
    while !container.isAtEnd {
      let index = container.currentIndex
      let entity: Entity
      do {
        entity = try container.decode(Coded<Entity>.self).value
      } catch let DecodingError.keyNotFound(key, context)
        where context.codingPath.count == container.codingPath.count + 1
      {
        throw Self.missing(key, context)
      }
      guard !contains(entity.entityID) else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey("Index \(index)")],
            debugDescription: "\(EntityLabel(entity.entityID)) is there twice"))
      }
      insert(entity)
    }
  }

  /// Returns the error for a missing member, as in a file that is older than the member.
  private static func missing(
    _ key: any CodingKey, _ context: DecodingError.Context
  ) -> DecodingError {
    let name = key.stringValue
    let advice =
      Entity.self is any RowCodable.Type
      ? "give it a default: var \(name) = …"
      : """
      write init(from:) of \(Entity.self) and give it a default: \
      \(name) = try container.decodeIfPresent(…, forKey: .\(name)) ?? …
      """
    return .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: context.codingPath,
        debugDescription:
          "\(Entity.entityName) has no member \(name). Where files may lack it, \(advice)",
        underlyingError: context.underlyingError))
  }
}

extension Tables.Hash: Encodable where Entity: Encodable {}
extension Tables.Hash: Decodable where Entity: Decodable {}
extension Tables.Ordered: Encodable where Entity: Encodable {}
extension Tables.Ordered: Decodable where Entity: Decodable {}

extension TableType {
  /// Inserts entities, or replaces in place the entities with the same IDs.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k*) expected in the number of entities; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func insert(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    entities.map { insert($0) }
  }

  /// Changes every entity that the predicate accepts. If the closure changes the ID of an entity,
  /// the entity stays as it was.
  /// - Returns: The new values of the changed entities, in the table's order.
  /// - Throws: The error that a closure throws; the table is then unchanged.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func update(
    where predicate: (Entity) throws -> Bool, _ body: (inout Entity) throws -> Void
  ) rethrows -> [Entity] {
    var updated: [Entity] = []
    for entity in self where try predicate(entity) {
      var changed = entity
      try body(&changed)
      if !haveSameValue(changed, entity), changed.entityID == entity.entityID {
        updated.append(changed)
      }
    }
    for entity in updated { replace(entity) }
    return updated
  }

  /// Removes the entities with the IDs.
  /// - Returns: The removed entities, in the order of the IDs.
  /// - Complexity: O(*k*) expected in the number of IDs; O(*k* · log *n*) in an ordered table.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    ids.compactMap { remove($0) }
  }

  /// Removes every entity that the predicate accepts.
  /// - Returns: The removed entities, in the table's order.
  /// - Throws: The error that the predicate throws; the table is then unchanged.
  /// - Complexity: O(*n*), plus O(log *n*) in an ordered table for each removed entity.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    let removed = try filter(predicate)
    for entity in removed { remove(entity.entityID) }
    return removed
  }
}

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
  public func allIDs() -> [Entity.EntityID] { map { $0.entityID } }
}

/// The result of a closure on a copy of an entity, before anything is stored.
@frozen
@usableFromInline
enum StagedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  case unchanged(Entity)
  case changed(old: Entity, new: Entity)
}

extension TableType {
  /// Runs the closure on a copy, so that a throw or a changed ID leaves the entity as it was.
  @inlinable
  @inline(__always)
  func stageUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> StagedUpdate<Entity> {
    guard let old = find(by: id) else { return .missing }
    var new = old
    try body(&new)
    guard new.hasID(id) else { return .changedID(new.entityID) }
    if haveSameValue(new, old) {
      EqualityAudit.check(old, new)
      return .unchanged(old)
    }
    return .changed(old: old, new: new)
  }
}

// Unavailable methods. Their message refers to batches. The compiler selects these methods only for
// an immutable table, which is a property of a storage or a constant.

extension TableType {
  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func insert(_ entity: Entity) -> Never { unavailable() }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func insert(_ entities: some Sequence<Entity>) -> Never { unavailable() }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func append(_ entity: Entity) -> Never { unavailable() }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func remove(_ id: Entity.EntityID) -> Never { unavailable() }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func removeAll() -> Never { unavailable() }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func updateIfExists(id: Entity.EntityID, _ body: (inout Entity) throws -> Void) -> Never {
    unavailable()
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func updateExists(id: Entity.EntityID, _ body: (inout Entity) throws -> Void) -> Never {
    unavailable()
  }
}
