// The parts of a change set, for rooms that store change sets.
extension StorageChangeSet {
  /// Sets the changes of the table of an entity type.
  package mutating func setChanges<Entity>(_ changes: TableChanges<Entity>) {
    tables[ObjectIdentifier(Entity.self)] = changes.isEmpty ? nil : changes
  }

  /// Returns the changes of a part of held IDs, or `nil` when nothing changed.
  package func heldIDsChanges<IDs: HeldIDs>(
    of part: String, _ type: IDs.Type
  ) -> HeldIDsChanges<IDs>? { heldIDs[part] as? HeldIDsChanges<IDs> }

  /// Sets the changes of a part of held IDs.
  package mutating func setChanges<IDs>(_ changes: HeldIDsChanges<IDs>, ofHeldIDs part: String) {
    heldIDs[part] = changes.isEmpty ? nil : changes
  }

  /// A holder and the missing entity that it references.
  package typealias MissingReference<Relationship: RelationshipType> = (
    holder: Relationship.Holder.EntityID, target: Relationship.Target.EntityID
  )

  /// Returns the references of a relationship that dangle in one of the versions because of the
  /// changed rows, or `nil` when there are none.
  package func missingReferences<Relationship: RelationshipType>(
    of relationship: String, _ type: Relationship.Type
  ) -> (old: [MissingReference<Relationship>], new: [MissingReference<Relationship>])? {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    guard let references = dangling[relationship] as? References else { return nil }
    return (
      references.old.map { ($0.holder, $0.target) }, references.new.map { ($0.holder, $0.target) }
    )
  }

  /// Sets the references of a relationship that dangle in one of the versions because of the
  /// changed rows.
  package mutating func setMissingReferences<Relationship: RelationshipType>(
    of relationship: String, _ type: Relationship.Type,
    old: [MissingReference<Relationship>], new: [MissingReference<Relationship>]
  ) {
    var references = DanglingReferences<Relationship.Holder, Relationship.Target>()
    for (holder, target) in old { references.old.insert(DanglingReference(holder, target)) }
    for (holder, target) in new { references.new.insert(DanglingReference(holder, target)) }
    dangling[relationship] = references.isEmpty ? nil : references
  }
}

extension HeldIDsChanges {
  /// Creates the difference between two versions of held IDs.
  package init(from old: IDs, to new: IDs) {
    self.init(old: old, new: new)
  }
}
