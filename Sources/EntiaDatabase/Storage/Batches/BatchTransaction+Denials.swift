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

  /// Resolves the denied deletions that the old value of a row caused.
  ///
  /// Once the last holder is removed, a batch that ended here would succeed, and a key that a
  /// later batch writes would only dangle. A longer batch must have the same result.
  @usableFromInline
  func resolveDenials<Entity: EntityType>(of old: Entity) {
    var resolution = DenialResolution(transaction: self, old: old)
    Storage.Contents.visitParts(&resolution)
    hasDenials = !deniedDeletions.isEmpty
  }
}

/// Resolves the denied deletions that depend on the old value of a row.
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
