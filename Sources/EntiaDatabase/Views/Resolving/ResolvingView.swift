/// An entity read while a shape is made of it: a view that notes what is read.
///
/// It is of use only in the initializer of an `EntityShape`.
@dynamicMemberLookup
public struct ResolvingView<Storage: NormalizedStorageType, Entity: EntityType> {
  let memory: ResolverMemory<Storage>
  let reading: Reading

  /// The entity itself.
  public let entity: Entity

  init(memory: ResolverMemory<Storage>, reading: Reading, entity: Entity) {
    self.memory = memory
    self.reading = reading
    self.entity = entity
  }

  /// The entity's ID.
  public var entityID: Entity.EntityID { entity.entityID }

  /// A field of the entity.
  public subscript<Value>(dynamicMember path: KeyPath<Entity, Value>) -> Value {
    entity[keyPath: path]
  }

  /// The entity that a key names, or `nil` when the key is `nil` or leads nowhere.
  /// - Complexity: O(1) expected.
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> ResolvingView<Storage, Target>? { targetID(path).flatMap { view(of: $0) } }

  /// The entities that a list names, in its order, without those that are missing.
  /// - Complexity: O(*k*) expected in the length of the list.
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [ResolvingView<Storage, Target>] { targetIDs(path).compactMap { view(of: $0) } }

  /// The entities that name this one, in the order in which they came to.
  /// - Complexity: O(*k*) expected in the number of those entities.
  public subscript<Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>
  ) -> [ResolvingView<Storage, Relationship.Holder>] where Relationship.Target == Entity {
    memory.holderIDs(of: entityID, at: path, for: reading).compactMap { view(of: $0) }
  }

  /// The entity that a key names, as a shape that is remembered by itself; `nil` when the key is `nil`
  /// or leads nowhere, and where the shape repeats on its own branch.
  public subscript<Shape: EntityShape>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Shape.Entity>>, as shape: Shape.Type
  ) -> Shape? where Shape.Storage == Storage {
    targetID(path).flatMap { memory.value(shape, of: $0, for: reading) }
  }

  /// The entities that a list names, as shapes that are remembered by themselves, without those that
  /// are missing or repeat on their own branch.
  public subscript<Shape: EntityShape>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Shape.Entity>>, as shape: Shape.Type
  ) -> [Shape] where Shape.Storage == Storage {
    targetIDs(path).compactMap { memory.value(shape, of: $0, for: reading) }
  }

  /// The entities that name this one, as shapes that are remembered by themselves, without those that
  /// repeat on their own branch.
  public subscript<Shape: EntityShape, Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>, as shape: Shape.Type
  ) -> [Shape]
  where Shape.Storage == Storage, Relationship.Target == Entity, Relationship.Holder == Shape.Entity
  {
    memory.holderIDs(of: entityID, at: path, for: reading).compactMap {
      memory.value(shape, of: $0, for: reading)
    }
  }

  private func view<Target: EntityType>(
    of id: EntityIdentifier<Target>
  ) -> ResolvingView<Storage, Target>? {
    memory.find(id, for: reading).map {
      ResolvingView<Storage, Target>(memory: memory, reading: reading, entity: $0)
    }
  }

  private func targetID<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> Target.EntityID? {
    memory.snapshot?.withRelationship(at: path) { $0.targetID(of: entity) }
  }

  private func targetIDs<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [Target.EntityID] {
    memory.snapshot?.withRelationship(at: path) { $0.targetIDs(of: entity) } ?? []
  }
}
