public import EntiaDatabase

extension StoreScope {
  /// Returns a derived value of the entity that another one's key refers to, in a database in the
  /// part; like the method of ``Store``.
  ///
  /// - Returns: A value that is `nil` while either entity is missing or the key is empty.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToOne<Holder, Target>> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Target?> {
    store.related(id, relationship, in: wholePath(to: database))
  }

  /// Returns a derived value of the entities that another one's list of keys refers to, in a
  /// database in the part; like the method of ``Store``.
  ///
  /// - Returns: A value with the entities in the order of the list, without missing ones.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToMany<Holder, Target>> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Target]> {
    store.related(id, relationship, in: wholePath(to: database))
  }

  /// Returns a derived value of the entities whose keys refer to an entity, in a database in the
  /// part; like the method of ``Store``.
  ///
  /// - Returns: A value that is empty while the entity is missing.
  public func related<Storage: NormalizedStorageType, Relationship: RelationshipType>(
    _ id: EntityIdentifier<Relationship.Target>,
    inverse relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Relationship.Holder]> {
    store.related(id, inverse: relationship, in: wholePath(to: database))
  }
}
