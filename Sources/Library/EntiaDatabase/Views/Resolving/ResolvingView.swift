/// An entity that a shape is built from: a view that records each read as a dependency.
///
/// Valid only in the initializer of an `EntityShape`.
@dynamicMemberLookup
public struct ResolvingView<Storage: NormalizedStorageType, Entity: EntityType> {
  let graph: DependencyGraph<Storage>
  let token: DependencyToken

  /// The entity itself.
  public let entity: Entity

  /// A field of the entity.
  public subscript<Value>(dynamicMember path: KeyPath<Entity, Value>) -> Value {
    entity[keyPath: path]
  }

  /// The entity that a key references, or `nil` when the key is `nil` or the entity is missing.
  /// - Complexity: O(1) expected.
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> ResolvingView<Storage, Target>? { targetID(path).flatMap { view(of: $0) } }

  /// The entities that a list references, in its order, without the missing ones.
  /// - Complexity: O(*k*) expected in the length of the list.
  public subscript<Target: EntityType>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [ResolvingView<Storage, Target>] { targetIDs(path).compactMap { view(of: $0) } }

  /// The entities that reference this one, in the order in which they began to reference it.
  /// - Complexity: O(*k*) expected in the number of those entities.
  public subscript<Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>
  ) -> [ResolvingView<Storage, Relationship.Holder>] where Relationship.Target == Entity {
    graph.holderIDs(of: entity.entityID, at: path, for: token).compactMap { view(of: $0) }
  }

  /// The entity that a key references, as a separately cached shape. The result is `nil` when the
  /// key is `nil`, and when the entity is missing or is already on the path in the same shape.
  public subscript<Shape: EntityShape>(
    path: KeyPath<Storage.Contents, ToOne<Entity, Shape.Entity>>, as shape: Shape.Type
  ) -> Shape? where Shape.Storage == Storage {
    targetID(path).flatMap { graph.value(shape, of: $0, for: token) }
  }

  /// The entities that a list references, as separately cached shapes. Entities that are missing or
  /// already on the path in the same shape are left out.
  public subscript<Shape: EntityShape>(
    path: KeyPath<Storage.Contents, ToMany<Entity, Shape.Entity>>, as shape: Shape.Type
  ) -> [Shape] where Shape.Storage == Storage {
    targetIDs(path).compactMap { graph.value(shape, of: $0, for: token) }
  }

  /// The entities that reference this one, as separately cached shapes. Entities that are already
  /// on the path in the same shape are left out.
  public subscript<Shape: EntityShape, Relationship: RelationshipType>(
    inverse path: KeyPath<Storage.Contents, Relationship>, as shape: Shape.Type
  ) -> [Shape]
  where Shape.Storage == Storage, Relationship.Target == Entity, Relationship.Holder == Shape.Entity
  {
    graph.holderIDs(of: entity.entityID, at: path, for: token).compactMap {
      graph.value(shape, of: $0, for: token)
    }
  }

  private func view<Target: EntityType>(
    of id: EntityIdentifier<Target>
  ) -> ResolvingView<Storage, Target>? {
    graph.find(id, for: token).map {
      ResolvingView<Storage, Target>(graph: graph, token: token, entity: $0)
    }
  }

  private func targetID<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToOne<Entity, Target>>
  ) -> Target.EntityID? {
    graph.snapshot?.withRelationship(at: path) { $0.targetID(of: entity) }
  }

  private func targetIDs<Target: EntityType>(
    _ path: KeyPath<Storage.Contents, ToMany<Entity, Target>>
  ) -> [Target.EntityID] {
    graph.snapshot?.withRelationship(at: path) { $0.targetIDs(of: entity) } ?? []
  }
}

/// A value built from an entity and its related entities, to the depth that the shape declares.
///
/// ```swift
/// struct PostPage: EntityShape {
///   let title: String
///   let author: Author?
///   let comments: [CommentRow]
///
///   init(_ post: ResolvingView<Blog, Post>) {
///     title = post.title
///     author = post[\.postAuthor]?.entity
///     comments = post[inverse: \.commentPost, as: CommentRow.self]
///   }
/// }
///
/// var resolver = Resolver<Blog>()
/// let page = resolver.resolve(PostPage.self, of: "p1", in: blog)
/// ```
///
/// The value must depend only on the data that it reads through the view. An `Encodable` shape is
/// encoded by `JSONEncoder` as nested JSON. A shape is `Sendable`, because a store returns one
/// cached value to all threads.
public protocol EntityShape<Storage, Entity>: Sendable {
  /// The database that the value is read from.
  associatedtype Storage: NormalizedStorageType
  /// The entity type that the value starts from.
  associatedtype Entity: EntityType

  /// Creates the value from a view of the entity. The view gives access to the related entities.
  init(_ entity: ResolvingView<Storage, Entity>)
}

/// Collects the resolved values that depend on a difference between two versions.
///
/// The code is specialized in the caller's module, where the types are known. Tables whose rows no
/// resolved value has read are skipped, and so are all relationships if no value has read holders.
@frozen
@usableFromInline
struct StaleDependencies<Storage: NormalizedStorageType>: TablePairVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let old: Snapshot<Contents>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var pairs: TablePairs
  /// The index of the next relationship.
  @usableFromInline var index = 0
  @usableFromInline var tokens: [DependencyToken] = []

  /// Creates a search. The caller keeps both versions alive.
  @inlinable
  init(graph: DependencyGraph<Storage>, old: Snapshot<Contents>, new: Snapshot<Contents>) {
    (self.graph, self.old, self.new) = (graph, old, new)
    pairs = TablePairs(old.box.address, new.box.address, offsets: new.box.layout.tables)
  }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if !pair.isSame { compare(pair) }
  }

  @inlinable
  mutating func compare<Table: TableType>(_ pair: TablePair<Table>) {
    guard let rows = graph.rowReaders(of: Table.Entity.self) else { return }
    if Table.isOrdered {
      note(pair.new.pointee.changes(since: pair.old.pointee), rows.takeUnretainedValue())
    } else {
      pair.visitDifferingIDs { id in
        rows._withUnsafeGuaranteedRef { $0.take(id, into: &tokens) }
      }
    }
  }

  @usableFromInline
  mutating func note<Entity: EntityType>(
    _ changes: TableChanges<Entity>, _ rows: DependencyLists<Entity>
  ) {
    for id in changes.changedIDs { rows.take(id, into: &tokens) }
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let offset = new.box.layout.relationships[index]
    index &+= 1
    if !graph.hasHolderReaders { return }
    Relationship.visitDifferingTargets(
      (UnsafeRawPointer(old.box.address) + offset).assumingMemoryBound(to: Relationship.self),
      (UnsafeRawPointer(new.box.address) + offset).assumingMemoryBound(to: Relationship.self)
    ) { target in
      let readers = graph.linkReaders(at: offset, of: Relationship.Target.self)
      readers?._withUnsafeGuaranteedRef { $0.take(target, into: &tokens) }
    }
  }
}
