import EntiaCollections

extension BatchTransaction {
  /// Applies the delete rules to rows that were just removed.
  ///
  /// Removals are queued: cycles end because a row is removed once, and long chains do not
  /// recurse. Keys are nullified after all removals are known, so that a list that loses many
  /// entries is written once.
  @usableFromInline
  func rowsRemoved<Entity: EntityType>(_ entities: some Collection<Entity>) {
    if entities.isEmpty { return }
    let cascade = Cascade(transaction: self, record: record)
    for entity in entities { record?.removed(entity.entityID, .requested) }
    for entity in entities { cascade.addEffects(ofRemoving: entity) }
    cascade.finish()
  }
}
