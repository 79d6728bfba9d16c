public import EntiaDatabase

extension Store {
  /// A pointer to a part of the state: reading it reads the state, writing it commits.
  ///
  /// It keeps the state alive, but not the store.
  public func ref<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> Ref<Part> {
    ref[keyPath]
  }

  /// A pointer to the entity with an ID in one of the state's databases; `nil` once it is gone.
  ///
  /// It follows the entity, wherever it is moved. Writes are batches, judged as any other.
  public func ref<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in keyPath: any WritableKeyPath<State, Storage> & Sendable
  ) -> Ref<Entity?> {
    core.databases.add(keyPath)
    return ref[keyPath][entity: id]
  }

  /// A pointer to the whole state.
  public var ref: Ref<State> {
    let core = core
    return Ref(source: core, problems: core.problems, owner: nil) { name, body in
      try core.commitOrThrow(CommitMark(name: name), body)
    }
  }
}
