public import EntiaDatabase

extension StoreScope {
  /// Returns a draft of a part of this part, which is saved as a whole.
  ///
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable, undoDepth: Int = 100
  ) -> EditingDraft<Part> {
    store.draft(wholePath(to: part), undoDepth: undoDepth)
  }

  /// Returns a draft of a database in the part, which is merged entity by entity; a conflict
  /// refuses the save.
  ///
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, undoDepth: Int = 100
  ) -> EditingDraft<Storage> {
    store.draft(wholePath(to: part), undoDepth: undoDepth)
  }

  /// Returns a draft of a database in the part, which is merged entity by entity.
  ///
  /// - Parameters:
  ///   - part: The database, which commits to the store may continue to change.
  ///   - merge: The treatment of rows that both changed; its *mine* is the draft, its *theirs* the
  ///     store.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable,
    merge: ThreeWayMerge<Storage>, undoDepth: Int = 100
  ) -> EditingDraft<Storage> {
    store.draft(wholePath(to: part), merge: merge, undoDepth: undoDepth)
  }

  /// Adds an optimistic edit of the part; see ``StoreLayer``.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the part. It must have no other effects: it is called again
  ///     after commits that may affect it. Its result is ignored.
  /// - Returns: The layer of the store, which has to be confirmed or rolled back.
  /// - Throws: The error of the edit; the state is then unchanged.
  public func addLayer<Ignored>(
    _ name: String? = nil, replays: LayerReplays = .ifAffected,
    _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws -> StoreLayer<Whole> {
    let path = path
    return try store.addLayer(name, replays: replays) { try edit(&$0[keyPath: path]) }
  }

  /// Adds an optimistic edit of the part during asynchronous work that confirms it.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the part. It must have no other effects. Its result is ignored.
  ///   - work: The work that confirms the edit. If it throws, the edit is rolled back.
  ///   - confirm: A closure that commits the result of the work in place of the edit. It must have
  ///     no other effects.
  /// - Returns: The result of the work.
  /// - Throws: The error of the edit, the work or the commit; the edit is then rolled back.
  @discardableResult
  public func withLayer<Result: Sendable, Ignored, Confirmed>(
    _ name: String? = nil, replays: LayerReplays = .ifAffected,
    _ edit: @escaping @Sendable (inout State) throws -> Ignored,
    until work: @Sendable () async throws -> Result,
    confirm: @escaping @Sendable (inout State, Result) throws -> Confirmed
  ) async throws -> Result {
    let path = path
    return try await store.withLayer(name, replays: replays) {
      try edit(&$0[keyPath: path])
    } until: {
      try await work()
    } confirm: {
      try confirm(&$0[keyPath: path], $1)
    }
  }

  /// The part without optimistic layers.
  public var committedState: State { store.committedState[keyPath: path] }

  /// The names of the store's layers, oldest first.
  public var layerNames: [String?] { store.layerNames }
}
