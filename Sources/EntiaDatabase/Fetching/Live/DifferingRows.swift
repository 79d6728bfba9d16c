/// Visits the rows of one table that differ between two versions.
///
/// Created where the types are known, it visits them with code that was compiled for these types.
@frozen
@usableFromInline
package struct DifferingRows<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  @usableFromInline
  typealias Visit =
    @Sendable (
      _ old: StorageVersion, _ new: StorageVersion, _ changes: () -> StorageChangeSet<Storage>?,
      _ body: (UnsafePointer<Entity>) -> Void
    ) -> Void

  @usableFromInline let visit: Visit

  /// Creates the visitor of the storage's table of an entity type.
  @inlinable
  package init(_ storage: Storage.Type, _ entity: Entity.Type) {
    visit = { old, new, changes, body in
      if old.box === new.box { return }
      let before = Snapshot<Storage.Contents>(old)
      let after = Snapshot<Storage.Contents>(new)
      if case .hash(let then)? = before.tablePointer(of: entity),
        case .hash(let now)? = after.tablePointer(of: entity)
      {
        Tables.Hash.visitDiffering(then, now, body)
      } else {
        (changes() ?? StorageChangeSet(from: before, to: after)).changes(of: entity).visitRows(body)
      }
      withExtendedLifetime((before, after)) {}
    }
  }

  /// Whether a condition holds for the old or the new value of any row that differs.
  ///
  /// - Parameters:
  ///   - old: The older version.
  ///   - new: The newer version.
  ///   - changes: Returns the difference of the two versions if it is shared with others. It is
  ///     called only if the differing rows cannot be found without the difference of the whole
  ///     databases.
  ///   - condition: The condition; it may also be called for rows that do not differ.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func contains(
    from old: StorageVersion, to new: StorageVersion,
    changes: () -> StorageChangeSet<Storage>? = { nil },
    where condition: (UnsafePointer<Entity>) -> Bool
  ) -> Bool {
    var isFound = false
    visit(old, new, changes) { row in
      if !isFound { isFound = condition(row) }
    }
    return isFound
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
