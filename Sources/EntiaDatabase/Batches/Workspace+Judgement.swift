import EntiaCollections

extension Workspace {
  /// Returns every rule that the batch would break.
  /// - Complexity: O(changes · log *n*); O(1) when the batch removed nothing.
  func violations() -> [BatchViolation] {
    guard hasRemovals else { return [] }
    var judge = DeleteJudge<Storage>(workspace: self)
    Storage.Contents.visitParts(&judge)
    return judge.violations
  }
}

/// Finds the removed entities that others still name through a relationship that denies it.
private struct DeleteJudge<Storage: NormalizedStorageType>: StorageVisitor {
  let workspace: Workspace<Storage>
  var violations: [BatchViolation] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) {
    let relationship = workspace.contents.part(at: path).pointee
    guard relationship.onDelete == .deny,
      let table = workspace.contents.table(of: Relationship.Target.self)?.pointee,
      let before = workspace.base.table(of: Relationship.Target.self)
    else { return }
    for removed in table.changes(since: before).removed {
      let holders = relationship.holderIDs(of: removed.entityID)
      guard !holders.isEmpty else { continue }
      violations.append(
        .deniedDelete(
          EntityLabel(removed.entityID), relationship: name, holders: holders.map(EntityLabel.init))
      )
    }
  }
}

extension StorageContents {
  /// The first relationship whose rule can refuse a batch, or `nil`.
  static var firstRefusingPart: String? {
    var search = RefusingPartSearch(contents: Self.self)
    visitParts(&search)
    return search.result
  }
}

private struct RefusingPartSearch<Contents: StorageContents>: StorageVisitor {
  var result: String?

  init(contents: Contents.Type) {}

  // Any relationship counts: which rule it has is a value, and values may differ by storage.
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    if result == nil { result = name }
  }
}
