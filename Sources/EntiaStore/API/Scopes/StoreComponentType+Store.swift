public import EntiaDatabase

extension StoreComponentType {
  /// Changes the state of the store, as ``Store/commit(_:context:undo:_:)`` does.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the state is then as it was, and nobody is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, undo: undo, body)
  }

  /// Changes the state of the store, as ``Store/backgroundCommit(_:undo:_:)`` does.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws or a ``StoreMiddleware`` refuses; the state is then as it was,
  ///   and nobody is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    try await store.backgroundCommit(name, undo: undo, body)
  }

  /// The states of the store from now on, the current one first; a slow reader is given the newest.
  public var states: StoreStates<State> { store.states }

  /// Runs asynchronous work of the store, as ``Store/task(key:mode:priority:_:)`` does.
  ///
  /// - Returns: The task, to be waited for or canceled; it may be ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    store.task(key: key, mode: mode, priority: priority, action)
  }

  /// Takes back the last step of the store, as ``Store/undo()`` does.
  ///
  /// - Returns: Whether a step was undone.
  @discardableResult
  public func undo() -> Bool { store.undo() }

  /// Does again what was undone last in the store, as ``Store/redo()`` does.
  ///
  /// - Returns: Whether a step was redone.
  @discardableResult
  public func redo() -> Bool { store.redo() }

  /// Follows one entity of a database in the state, as ``Store/entity(_:in:)`` does.
  ///
  /// - Returns: A value that is the entity, or `nil` while there is none.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    store.entity(id, in: path)
  }

  /// Follows several entities of a database in the state, as ``Store/entities(_:in:)`` does.
  ///
  /// - Returns: A value that is the entities in the order of the IDs, without those that are missing.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    store.entities(ids, in: path)
  }

  /// Follows the entities that a description asks for, as ``Store/query(_:in:)`` does.
  ///
  /// - Returns: A query whose value is always what a fetch would give.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: path)
  }

  /// The store seen through a part of its state.
  ///
  /// - Returns: A view of the store; it holds it.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<State, Part, Activity> {
    store.scope(path)
  }
}
