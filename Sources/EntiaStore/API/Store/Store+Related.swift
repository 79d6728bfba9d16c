public import EntiaDatabase

extension Store {
  /// Follows the entity that another one's key names.
  ///
  /// ```swift
  /// let author = store.related(Book.EntityID("b1"), \.bookAuthor, in: \.library)
  /// ```
  ///
  /// Woken only by changes of the two: also when the key names another entity, and when one that was
  /// missing comes.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity with the key.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value that is `nil` while either is missing or the key names nothing.
  /// - Complexity: O(1) expected; a commit costs what it changed.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToOne<Holder, Target>> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Target?> {
    let feed = core.feed(at: path)
    let definition = RelatedDefinition(id: id, relationship: relationship, path: path)
    return reading(definition, in: path, all: [Holder.self, Target.self]) { storage in
      let reference = storage.view(of: id)?.reference(relationship)
      let keys = [feed.key(of: id)] + (reference?.entityID.map { [feed.key(of: $0)] } ?? [])
      return (reference?.view?.entity, keys)
    }
  }

  /// Follows the entities that another one's list of keys names, in its order, without those that
  /// are missing.
  ///
  /// Woken only by changes of those: also when the list names others, and when one that was missing
  /// comes.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity with the list.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value that is empty while the entity is missing.
  /// - Complexity: O(*k*) expected in the length of the list when one of them changed; a commit costs
  ///   what it changed.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToMany<Holder, Target>> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Target]> {
    let feed = core.feed(at: path)
    let definition = RelatedDefinition(id: id, relationship: relationship, path: path)
    return reading(definition, in: path, all: [Holder.self, Target.self]) { storage in
      let references = storage.view(of: id)?.references(relationship) ?? []
      let keys = [feed.key(of: id)] + references.compactMap(\.entityID).map { feed.key(of: $0) }
      return (references.compactMap { $0.view?.entity }, keys)
    }
  }

  /// Follows the entities whose keys name an entity, in the order in which they came to.
  ///
  /// ```swift
  /// let books = store.related(Author.EntityID("a1"), inverse: \.bookAuthor, in: \.library)
  /// ```
  ///
  /// Woken only by changes of the entity, and of rows that name it or did.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity that is named.
  ///   - relationship: The relationship, in the database.
  ///   - path: The key path of the database in the state.
  /// - Returns: A value that is empty while the entity is missing.
  /// - Complexity: O(*k*) expected in their number when one of them changed; a commit costs what it
  ///   changed.
  public func related<Storage: NormalizedStorageType, Relationship: RelationshipType>(
    _ id: EntityIdentifier<Relationship.Target>,
    inverse relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Relationship.Holder]> {
    let feed = core.feed(at: path)
    let keys = [feed.key(of: id), feed.key(ofHoldersOf: id, relationship, at: path)]
    let definition = RelatedDefinition(
      id: id, relationship: relationship, path: path, isInverse: true)
    let entities: [Any.Type] = [Relationship.Target.self, Relationship.Holder.self]
    return reading(definition, in: path, all: entities) { storage in
      (storage.view(of: id)?[inverse: relationship].map(\.entity) ?? [], keys)
    }
  }

  private func reading<Storage: NormalizedStorageType, Value: Sendable, ID>(
    _ definition: RelatedDefinition<ID>, in path: any KeyPath<State, Storage> & Sendable,
    all entities: [Any.Type],
    _ read: @escaping ReadCore<State, Storage, Value>.Read
  ) -> Derived<Value> {
    let feed = core.feed(at: path)
    let keys = entities.map {
      RowKey.table(feed: ObjectIdentifier(feed), entity: ObjectIdentifier($0))
    }
    let hub = core.hub
    let make = {
      ReadCore(
        hub: hub, at: path, RowAudience.Interest(feeds: [feed], keys: keys), read: read)
    }
    return Derived(core.definitions?.source(DefinitionID(definition), make: make) ?? make())
  }
}

/// What values have in common that follow the same relationship of the same entity.
private struct RelatedDefinition<ID: Hashable & Sendable>: Hashable, Sendable {
  let id: ID
  let relationship: any AnyKeyPath & Sendable
  let path: any AnyKeyPath & Sendable
  var isInverse = false

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
