public import EntiaCollections

/// Visits the rows of one table that differ between two versions.
///
/// Create it where `Storage` and `Entity` are concrete types, so that its code is specialized for
/// them.
@frozen
@usableFromInline
package struct DifferingRows<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  @usableFromInline
  typealias Visit =
    @Sendable (
      _ old: StorageVersion, _ new: StorageVersion, _ changes: () -> StorageChangeSet<Storage>?,
      _ body: (UnsafePointer<Entity>) -> Void
    ) -> Bool

  /// Calls the closure `body` with both values of the rows that differ, and returns whether the
  /// table may have an order of its own.
  @usableFromInline let visit: Visit

  /// Creates the visitor for the table of an entity type.
  @inlinable
  package init(_ storage: Storage.Type, _ entity: Entity.Type) {
    visit = { old, new, changes, body in
      if old === new { return false }
      // The tables are read by address. Snapshots would retain both versions, although the caller
      // already retains them.
      defer { withExtendedLifetime((old, new)) {} }
      let layout = new.layout
      var search = TableOffsetSearch<Storage.Contents, Entity>(
        contents: UnsafeMutableRawPointer(mutating: new.start), offsets: layout.tables)
      Storage.Contents.visitParts(&search)
      if case .hash(let now)? = search.result {
        // Both versions have the same layout.
        let then = old.start + (UnsafeRawPointer(now) - new.start)
        typealias Table = Tables.Hash<Entity>
        Table.Rows.visitDiffering(Table.rows(at: then), Table.rows(at: now), body)
        return false
      }
      let changes = changes() ?? StorageChangeSet(from: Snapshot(old), to: Snapshot(new))
      changes.changes(of: entity).visitRows(body)
      return true
    }
  }

  /// Whether a condition holds for the old or the new value of any row that differs.
  ///
  /// - Parameters:
  ///   - old: The older version.
  ///   - new: The newer version.
  ///   - changes: Returns the difference of the two versions if it has already been computed. It is
  ///     called only for a table that is not a `Tables.Hash`.
  ///   - condition: The condition; it may also be called for rows that do not differ.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func contains(
    from old: StorageVersion, to new: StorageVersion,
    changes: () -> StorageChangeSet<Storage>? = { nil },
    where condition: (UnsafePointer<Entity>) -> Bool
  ) -> Bool {
    var isFound = false
    _ = visit(old, new, changes) { row in
      if !isFound { isFound = condition(row) }
    }
    return isFound
  }
}

extension DifferingRows {
  /// Calls the closure with both values of the rows that differ, and with the rows that moved.
  package func visitMoved(
    from old: StorageVersion, to new: Storage, changes: () -> StorageChangeSet<Storage>,
    visit body: (UnsafePointer<Entity>) -> Void
  ) {
    // In a table without an order of its own, a row moves only if it is removed and inserted again.
    // `visit` also visits the rows that were removed and inserted again.
    guard visit(old, new.version, changes, body) else { return }
    for move in changes().changes(of: Entity.self).moved {
      if let entity = new.row(of: move.entityID) { withUnsafePointer(to: entity, body) }
    }
  }
}

extension TableChanges {
  /// Calls the closure with every inserted and removed row, and both values of every updated row.
  @usableFromInline
  func visitRows(_ body: (UnsafePointer<Entity>) -> Void) {
    for update in updated {
      withUnsafePointer(to: update.new, body)
      withUnsafePointer(to: update.old, body)
    }
    for entity in inserted { withUnsafePointer(to: entity, body) }
    for entity in removed { withUnsafePointer(to: entity, body) }
  }
}
