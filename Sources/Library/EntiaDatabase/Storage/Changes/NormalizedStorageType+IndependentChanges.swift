extension NormalizedStorageType {
  /// Returns this version with the changes between two other versions, if they are independent of
  /// the changes between the older one and this version.
  ///
  /// Changes are independent if they write different rows, neither removes an entity that the other
  /// references, at most one of them inserts or moves rows of a table, and no held IDs changed. A
  /// rule of the database or `finalizeTransaction` must not have further effects. Changes of
  /// transient members are not found, so that entities must not have any.
  ///
  /// - Parameters:
  ///   - old: The common older version.
  ///   - new: The version with the changes to add.
  /// - Returns: The version with both changes; `nil` if they are not surely independent.
  /// - Complexity: O(changes between `old` and `new` · log *n*); with changes of the order of a
  ///   table also those between `old` and this version.
  package func addingIndependentChanges(from old: Self, to new: Self) -> Self? {
    var transients = TransientSearch<Contents>()
    Contents.visitParts(&transients)
    if transients.areFound { return nil }
    let added = new.changes(since: old)
    if added.isEmpty { return self }
    guard added.heldIDs.isEmpty else { return nil }
    if added.tables.values.contains(where: \.changesOrder) {
      let present = changes(since: old)
      let isReordered = added.tables.contains { type, changes in
        changes.changesOrder && present.tables[type]?.changesOrder == true
      }
      if isReordered { return nil }
    }
    var result = self
    do {
      try result.apply(added)
    } catch {
      return nil
    }
    // A row that already had its new value was written by both.
    return result.changes(since: self).count == added.count ? result : nil
  }
}

/// Searches for entities with transient members.
private struct TransientSearch<Contents: StorageContents>: StorageVisitor {
  var areFound = false

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    if Table.Entity.hasTransientMembers { areFound = true }
  }
}
