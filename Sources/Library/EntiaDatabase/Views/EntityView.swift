public import EntiaCollections

/// An entity with access to its database. Its relationships are looked up when they are read, and
/// never stored.
///
/// ```swift
/// let book = library.view(of: Book.EntityID("b1"))
/// book?.title                                       // a field of the entity
/// book?[\.bookAuthor]?.name                         // the entity that its key references
/// book?[\.bookAuthor]?[inverse: \.bookAuthor].count // the entities that reference it
/// ```
///
/// A view is a value that shows the version from which it was created. Later changes of the
/// database do not affect it.
@frozen
@dynamicMemberLookup
public struct EntityView<Storage: NormalizedStorageType, Entity: EntityType>: @unchecked Sendable {
  @usableFromInline let snapshot: Snapshot<Storage.Contents>
  // Unchecked because of this pointer. It points to a row of the snapshot, which is immutable and
  // keeps the row at its address. Reading a field copies and retains only that field.
  @usableFromInline let row: UnsafePointer<Entity>

  /// The entity itself.
  @inlinable
  public var entity: Entity {
    @inline(__always)
    get {
      defer { withExtendedLifetime(snapshot) {} }
      return row.pointee
    }
  }

  @inlinable
  @inline(__always)
  init(snapshot: Snapshot<Storage.Contents>, row: UnsafePointer<Entity>) {
    self.snapshot = snapshot
    self.row = row
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

  /// The entity that a key references, or `nil` when the key is `nil` or the entity is missing.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> EntityView<Storage, Target>? {
    @inline(__always)
    get {
      guard let address = snapshot.address(of: path) else {
        return snapshot.contents[keyPath: path].targetID(of: entity).flatMap { resolve($0) }
      }
      return target(address)
    }
  }

  /// The entities that a list references, in its order, without the missing ones.
  /// - Complexity: O(*k*) expected in the length of the list.
  @inlinable
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> EntityViews<Storage, Target> {
    @inline(__always)
    get { resolve(snapshot.withRelationship(at: path) { $0.targetIDs(of: entity) }) }
  }

  /// The entities that reference this one, in the order in which they began to reference it.
  /// - Complexity: O(1) expected for up to 16 entities, O(*k*) in their number for more.
  @inlinable
  public subscript<Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>
  ) -> EntityViews<Storage, Relationship.Holder> where Relationship.Target == Entity {
    // No check that a holder exists is necessary, because only holders in the database are linked.
    @inline(__always)
    get {
      guard let address = snapshot.address(of: path) else {
        return EntityViews(
          snapshot: snapshot, ids: snapshot.contents[keyPath: path].holderIDs(of: entityID))
      }
      return EntityViews(
        snapshot: snapshot, ids: snapshot.holderIDs(of: entityID, address: address))
    }
  }

  /// Unavailable: the relationship's key is on the other entity.
  @available(
    *, unavailable,
    message: "this entity is the target of the relationship, so it has no key; write '[inverse: …]'"
  )
  public subscript<Relationship: RelationshipType>(
    path: KeyPath<Storage.Contents, Relationship>
  ) -> EntityViews<Storage, Relationship.Holder> where Relationship.Target == Entity {
    EntityViews(snapshot: snapshot, ids: [])
  }

  /// Unavailable: this entity has the relationship's key.
  @available(
    *, unavailable,
    message: "this entity has the relationship's key; write '[…]' without 'inverse:'"
  )
  public subscript<Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>
  ) -> EntityViews<Storage, Relationship.Target> where Relationship.Holder == Entity {
    EntityViews(snapshot: snapshot, ids: [])
  }

  /// Returns the result of following a key: an entity, a missing ID, or none.
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

  /// Returns the result of following each ID of a list, in the list's order.
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
  @inline(never)
  func target<Target: EntityType>(
    _ relationship: UnsafePointer<ToOne<Entity, Target>>
  ) -> EntityView<Storage, Target>? {
    defer { withExtendedLifetime(snapshot) {} }
    guard let id = ToOne.targetID(of: row, in: relationship),
      let target: UnsafePointer<Target> = snapshot.row(of: id)
    else { return nil }
    return EntityView<Storage, Target>(snapshot: snapshot, row: target)
  }

  @inlinable
  func resolve<Target: EntityType>(_ id: Target.EntityID) -> EntityView<Storage, Target>? {
    guard let target: UnsafePointer<Target> = snapshot.row(of: id) else { return nil }
    return EntityView<Storage, Target>(snapshot: snapshot, row: target)
  }

  @inlinable
  func resolve<Target: EntityType>(_ ids: [Target.EntityID]) -> EntityViews<Storage, Target> {
    EntityViews(snapshot: snapshot, ids: snapshot.present(ids))
  }
}

