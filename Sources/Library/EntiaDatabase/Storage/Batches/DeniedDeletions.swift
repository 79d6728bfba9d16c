/// Removals that a relationship denies while others reference the removed entities, of any type.
protocol AnyDeniedDeletions<Storage> {
  associatedtype Storage: NormalizedStorageType
  /// Returns the current violations, each with the number under which it was recorded.
  func violations(in transaction: BatchTransaction<Storage>) -> [(
    number: Int, violation: BatchViolation
  )]
  /// Removes the references to the removed entities from those that may dangle.
  func withdraw(from changes: inout StorageChangeSet<Storage>)
}

/// The removals that one relationship denies.
final class DeniedDeletions<Storage: NormalizedStorageType, Relationship: RelationshipType>:
  AnyDeniedDeletions
{
  private let name: String
  private let path: PartPath<Storage.Contents, Relationship>
  private var numbers: [Relationship.Target.EntityID: Int] = [:]

  init(
    name: String, path: PartPath<Storage.Contents, Relationship>
  ) {
    self.name = name
    self.path = path
  }

  var isEmpty: Bool { numbers.isEmpty }

  func add(_ target: Relationship.Target.EntityID, number: Int) {
    if numbers[target] == nil { numbers[target] = number }
  }

  func resolve(_ targets: [Relationship.Target.EntityID], _ relationship: Relationship) {
    for target in targets where numbers[target] != nil && !relationship.isReferenced(target) {
      numbers[target] = nil
    }
  }

  func withdraw(from changes: inout StorageChangeSet<Storage>) {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    guard var references = changes.dangling[name] as? References else { return }
    references.new = references.new.filter { numbers[$0.target] == nil }
    changes.dangling[name] = references
  }

  func violations(in transaction: BatchTransaction<Storage>) -> [(
    number: Int, violation: BatchViolation
  )] {
    let table = transaction.contents.table(of: Relationship.Target.self)
    let relationship = transaction.contents.part(at: path)
    return numbers.compactMap { target, number in
      if table?.contains(target) == true { return nil }
      let holders = relationship.pointee.holderIDs(of: target)
      if holders.isEmpty { return nil }
      return (
        number,
        .deniedDelete(
          EntityLabel(target), relationship: name, holders: holders.map(EntityLabel.init))
      )
    }
  }
}
