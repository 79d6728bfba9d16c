extension BatchTransaction {
  /// Records that a removal is denied while the removed entity is referenced.
  func noteDenial<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, by name: String,
    _ path: PartPath<Storage.Contents, Relationship>
  ) {
    let known = deniedDeletions[name] as? DeniedDeletions<Storage, Relationship>
    let noted = known ?? DeniedDeletions(name: name, path: path)
    deniedDeletions[name] = noted
    hasDenials = true
    deniedCount += 1
    noted.add(target, number: deniedCount)
  }

  /// Updates the denied deletions after a row changed: those that only its old value caused are no
  /// longer denied.
  ///
  /// Once the last holder is removed, a batch that ended here would succeed. A key that a later
  /// batch wrote would only dangle. One batch with all these changes must have the same result as
  /// two.
  @usableFromInline
  func updateDenials<Entity: EntityType>(replacing old: Entity) {
    var resolution = DenialResolution(transaction: self, old: old)
    Storage.Contents.visitParts(&resolution)
    hasDenials = !deniedDeletions.isEmpty
  }
}

/// Removes the denied deletions that only the old value of a row caused.
private struct DenialResolution<
  Storage: NormalizedStorageType, Entity: EntityType
>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let old: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Denied = DeniedDeletions<Storage, Relationship>
    guard let denied = transaction.deniedDeletions[name] as? Denied else { return }
    let relationship = transaction.contents.part(at: path)
    guard let targets = relationship.pointee.targetIDs(ofAny: old) else { return }
    denied.resolve(targets, relationship.pointee)
    if denied.isEmpty { transaction.deniedDeletions[name] = nil }
  }
}
