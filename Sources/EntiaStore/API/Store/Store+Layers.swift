extension Store {
  /// Shows an edit before it is certain; see ``StoreLayer``.
  ///
  /// It is no commit: hooks are not asked and it cannot be undone. Commits
  /// meanwhile edit the committed state, without the layers, which then lie on top again; undoing
  /// goes back in the committed state too.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that it becomes.
  ///   - edit: Edits the state, and does nothing else: it is made again after every commit. What it
  ///     returns is ignored.
  /// - Returns: The layer, to be confirmed or rolled back.
  /// - Throws: What the edit throws; ``StoreLayerError`` inside a commit of this store. Nothing has
  ///   changed then.
  /// - Complexity: A commit costs all layers' edits while there are any.
  public func addLayer<Ignored>(
    _ name: String? = nil, _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws -> StoreLayer<State> {
    StoreLayer(core, try core.addLayer(name) { _ = try edit(&$0) }, name)
  }

  /// Shows an edit while some work is under way that makes it certain.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that it becomes.
  ///   - edit: Edits the state, and does nothing else. What it returns is ignored.
  ///   - work: Makes it certain; when it throws, the edit is taken back.
  ///   - confirm: Commits what the work gave, in place of the edit, and does nothing else: the commit is
  ///     no step to be undone, and is made again when an earlier step is undone.
  /// - Returns: What the work returns.
  /// - Throws: What the edit, the work or the commit throws; the edit is then gone.
  @discardableResult
  public func withLayer<Result: Sendable, Ignored, Confirmed>(
    _ name: String? = nil, _ edit: @escaping @Sendable (inout State) throws -> Ignored,
    until work: @Sendable () async throws -> Result,
    confirm: @escaping @Sendable (inout State, Result) throws -> Confirmed
  ) async throws -> Result {
    let layer = try addLayer(name, edit)
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
  public var committedState: State { core.committed.value }

  /// The names of the layers, the oldest first.
  public var layerNames: [String?] { core.layers.layers.map(\.name) }
}
