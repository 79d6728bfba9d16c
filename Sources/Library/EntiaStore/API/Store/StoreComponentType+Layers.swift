extension StoreComponentType {
  /// Adds an optimistic edit; see ``StoreLayer``.
  ///
  /// A layer is not a commit: hooks do not run for it, and it cannot be undone. Later commits edit
  /// the committed state below the layers, and the layers are applied again on top. Undoing also
  /// restores the committed state.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the state. It must have no other effects: it is called again
  ///     after commits that may affect it. Its result is ignored.
  /// - Returns: The layer, which has to be confirmed or rolled back.
  /// - Throws: The error of the edit; the state is then unchanged.
  /// - Complexity: While there are layers, a commit costs the edits of all layers, unless it does
  ///   not affect them, as described in ``LayerReplays/ifAffected``.
  public func addLayer<Ignored>(
    _ name: String? = nil, replays: LayerReplays = .ifAffected,
    _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws -> StoreLayer<State> {
    StoreLayer(
      store.core, try store.core.addLayer(name, replays: replays) { _ = try edit(&$0) }, name)
  }

  /// Adds an optimistic edit during asynchronous work that confirms it.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the state. It must have no other effects. Its result is
  ///     ignored.
  ///   - work: The work that confirms the edit. If it throws, the edit is rolled back.
  ///   - confirm: A closure that commits the result of the work in place of the edit. It must have
  ///     no other effects: the commit is not an undo step, and is replayed if an earlier step is
  ///     undone.
  /// - Returns: The result of the work.
  /// - Throws: The error of the edit, the work or the commit; the edit is then rolled back.
  @discardableResult
  public func withLayer<Result: Sendable, Ignored, Confirmed>(
    _ name: String? = nil, replays: LayerReplays = .ifAffected,
    _ edit: @escaping @Sendable (inout State) throws -> Ignored,
    until work: @Sendable () async throws -> Result,
    confirm: @escaping @Sendable (inout State, Result) throws -> Confirmed
  ) async throws -> Result {
    let layer = try addLayer(name, replays: replays, edit)
    do {
      let result = try await work()
      try layer.confirm { _ = try confirm(&$0, result) }
      return result
    } catch {
      layer.rollBack()
      throw error
    }
  }

  /// The state without optimistic layers.
  public var committedState: State { store.core.committed.value }

  /// The names of the layers, oldest first.
  public var layerNames: [String?] { store.core.layers.layers.map(\.name) }
}
