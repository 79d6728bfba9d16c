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

  /// Returns a draft of a database in the part, which is merged entity by entity; a conflict refuses
  /// the save.
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
  ///   - edit: A closure that edits the part. It must have no other effects: it is called again
  ///     after every commit. Its result is ignored.
  /// - Returns: The layer of the store, which has to be confirmed or rolled back.
  /// - Throws: The error of the edit; ``StoreLayerError`` inside a commit of the store. The state is
  ///   then unchanged.
  public func addLayer<Ignored>(
    _ name: String? = nil, _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws -> StoreLayer<Whole> {
    let path = path
    return try store.addLayer(name) { try edit(&$0[keyPath: path]) }
  }
}
