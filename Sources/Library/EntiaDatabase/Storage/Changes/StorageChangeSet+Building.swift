// Change sets that are written by hand, such as the expectation of a test.
extension StorageChangeSet {
  /// Returns these changes and the insertion of entities.
  ///
  /// ```swift
  /// #expect(changes == .inserting(post).updating(from: author, to: renamed).removing(comment))
  /// ```
  ///
  /// The changes of a `Tables.Ordered` also contain positions, which this does not add: expect the
  /// changes of an edited copy there.
  /// - Parameter entities: The entities, which the older version does not contain.
  public func inserting<Entity: EntityType>(_ entities: Entity...) -> Self {
    with(TableChanges(inserted: entities))
  }

  /// Returns the insertion of entities.
  /// - Parameter entities: The entities, which the older version does not contain.
  public static func inserting<Entity: EntityType>(_ entities: Entity...) -> Self {
    Self().with(TableChanges(inserted: entities))
  }

  /// Returns these changes and the update of an entity.
  /// - Parameters:
  ///   - old: The entity in the older version.
  ///   - new: The entity in the newer version, with the same ID.
  /// - Precondition: Both entities have the same ID.
  public func updating<Entity: EntityType>(from old: Entity, to new: Entity) -> Self {
    precondition(
      old.entityID == new.entityID,
      "\(EntityLabel(old.entityID)) and \(EntityLabel(new.entityID)) are two entities")
    return with(TableChanges(updated: [EntityUpdate(old: old, new: new)]))
  }

  /// Returns the update of an entity.
  /// - Parameters:
  ///   - old: The entity in the older version.
  ///   - new: The entity in the newer version, with the same ID.
  /// - Precondition: Both entities have the same ID.
  public static func updating<Entity: EntityType>(from old: Entity, to new: Entity) -> Self {
    Self().updating(from: old, to: new)
  }

  /// Returns these changes and the removal of entities.
  /// - Parameter entities: The entities, as they are in the older version.
  public func removing<Entity: EntityType>(_ entities: Entity...) -> Self {
    with(TableChanges(removed: entities))
  }

  /// Returns the removal of entities.
  /// - Parameter entities: The entities, as they are in the older version.
  public static func removing<Entity: EntityType>(_ entities: Entity...) -> Self {
    Self().with(TableChanges(removed: entities))
  }

  /// Returns these changes and others of the table of an entity type.
  private func with<Entity: EntityType>(_ added: TableChanges<Entity>) -> Self {
    var result = self
    var changes = changes(of: Entity.self)
    changes.inserted += added.inserted
    changes.updated += added.updated
    changes.removed += added.removed
    result.setChanges(changes)
    return result
  }
}
