/// A condition on entities that are related to a row.
protocol RelatedCondition<Entity>: Sendable {
  associatedtype Entity: EntityType

  /// Prepares the condition for one version; `nil` when that has no such relationship.
  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Entity>?

  /// The types of the related entities that decide the condition.
  var relatedEntities: [ObjectIdentifier] { get }

  /// Returns the IDs of the rows whose answer may differ between two versions because of the related
  /// rows that do; some may come twice.
  /// - Complexity: O(*k*) in the number of these rows.
  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Entity.EntityID]
}

/// A condition on related entities, prepared for one version.
struct PreparedCondition<Entity: EntityType> {
  /// Whether a row meets it.
  let accepts: (UnsafeRawPointer) -> Bool
  /// The rows that meet it, where an index finds the related entities.
  let candidates: RowCandidates<Entity>?
  /// What of the condition is left to `evaluate`.
  let interpreted: [String]
}

extension FetchDescriptor {
  /// The types of the entities that decide what is fetched.
  package var entityTypes: [ObjectIdentifier] {
    [ObjectIdentifier(Entity.self)] + related.flatMap { $0.relatedEntities }
      + relatedSorts.map { $0.relatedEntity }
  }

  /// Returns the IDs of the rows that may match or not because of related rows that differ.
  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Entity.EntityID] {
    func affectedIDs(_ condition: some RelatedCondition<Entity>) -> [Entity.EntityID] {
      condition.affectedIDs(by: changes, from: old, to: new)
    }
    return related.flatMap { affectedIDs($0) }
  }
}
