import EntiaCollections

extension BatchTransaction {
  /// Applies the delete rules to rows that were just removed.
  ///
  /// Removals are queued, so that long chains do not recurse. Cycles end because a row is removed
  /// once. Keys are nullified after all removals are known, so that a list that loses many entries
  /// is written once.
  // Inlinable, so that it is specialized in its caller, as insertions are. Most removals have no
  // further effects. Without specialization, they would spend most of their time on looking up
  // types.
  @inlinable
  func rowsRemoved<Entity: EntityType>(_ entities: some Collection<Entity>) {
    if isRecording { recordRequest(toRemove: entities) }
    var cascade: Cascade<Storage>?
    for entity in entities {
      var rules = RemovalRules(transaction: self, removed: entity, cascade: cascade)
      Storage.Contents.visitParts(&rules)
      cascade = rules.cascade
      rowChanged(from: entity, to: nil)
    }
    cascade?.finish()
  }

  @usableFromInline
  func recordRequest<Entity: EntityType>(toRemove entities: some Collection<Entity>) {
    for entity in entities { record?.removed(entity.entityID, .requested) }
  }

  @usableFromInline
  func makeCascade() -> Cascade<Storage> { Cascade(transaction: self, record: record) }
}

/// Finds the effects that the rules of every relationship require for a removed row, and queues
/// them.
@frozen
@usableFromInline
struct RemovalRules<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let transaction: BatchTransaction<Storage>
  @usableFromInline let removed: Entity
  /// The queued effects; `nil` while there are none.
  @usableFromInline var cascade: Cascade<Storage>?

  @inlinable
  init(transaction: BatchTransaction<Storage>, removed: Entity, cascade: Cascade<Storage>?) {
    self.transaction = transaction
    self.removed = removed
    self.cascade = cascade
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Storage.Contents, Relationship>
  ) {
    let relationship = transaction.contents.part(at: path)
    if let id = relationship.pointee.targetID(ofAny: removed),
      relationship.pointee.isReferenced(id)
    {
      startedCascade().targetRemoved(id, name, path)
    }
    if Relationship.Holder.self == Entity.self,
      relationship.pointee.onHolderDelete == HolderDeleteRule.cascade
    {
      startedCascade().holderRemoved(recast(removed, as: Relationship.Holder.self), name, path)
    }
  }

  @inlinable
  mutating func startedCascade() -> Cascade<Storage> {
    if let cascade { return cascade }
    let fresh = transaction.makeCascade()
    cascade = fresh
    return fresh
  }
}
