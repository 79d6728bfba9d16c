/// Removals that a relationship denies while others reference the removed entities, of any type.
protocol PendingDenials<Storage> {
  associatedtype Storage: NormalizedStorageType
  /// Returns the current violations, each with the number under which it was recorded.
  func violations(in transaction: BatchTransaction<Storage>) -> [(
    number: Int, violation: BatchViolation
  )]
  /// Removes the references to the removed entities from those that may dangle.
  func withdraw(from changes: inout StorageChangeSet<Storage>)
}

extension BatchTransaction {
  /// Whether the batch may violate a rule.
  @inlinable
  var needsValidation: Bool {
    hasDenials || base.box.layout.hasLimits || base.box.layout.hasConstraints
      || base.box.layout.isUnjudged
  }

  /// Checks all rules.
  /// - Throws: `BatchError.refused` with every rule that the batch violates.
  @usableFromInline
  func validate() throws {
    let violations = violations() + constraintViolations() + keptViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
  }

  /// Returns every rule that the batch violates.
  /// - Complexity: O(*k*) expected in the number of removals that a rule may deny; O(changes ·
  ///   log *n*) if a relationship has limits.
  func violations() -> [BatchViolation] {
    let denied = deniedDeletions.values.flatMap { $0.violations(in: self) }
    return denied.sorted { $0.number < $1.number }.map(\.violation) + countViolations()
  }

  /// Records that a removal is denied while the removed entity is referenced.
  func noteDenial<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, by name: String,
    _ path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) {
    let known = deniedDeletions[name] as? DeniedDeletions<Storage, Relationship>
    let noted = known ?? DeniedDeletions(name: name, path: path)
    deniedDeletions[name] = noted
    hasDenials = true
    deniedCount += 1
    noted.add(target, number: deniedCount)
  }

  /// Resolves the deniedDeletions that the old value of a row caused.
  ///
  /// Once the last holder is removed, a batch that ended here would succeed, and a key that a
  /// later batch writes would only dangle. A longer batch must have the same result.
  @usableFromInline
  func settleDenials<Entity: EntityType>(of old: Entity) {
    var settlement = DenialResolution(transaction: self, old: old)
    Storage.Contents.visitParts(&settlement)
    hasDenials = !deniedDeletions.isEmpty
  }
}

/// The removals that one relationship denies.
final class DeniedDeletions<Storage: NormalizedStorageType, Relationship: RelationshipType>:
  PendingDenials
{
  private let name: String
  private let path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  private var numbers: [Relationship.Target.EntityID: Int] = [:]

  init(
    name: String, path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) {
    self.name = name
    self.path = path
  }

  var isEmpty: Bool { numbers.isEmpty }

  func add(_ target: Relationship.Target.EntityID, number: Int) {
    if numbers[target] == nil { numbers[target] = number }
  }

  func resolve(_ targets: [Relationship.Target.EntityID], _ relationship: Relationship) {
    for target in targets where numbers[target] != nil && !relationship.isNamed(target) {
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

private struct DenialResolution<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor
{
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let old: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    guard Relationship.Holder.self == Entity.self,
      let deniedDeletions = transaction.deniedDeletions[name]
        as? DeniedDeletions<Storage, Relationship>
    else { return }
    let relationship = transaction.contents.part(at: path)
    deniedDeletions.resolve(
      relationship.pointee.targetIDs(of: recast(old, as: Relationship.Holder.self)),
      relationship.pointee)
    if deniedDeletions.isEmpty { transaction.deniedDeletions[name] = nil }
  }
}
