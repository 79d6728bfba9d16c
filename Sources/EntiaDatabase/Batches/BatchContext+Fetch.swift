extension BatchContext {
  /// The database with the changes that the batch has made so far.
  ///
  /// A value like any other version: later changes of the batch do not show in it. Rules that are
  /// judged at the end of a batch have not been judged.
  ///
  /// - Complexity: O(parts of the storage). While the version is kept, the batch copies the path to
  ///   each row that it changes, as it does beside `current`.
  public var pending: Storage {
    let version = workspace.version()
    if version.isIdentical(to: current.snapshot) { return current }
    var storage = current
    storage.snapshot = version
    return storage
  }

  /// Returns the entities that a description asks for.
  ///
  /// ```swift
  /// try library.performBatchUpdates { context in
  ///   context.modifying.books.insert(book)
  ///   let recent = context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.year > 1999 }))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - includePendingChanges: Whether the changes of this batch show; otherwise the entities are
  ///     those of `current`.
  /// - Complexity: As `fetch` of a database, and O(parts of the storage).
  public func fetch<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> [Entity] {
    (includePendingChanges ? pending : current).fetch(descriptor)
  }

  /// Returns the number of entities that `fetch` would return.
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - includePendingChanges: Whether the changes of this batch count.
  /// - Complexity: As `fetchCount` of a database, and O(parts of the storage).
  public func fetchCount<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> Int {
    (includePendingChanges ? pending : current).fetchCount(descriptor)
  }

  /// Returns an entity with its relationships resolved on read, or `nil` when no row has the ID.
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - includePendingChanges: Whether the changes of this batch show.
  /// - Returns: A view of the database as it is now; later changes of the batch do not show in it.
  /// - Complexity: O(1) expected, and O(parts of the storage).
  public func view<Entity: EntityType>(
    of id: EntityIdentifier<Entity>, includePendingChanges: Bool = true
  ) -> EntityView<Storage, Entity>? {
    (includePendingChanges ? pending : current).view(of: id)
  }
}
