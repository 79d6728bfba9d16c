public import EntiaCollections

/// The changed rows of one table, for observers that are registered by ID.
package struct ChangedRows: Sendable {
  /// The type of the entities.
  package let entity: ObjectIdentifier
  /// The hashes of the IDs of rows that were inserted, removed or given another value.
  package let idHashes: [UInt64]
}

extension StorageChangeSet {
  /// The changed rows, one element for each table with changes.
  /// - Complexity: O(changes).
  package var changedRows: [ChangedRows] {
    tables.map { entity, changes in
      ChangedRows(entity: entity, idHashes: changes.idHashes)
    }
  }
}

extension TableChanges {
  @inlinable
  var idHashes: [UInt64] {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(inserted.count + updated.count + removed.count)
    for entity in inserted { hashes.append(entity.entityID.tableHash) }
    for update in updated { hashes.append(update.new.entityID.tableHash) }
    for entity in removed { hashes.append(entity.entityID.tableHash) }
    return hashes
  }
}

extension NormalizedStorageType {
  /// Returns the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected.
  package func row<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> Entity? {
    snapshot.find(id)
  }
}
