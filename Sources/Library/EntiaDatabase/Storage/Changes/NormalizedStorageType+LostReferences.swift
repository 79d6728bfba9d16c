/// For each relationship, the existing entities that the rows of an edit reference, and the removed
/// entities that they may have referenced before.
package struct NamedTargets<Storage: NormalizedStorageType>: Sendable {
  fileprivate var sets: [String: any Sendable] = [:]
}

extension NormalizedStorageType {
  /// Returns the existing entities to which the rows of an edit refer, and the entities that the
  /// edit removed and no key still references. The rows of an edit are the rows that the edit
  /// wrote. If the edit was made on a version that tracks writes, they include rows whose values
  /// did not change.
  ///
  /// Relationships whose rule is `keepDangling` are ignored.
  ///
  /// - Parameter start: The version that the edit was made on.
  /// - Complexity: O(changes · log *n*).
  package func namedTargets(since start: Self) -> NamedTargets<Self> {
    var search = NamedTargetSearch<Self>(
      changes: changes(since: start), written: writtenRows, end: snapshot)
    Contents.visitParts(&search)
    return search.result
  }

  /// Returns the references that dangle because an edit was repeated on a later version. Their
  /// targets existed when the edit was first made, and have been removed since.
  ///
  /// A key may dangle, as in any batch, if its target was already missing when the edit was first
  /// made.
  ///
  /// - Parameters:
  ///   - start: The later version, before the edit was repeated.
  ///   - named: The existing entities that the edit referenced when it was first made.
  /// - Returns: A violation for each of these references, in a stable order.
  /// - Complexity: O(changes · log *n*).
  package func lostReferences(since start: Self, named: NamedTargets<Self>) -> [BatchViolation] {
    let changes = changes(since: start)
    if changes.dangling.isEmpty { return [] }
    var search = LostReferenceSearch<Self>(
      dangling: changes.dangling, named: named, start: start.snapshot)
    Contents.visitParts(&search)
    return search.violations
  }
}

private struct NamedTargetSearch<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  let written: NotedRows?
  let end: Snapshot<Contents>
  var result = NamedTargets<Storage>()

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let ids = written?.ids(of: Relationship.Holder.self) ?? []
    let rows =
      changes.changes(of: Relationship.Holder.self).written + ids.compactMap { end.find($0) }
    let removed = changes.changes(of: Relationship.Target.self).removed
    if rows.isEmpty && removed.isEmpty { return }
    let targets = end.withRelationship(at: path) { relationship -> [Relationship.Target.EntityID] in
      if relationship.onDelete == .keepDangling { return [] }
      // The edit removed these entities, and the delete rule removed the references to them. If an
      // entity is already missing when the edit is repeated, the rule removes no references to it.
      let former = removed.map { $0.entityID }.filter { !relationship.isReferenced($0) }
      let present = rows.flatMap { relationship.targetIDs(of: $0) }.filter { end.find($0) != nil }
      return former + present
    }
    if !targets.isEmpty { result.sets[name] = Set(targets) }
  }
}

private struct LostReferenceSearch<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let dangling: [String: any AnyDanglingReferences]
  let named: NamedTargets<Storage>
  let start: Snapshot<Contents>
  var violations: [BatchViolation] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    guard let references = dangling[name] as? References,
      let named = named.sets[name] as? Set<Relationship.Target.EntityID>
    else { return }
    let lost = references.new.filter { reference in
      named.contains(reference.target) && !start.dangles(reference.holder, reference.target, path)
    }
    violations += lost.map {
      .missingReference(
        EntityLabel($0.holder), relationship: name, target: EntityLabel($0.target))
    }.sorted { $0.description < $1.description }
  }
}

extension NormalizedStorageType {
  /// Returns this version with the changes from `old` to `new`, if they are independent of the
  /// changes from `old` to this version.
  ///
  /// Two sets of changes are independent under three conditions:
  /// - They write different rows. A row that was written with its old value counts as written.
  /// - Neither set removes an entity that the other set references. In this version, two other
  ///   kinds of entities count as removed: an entity that was removed and then inserted again, and
  ///   an entity that was written and is missing now.
  /// - For each table, at most one set inserts or moves rows, or removes rows of a
  ///   `Tables.Ordered`.
  ///
  /// The method also returns `nil` if the added changes contain held IDs, or if a rule of the
  /// database or `finalizeTransaction` refuses the result.
  ///
  /// - Parameters:
  ///   - old: The common older version.
  ///   - new: The version with the changes to add.
  ///   - written: The rows that were written from `old` to this version, or `nil` if they are
  ///     unknown.
  /// - Returns: The version with both sets of changes; `nil` if the two sets may depend on each
  ///   other.
  /// - Complexity: O(*k* · log *n*), where *k* is the number of changes from `old` to `new`. If the
  ///   changes from `old` to `new` affect the order of a table, *k* also includes the changes from
  ///   `old` to this version.
  package func addingIndependentChanges(
    from old: Self, to new: Self, written: NotedRows?
  ) -> Self? {
    let added = new.changes(since: old)
    if added.isEmpty { return self }
    guard let written, added.heldIDs.isEmpty else { return nil }
    var search = WrittenRowSearch(
      added: added, written: written, old: old.snapshot, present: snapshot)
    Contents.visitParts(&search)
    if search.isFound { return nil }
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
    // If a row already has its new value, `apply` leaves the row unchanged, and the counts differ.
    // The changes are then not independent, because both sets of changes wrote the row.
    return result.changes(since: self).count == added.count ? result : nil
  }
}

/// Searches a change set for changes that depend on written rows: changes of these rows, and
/// references to rows that were removed and then inserted again, or inserted and then removed.
private struct WrittenRowSearch<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let added: StorageChangeSet<Storage>
  let written: NotedRows
  let old: Snapshot<Contents>
  let present: Snapshot<Contents>
  var isFound = false

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if isFound { return }
    let changes = added.changes(of: Table.Entity.self)
    isFound =
      written.meet(changes)
      || changes.changesOrder
        && written.insertedIDs(of: Table.Entity.self).contains { old.find($0) != nil }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let ids = written.ids(of: Relationship.Target.self)
    let inserted = written.insertedIDs(of: Relationship.Target.self)
    if isFound || ids.isEmpty && inserted.isEmpty { return }
    let holders = added.changes(of: Relationship.Holder.self).written
    isFound = old.withRelationship(at: path) { relationship in
      relationship.onDelete != .keepDangling
        && holders.contains { holder in
          relationship.targetIDs(of: holder).contains {
            old.find($0) != nil
              ? inserted.contains($0) : ids.contains($0) && present.find($0) == nil
          }
        }
    }
  }
}
