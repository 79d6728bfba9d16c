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
    return reading(relationship, of: id, in: path, all: [Holder.self, Target.self]) { storage in
      let reference = storage.view(of: id)?.reference(relationship)
      let keys = [detector.key(of: id)] + (reference?.entityID.map { [detector.key(of: $0)] } ?? [])
      return (reference?.view?.entity, keys)
    }
  }

  /// Returns a derived value of the entities that a list of keys refers to, in the order of the
  /// list and without missing entities.
  ///
  /// Observers are notified only of changes of the list and of the entities that it refers to,
  /// including the insertion of a missing entity.
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
    return reading(relationship, of: id, in: path, all: [Holder.self, Target.self]) { storage in
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
    return reading(
      relationship, of: id, in: path, all: [Relationship.Target.self, Relationship.Holder.self],
      holders: holders
    ) { storage in
      (storage.view(of: id)?[inverse: relationship].map(\.entity) ?? [], keys)
    }
  }

  /// Returns a derived value that reads a relationship of an entity. `holders` are the observed
  /// holders if the value consists of the holders, and `nil` otherwise.
  private func reading<Storage: NormalizedStorageType, Value: Sendable, Entity: EntityType>(
    _ relationship: any AnyKeyPath & Sendable, of id: EntityIdentifier<Entity>,
    in path: any KeyPath<Whole, Storage> & Sendable, all entities: [Any.Type],
    holders: RowObserverIndex.ObservedRows? = nil,
    _ read: @escaping ReadSource<Whole, Storage, Value>.Read
  ) -> Derived<Value> {
    let detector = store.core.detector(at: path)
    let keys = entities.map {
      RowKey.table(detector: ObjectIdentifier(detector), entity: ObjectIdentifier($0))
    }
    let rows = RowObserverIndex.ObservedRows(
      detectors: [detector], keys: keys, fields: holders?.fields ?? [])
    let kind = holders == nil ? "" : "holders by "
    let (core, definition) = (store.core, DefinitionID(id, relationship, path, kind))
    return Derived(
      core.shared(definition) {
        ReadSource(
          broadcaster: core.broadcaster, at: path, rows, roots: [.entity(id)],
          describe: {
            let name = pathName(relationship)
            return "\(kind)\(name) of \(String(reflecting: id)) in \(pathName(path))"
          }, read: read)
      })
  }
}