extension NormalizedStorageType {
  /// Returns a view of the entity with an ID, or `nil` when no entity has the ID.
  ///
  /// - Precondition: The database has a table of the entity type.
  /// - Complexity: O(1) expected.
  @inlinable
  public func view<Entity: EntityType>(
    of id: EntityIdentifier<Entity>
  ) -> EntityView<Self, Entity>? {
    let snapshot = snapshot
    guard let row: UnsafePointer<Entity> = snapshot.row(of: id) else { return nil }
    return EntityView(snapshot: snapshot, row: row)
  }

  /// Returns views of the entities with the IDs, in the order of the IDs, without the missing
  /// ones.
  /// - Complexity: O(*k*) expected in the number of IDs.
  @inlinable
  public func views<Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>
  ) -> [EntityView<Self, Entity>] {
    defer { withExtendedLifetime(snapshot) {} }
    let table = snapshot.requiredTablePointer(of: Entity.self)
    return ids.compactMap { id in
      table.row(of: id).map { EntityView(snapshot: snapshot, row: $0) }
    }
  }
}

extension EntityView: Equatable {
  /// Whether two views show equal entities. The versions of the database may differ.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { haveSameValue(a.entity, b.entity) }
}

extension EntityView: CustomStringConvertible {
  /// The description of the entity.
  public var description: String { String(describing: entity) }
}

/// The result of following a key.
@frozen
public enum EntityReference<Storage: NormalizedStorageType, Target: EntityType>: Equatable, Sendable
{
  /// The entity that the key references.
  case loaded(EntityView<Storage, Target>)
  /// The ID of an entity that is not in the database.
  case missing(Target.EntityID)
  /// The key is `nil`.
  case none

  /// The entity, or `nil` when it is missing or the key is `nil`.
  @inlinable
  public var view: EntityView<Storage, Target>? {
    if case .loaded(let view) = self { return view }
    return nil
  }

  /// The ID that the key references, or `nil` when the key is `nil`.
  @inlinable
  public var entityID: Target.EntityID? {
    switch self {
    case .loaded(let view): view.entityID
    case .missing(let id): id
    case .none: nil
    }
  }
}

extension EntityReference: CustomStringConvertible {
  /// The entity, the missing ID, or `none`.
  public var description: String {
    switch self {
    case .loaded(let view): "loaded(\(view))"
    case .missing(let id): "missing(\(id))"
    case .none: "none"
    }
  }
}

extension EntityView {
  /// The entities at the other end of join entities, each once, in the order in which the join
  /// entities began to reference this one.
  ///
  /// ```swift
  /// struct Membership: EntityType, Identifiable {       // joins people and teams
  ///   let id: Int
  ///   let personID: Person.EntityID
  ///   let teamID: Team.EntityID
  ///   var role: Role
  /// }
  ///
  /// person[through: \.membershipPerson, \.membershipTeam]   // the teams of a person
  /// team[through: \.membershipTeam, \.membershipPerson]     // the people of a team
  /// person[inverse: \.membershipPerson]                     // the memberships, with their roles
  /// ```
  ///
  /// - Complexity: O(*k*) expected in the number of join entities.
  public subscript<Near: RelationshipType, Far: RelationshipType>(
    through near: KeyPath<Storage.Contents, Near>, far: KeyPath<Storage.Contents, Far>
  ) -> EntityViews<Storage, Far.Target> where Near.Target == Entity, Far.Holder == Near.Holder {
    var seen: Set<Far.Target.EntityID> = []
    let joins = self[inverse: near]
    let ids = snapshot.withRelationship(at: far) { relationship in
      joins.flatMap { relationship.targetIDs(of: $0.entity) }.filter { seen.insert($0).inserted }
    }
    return resolve(ids)
  }
}
