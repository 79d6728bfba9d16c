public import EntiaDatabase

extension StoreComponentType {
  /// Returns a pointer to a part of the state: reading it reads the state, and writing it commits.
  ///
  /// It retains the state, but not the store.
  public func ref<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> Ref<Part> {
    ref[keyPath]
  }

  /// Returns a pointer to the entity with an ID in one of the state's databases; `nil` after it has
  /// been removed.
  ///
  /// The pointer remains valid if the entity is moved. Writes are batches, validated like any
  /// other.
  public func ref<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in keyPath: any WritableKeyPath<State, Storage> & Sendable
  ) -> Ref<Entity?> {
    store.core.databases.add(keyPath)
    return ref[keyPath][entity: id]
  }

  /// A pointer to the whole state.
  public var ref: Ref<State> {
    Ref(toStateOf: store.core)
  }
}
