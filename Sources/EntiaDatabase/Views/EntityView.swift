/// An entity read in its database: relationships are resolved when they are read, never stored.
///
/// ```swift
/// let book = library.view(of: Book.EntityID("b1"))
/// book?.title                                       // a field of the entity
/// book?[\.bookAuthor]?.name                         // what its key names
/// book?[\.bookAuthor]?[inverse: \.bookAuthor].count // who names it
/// ```
///
/// A view is a value: it shows the version it was made from, whatever happens to the database.
@frozen
@dynamicMemberLookup
public struct EntityView<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  @usableFromInline let snapshot: Snapshot<Storage.Contents>

  /// The entity itself.
  public let entity: Entity

  @inlinable
  init(snapshot: Snapshot<Storage.Contents>, entity: Entity) {
    self.snapshot = snapshot
    self.entity = entity
  }

  /// The entity's ID.
  @inlinable
  public var entityID: Entity.EntityID { entity.entityID }

  /// A field of the entity.
  @inlinable
  public subscript<Value>(dynamicMember path: KeyPath<Entity, Value>) -> Value {
    @inline(__always)
    get { entity[keyPath: path] }
  }

  /// The entity that a key names, or `nil` when the key is `nil` or leads nowhere.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> EntityView<Storage, Target>? {
    @inline(__always)
    get {
      guard let id = snapshot.withRelationship(at: path, { $0.targetID(of: entity) })
      else { return nil }
      return resolve(id)
    }
  }

  /// The entities that a list names, in its order, without those that are missing.
  /// - Complexity: O(*k*) expected in the length of the list.
  @inlinable
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [EntityView<Storage, Target>] {
    @inline(__always)
    get { resolve(snapshot.withRelationship(at: path) { $0.targetIDs(of: entity) }) }
  }

  /// The entities that name this one, in the order in which they came to.
  /// - Complexity: O(*k*) expected in the number of those entities.
  @inlinable
  public subscript<Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>
  ) -> [EntityView<Storage, Relationship.Holder>] where Relationship.Target == Entity {
    @inline(__always)
    get { resolve(snapshot.withRelationship(at: path) { $0.holderIDs(of: entityID) }) }
  }

  /// What a key leads to: an entity, an ID that is missing, or nothing.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func reference<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> EntityReference<Storage, Target> {
    guard let id = snapshot.withRelationship(at: path, { $0.targetID(of: entity) })
    else { return .none }
    return resolve(id).map { .loaded($0) } ?? .missing(id)
  }

  /// What each ID of a list leads to, in the list's order.
  /// - Complexity: O(*k*) expected in the length of the list.
  @inlinable
  @inline(__always)
  public func references<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [EntityReference<Storage, Target>] {
    snapshot.withRelationship(at: path) { $0.targetIDs(of: entity) }.map { id in
      resolve(id).map { .loaded($0) } ?? .missing(id)
    }
  }

  @inlinable
  @inline(__always)
  func resolve<Target: EntityType>(_ id: Target.EntityID) -> EntityView<Storage, Target>? {
    guard let target: Target = snapshot.find(id) else { return nil }
    return EntityView<Storage, Target>(snapshot: snapshot, entity: target)
  }

  @inlinable
  func resolve<Target: EntityType>(_ ids: [Target.EntityID]) -> [EntityView<Storage, Target>] {
    snapshot.withTable(of: Target.self) { table in
      guard let table else { return [] }
      var views: [EntityView<Storage, Target>] = []
      views.reserveCapacity(ids.count)
      for id in ids {
        guard let entity = table.find(by: id) else { continue }
        views.append(EntityView<Storage, Target>(snapshot: snapshot, entity: entity))
      }
      return views
    }
  }
}

extension NormalizedStorageType {
  /// Returns a view of the entity with an ID, or `nil`.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func view<Entity: EntityType>(
    of id: EntityIdentifier<Entity>
  ) -> EntityView<Self, Entity>? {
    let snapshot = snapshot
    guard let entity: Entity = snapshot.find(id) else { return nil }
    return EntityView(snapshot: snapshot, entity: entity)
  }

  /// Returns views of the entities with the IDs in the order asked, skipping those that are missing.
  /// - Complexity: O(*k*) expected in the number of IDs.
  @inlinable
  public func views<Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>
  ) -> [EntityView<Self, Entity>] {
    snapshot.withTable(of: Entity.self) { table in
      guard let table else { return [] }
      return ids.compactMap { id in
        table.find(by: id).map { EntityView(snapshot: snapshot, entity: $0) }
      }
    }
  }
}

extension EntityView: Equatable {
  /// Whether two views show equal entities, in whatever versions.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.entity == b.entity }
}
