extension BatchContext {
  /// The database with the changes that the batch has made so far.
  ///
  /// It is a value: later changes of the batch do not affect it. Rules that are checked at the
  /// end of a batch have not been checked. If the value is kept as a database, the next batch on
  /// it checks all of its rows. References that a removal left dangling, and held IDs whose
  /// entities are missing, stay in it: `verify()` lists both.
  ///
  /// - Complexity: O(parts of the storage). While the version is kept, the batch copies the path
  ///   to each row that it changes, as it does for `current`.
  public var pending: Storage {
    storage(
      of: transaction.needsValidation ? transaction.version().unvalidated : transaction.version())
  }

  private func storage(of version: Snapshot<Storage.Contents>) -> Storage {
    if transaction.isUntouched { return current }
    var storage = current
    storage.snapshot = version
    return storage
  }

  /// The database as `pending` returns it, for reads that do not keep the version.
  private var readable: Storage { storage(of: transaction.version()) }

  /// Returns the entities that a fetch descriptor selects.
  ///
  /// ```swift
  /// try library.performBatchUpdates { context in
  ///   context.modifying.books.insert(book)
  ///   let recent = context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.year > 1999 }))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - includePendingChanges: Whether the result includes the changes of this batch; otherwise
  ///     the entities are those of `current`.
  /// - Complexity: That of `fetch` of a database, plus O(parts of the storage).
  public func fetch<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> [Entity] {
    (includePendingChanges ? readable : current).fetch(descriptor)
  }

  /// Returns the number of entities that `fetch` would return.
  /// - Parameters:
  ///   - descriptor: The entities to count.
  ///   - includePendingChanges: Whether the count includes the changes of this batch.
  /// - Complexity: That of `fetchCount` of a database, plus O(parts of the storage).
  package func fetchCount<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> Int {
    (includePendingChanges ? readable : current).fetchCount(descriptor)
  }

  /// Returns a view of an entity, whose relationships are looked up when they are read, or `nil`
  /// when no row has the ID.
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - includePendingChanges: Whether the view includes the changes of this batch.
  /// - Returns: A view of the database as it is now; later changes of the batch do not affect it.
  /// - Complexity: O(1) expected, plus O(parts of the storage).
  package func view<Entity: EntityType>(
    of id: EntityIdentifier<Entity>, includePendingChanges: Bool = true
  ) -> EntityView<Storage, Entity>? {
    (includePendingChanges ? readable : current).view(of: id)
  }
}
