public import EntiaDatabase

extension StoreComponentType {
  /// Changes the state of the store, like ``Store/commit(_:context:undo:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil, undo: UndoRecording,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, undo: undo, body)
  }

  /// Changes the state of the store, like ``Store/backgroundCommit(_:undo:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    try await store.backgroundCommit(name, undo: undo, body)
  }

  /// The states of the store from now on, the current one first; a slow reader receives the newest.
  public var states: StoreStates<State> { store.states }

  /// Runs asynchronous work of the store, like ``Store/task(key:mode:priority:_:)``.
  ///
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    store.task(key: key, mode: mode, priority: priority, action)
  }

  /// Undoes the last step of the store, like ``Store/undo()``.
  ///
  /// - Returns: Whether a step was undone.
  @discardableResult
  public func undo() -> Bool { store.undo() }

  /// Redoes the last undone step of the store, like ``Store/redo()``.
  ///
  /// - Returns: Whether a step was redone.
  @discardableResult
  public func redo() -> Bool { store.redo() }

  /// Returns a derived value of one entity of a database in the state, like
  /// ``Store/entity(_:in:)``.
  ///
  /// - Returns: A value that is the entity, or `nil` while it does not exist.
  public func entity<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Entity?> {
    store.entity(id, in: path)
  }

  /// Returns a derived value of several entities of a database in the state, like
  /// ``Store/entities(_:in:)``.
  ///
  /// - Returns: A value with the entities in order of the IDs, without missing ones.
  public func entities<Storage: NormalizedStorageType, Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>,
    in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Entity]> {
    store.entities(ids, in: path)
  }

  /// Returns a live query for the entities that match a fetch descriptor, like
  /// ``Store/query(_:in:)``.
  ///
  /// - Returns: A query whose value always equals the result of a fetch.
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    store.query(descriptor, in: path)
  }

  /// Returns a scope of the store for a part of its state.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<State, Part, Activity> {
    store.scope(path)
  }
}
