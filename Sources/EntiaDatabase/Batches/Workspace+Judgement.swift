/// A removal that a relationship denies while others name the removed entity, of any type.
protocol PendingDenial<Storage> {
  associatedtype Storage: NormalizedStorageType
  /// Returns what the removal breaks as things stand, or `nil` when it breaks nothing (any more).
  func violation(in workspace: Workspace<Storage>) -> BatchViolation?
}

extension Workspace {
  /// Returns every rule that the batch would break.
  /// - Complexity: O(*k*) expected in the number of removals that a rule may deny.
  func violations() -> [BatchViolation] { denials.compactMap { $0.violation(in: self) } }
}

/// The removal of an entity that others named, through a relationship that denies it.
struct Denial<Storage: NormalizedStorageType, Relationship: RelationshipType>: PendingDenial {
  let name: String
  let path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  let target: Relationship.Target.EntityID

  func violation(in workspace: Workspace<Storage>) -> BatchViolation? {
    guard workspace.contents.table(of: Relationship.Target.self)?.contains(target) != true
    else { return nil }
    let holders = workspace.contents.part(at: path).pointee.holderIDs(of: target)
    if holders.isEmpty { return nil }
    return .deniedDelete(
      EntityLabel(target), relationship: name, holders: holders.map(EntityLabel.init))
  }
}

extension StorageContents {
  /// The first relationship or index whose rule can refuse a batch, or `nil`.
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

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    if result == nil, Index.canRefuse { result = name }
  }
}
