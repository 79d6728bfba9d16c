extension BatchContext {
  /// The database with the changes that the batch has made so far.
  ///
  /// A value like any other version: later changes of the batch do not show in it. Rules that are
  /// judged at the end of a batch have not been judged; where the value is kept as a database, the next
  /// batch on it judges all of its rows. References that a removal left dangling, and IDs that are held
  /// without their entities, stay in it: `verify()` lists both.
  ///
  /// - Complexity: O(parts of the storage). While the version is kept, the batch copies the path to
  ///   each row that it changes, as it does beside `current`.
  public var pending: Storage {
    storage(of: workspace.needsJudgement ? workspace.version().unjudged : workspace.version())
  }

  private func storage(of version: Snapshot<Storage.Contents>) -> Storage {
    if workspace.isUntouched { return current }
    var storage = current
    storage.snapshot = version
    return storage
  }

  /// The database as `pending` has it, for reading alone.
  private var readable: Storage { storage(of: workspace.version()) }

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
    (includePendingChanges ? readable : current).fetch(descriptor)
  }

  /// Returns the number of entities that `fetch` would return.
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - includePendingChanges: Whether the changes of this batch count.
  /// - Complexity: As `fetchCount` of a database, and O(parts of the storage).
  public func fetchCount<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> Int {
    (includePendingChanges ? readable : current).fetchCount(descriptor)
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
    (includePendingChanges ? readable : current).view(of: id)
  }
}
