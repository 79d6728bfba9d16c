public import EntiaDatabase

extension StorePart {
  /// Adds an optimistic edit; see ``StoreLayer``.
  ///
  /// A layer is not a commit: hooks do not run for it, and it cannot be undone. Later commits and
  /// undos change the committed state below the layers, and the layers are applied again on top.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the state. It must have no other effects, because it is called
  ///     again after commits that may affect it. Its result is ignored.
  /// - Returns: The layer, which has to be confirmed or rolled back.
  /// - Throws: The error of the edit; the state is then unchanged.
  /// - Complexity: That of the edit, and O(*n*), where *n* is the number of layers and of the rows
  ///   that they wrote. If the state has a hook of its own, that of the edits of all layers. While
  ///   there are layers, a commit that may affect one of them costs the edits of all layers, as
  ///   described in ``LayerReplays/ifAffected``.
  public func addLayer<Ignored>(
    _ name: String? = nil, replays: LayerReplays = .ifAffected,
    _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws -> StoreLayer<Whole> {
    let path = pathInStore
    let layer = try store.core.addLayer(name, replays: replays) {
      _ = try edit(&$0[keyPath: path])
    }
    return StoreLayer(store.core, layer, name)
  }

  /// Adds an optimistic edit, performs asynchronous work, and then confirms the edit.
  ///
  /// - Parameters:
  ///   - name: A name for the layer, and for the commit that confirms it.
  ///   - replays: The commits after which the edit is applied again.
  ///   - edit: A closure that edits the state. It must have no other effects. Its result is
  ///     ignored.
  ///   - work: The asynchronous work. If it throws, the edit is rolled back.
  ///   - confirm: A closure that commits the result of the work in place of the edit. The commit is
  ///     not an undo step, and is replayed if an earlier step is undone, so the closure must have
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
    let layer = try addLayer(name, replays: replays, edit)
    do {
      let result = try await work()
      let path = pathInStore
      try layer.confirm { _ = try confirm(&$0[keyPath: path], result) }
      return result
    } catch {
      layer.rollBack()
      throw error
    }
  }

  /// The state without optimistic layers.
  public var committedState: State { store.core.committed.value[keyPath: pathInStore] }

  /// The names of the layers, oldest first.
  package var layerNames: [String?] { store.core.layers.layers.map(\.name) }
}

extension StorePart {
  /// Returns a live query for the entities that match a fetch descriptor in a database in the
  /// state.
  ///
  /// The query is updated incrementally: only commits that changed its table are evaluated, and its
  /// observers are notified only if the result has changed. A query that requires a field to equal
  /// one of several constants is evaluated only if a changed row has one of these constants in the
  /// field, before or after the change. Other changes have no cost, regardless of the number of
  /// such queries. A query that joins related entities is also evaluated after changes of their
  /// tables, for the rows related to changed rows.
  ///
  /// - Parameters:
  ///   - descriptor: The fetch descriptor.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A query whose value always equals the result of a fetch.
  /// - Complexity: One fetch when it is first read. Then each commit costs one evaluation of the
  ///   predicate for each changed row, and O(log *k*) comparisons for each changed result, where
  ///   *k* is the number of results. With a sort and a limit, a changed row that sorts after the
  ///   loaded rows costs one comparison, if raw IDs are `Comparable`.
  @inlinable
  public func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    query(descriptor, at: wholePath(to: path), DifferingRows(Storage.self, Entity.self))
  }

  @usableFromInline
  func query<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, at path: any KeyPath<Whole, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> LiveQuery<Entity> {
    let source: LiveQuerySource<Whole, Storage, Entity> = store.core.query(
      descriptor, in: path, rows)
    return LiveQuery(source) { source.step(from: $0, to: $1) }
  }

  /// Returns the number of the entities that a fetch descriptor selects, as a derived value. The
  /// descriptor's limit and offset apply.
  ///
  /// - Parameters:
  ///   - descriptor: The fetch descriptor.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A number that always equals the result of `fetchCount`. Its observers are notified
  ///   only if the number has changed.
  /// - Complexity: The same as ``query(_:in:)``, without a sort and without storing the entities.
  @inlinable
  public func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Int> {
    count(descriptor, at: wholePath(to: path), DifferingRows(Storage.self, Entity.self))
  }

  @usableFromInline
  func count<Storage: NormalizedStorageType, Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, at path: any KeyPath<Whole, Storage> & Sendable,
    _ rows: DifferingRows<Storage, Entity>
  ) -> Derived<Int> {
    let source: LiveCountSource<Whole, Storage, Entity> = store.core.query(
      descriptor.unsorted, in: path, rows)
    return Derived(source)
  }
}
