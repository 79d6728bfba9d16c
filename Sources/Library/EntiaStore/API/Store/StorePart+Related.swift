public import EntiaDatabase

extension StorePart {
  /// Returns a derived value of the entity that a key of another entity refers to.
  ///
  /// ```swift
  /// let author = store.related(Book.EntityID("b1"), \.bookAuthor, in: \.library)
  /// ```
  ///
  /// Observers are notified only of changes of the two entities, including a new target of the key
  /// and the insertion of a missing entity.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity with the key.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A value that is `nil` while either entity is missing or the key is empty.
  /// - Complexity: O(1) expected. The cost of a commit is proportional to its changes.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToOne<Holder, Target>> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Target?> {
    let path = wholePath(to: path)
    let detector = store.core.detector(at: path)
    let definition = RelatedDefinition(id: id, relationship: relationship, path: path)
    return reading(
      definition, of: .entity(id), in: path, all: [Holder.self, Target.self]
    ) { storage in
      let reference = storage.view(of: id)?.reference(relationship)
      let keys = [detector.key(of: id)] + (reference?.entityID.map { [detector.key(of: $0)] } ?? [])
      return (reference?.view?.entity, keys)
    }
  }

  /// Returns a derived value of the entities that a list of keys refers to, in the order of the
  /// list and without missing entities.
  ///
  /// Observers are notified only of changes of these entities, including a change of the list and
  /// the insertion of a missing entity.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity with the list.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A value that is empty while the entity is missing.
  /// - Complexity: O(*k*) expected, where *k* is the length of the list, if one of the entities
  ///   changed. The cost of a commit is proportional to its changes.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToMany<Holder, Target>> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Target]> {
    let path = wholePath(to: path)
    let detector = store.core.detector(at: path)
    let definition = RelatedDefinition(id: id, relationship: relationship, path: path)
    return reading(
      definition, of: .entity(id), in: path, all: [Holder.self, Target.self]
    ) { storage in
      let references = storage.view(of: id)?.references(relationship) ?? []
      let keys =
        [detector.key(of: id)] + references.compactMap(\.entityID).map { detector.key(of: $0) }
      return (references.compactMap { $0.view?.entity }, keys)
    }
  }

  /// Returns a derived value of the entities whose keys refer to an entity, in the order in which
  /// the references were added.
  ///
  /// ```swift
  /// let books = store.related(Author.EntityID("a1"), inverse: \.bookAuthor, in: \.library)
  /// ```
  ///
  /// Observers are notified only of changes of the entity, and of rows that refer to it before or
  /// after the change.
  ///
  /// - Parameters:
  ///   - id: The ID of the target entity.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A value that is empty while the entity is missing.
  /// - Complexity: O(*k*) expected, where *k* is the number of referring entities, if one of them
  ///   changed. The cost of a commit is proportional to its changes.
  public func related<Storage: NormalizedStorageType, Relationship: RelationshipType>(
    _ id: EntityIdentifier<Relationship.Target>,
    inverse relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Relationship.Holder]> {
    let path = wholePath(to: path)
    let detector = store.core.detector(at: path)
    let holders = detector.observedRows(ofHoldersOf: id, relationship, at: path)
    let keys = [detector.key(of: id)] + holders.keys
    let definition = RelatedDefinition(
      id: id, relationship: relationship, path: path, isInverse: true)
    let entities: [Any.Type] = [Relationship.Target.self, Relationship.Holder.self]
    return reading(
      definition, of: .entity(id), in: path, all: entities, fields: holders.fields
    ) { storage in
      (storage.view(of: id)?[inverse: relationship].map(\.entity) ?? [], keys)
    }
  }

  private func reading<Storage: NormalizedStorageType, Value: Sendable, ID>(
    _ definition: RelatedDefinition<ID>, of root: CollectionRoot,
    in path: any KeyPath<Whole, Storage> & Sendable,
    all entities: [Any.Type], fields: [DatabaseChangeDetector.ObservedField] = [],
    _ read: @escaping ReadSource<Whole, Storage, Value>.Read
  ) -> Derived<Value> {
    let detector = store.core.detector(at: path)
    let keys = entities.map {
      RowKey.table(detector: ObjectIdentifier(detector), entity: ObjectIdentifier($0))
    }
    let broadcaster = store.core.broadcaster
    let make = {
      ReadSource(
        broadcaster: broadcaster, at: path,
        RowObserverIndex.ObservedRows(detectors: [detector], keys: keys, fields: fields),
        roots: [root], describe: { definition.subject }, read: read)
    }
    return Derived(store.core.definitions?.source(DefinitionID(definition), make: make) ?? make())
  }
}

/// The identity of a derived value for a relationship of an entity. Derived values with equal
/// identities share one source.
private struct RelatedDefinition<ID: Hashable & Sendable>: Hashable, Sendable {
  let id: ID
  let relationship: any AnyKeyPath & Sendable
  let path: any AnyKeyPath & Sendable
  var isInverse = false

  /// The related entities in words.
  var subject: String {
    let name = pathName(relationship)
    return (isInverse ? "holders by \(name) of " : "\(name) of ")
      + "\(String(reflecting: id)) in \(pathName(path))"
  }

  static func == (lhs: RelatedDefinition, rhs: RelatedDefinition) -> Bool {
    lhs.id == rhs.id && lhs.relationship == rhs.relationship && lhs.path == rhs.path
      && lhs.isInverse == rhs.isInverse
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(relationship)
    hasher.combine(path)
    hasher.combine(isInverse)
  }
}
