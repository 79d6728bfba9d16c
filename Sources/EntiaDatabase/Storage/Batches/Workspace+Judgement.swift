/// Removals that a relationship denies while others reference the removed entities, of any type.
protocol PendingDenials<Storage> {
  associatedtype Storage: NormalizedStorageType
  /// Returns the current violations, each with the number under which it was recorded.
  func violations(in workspace: Workspace<Storage>) -> [(number: Int, violation: BatchViolation)]
  /// Removes the references to the removed entities from those that may dangle.
  func withdraw(from changes: inout StorageChangeSet<Storage>)
}

extension Workspace {
  /// Whether the batch may violate a rule.
  @inlinable
  var needsJudgement: Bool {
    hasDenials || base.box.layout.hasLimits || base.box.layout.hasConstraints
      || base.box.layout.isUnjudged
  }

  /// Checks all rules.
  /// - Throws: `BatchError.refused` with every rule that the batch violates.
  @usableFromInline
  func judge() throws {
    let violations = violations() + constraintViolations() + keptViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
  }

  /// Returns every rule that the batch violates.
  /// - Complexity: O(*k*) expected in the number of removals that a rule may deny; O(changes ·
  ///   log *n*) if a relationship has limits.
  func violations() -> [BatchViolation] {
    let denied = denials.values.flatMap { $0.violations(in: self) }
    return denied.sorted { $0.number < $1.number }.map(\.violation) + countViolations()
  }

  /// Records that a removal is denied while the removed entity is referenced.
  func noteDenial<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, by name: String,
    _ path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) {
    let known = denials[name] as? Denials<Storage, Relationship>
    let noted = known ?? Denials(name: name, path: path)
    denials[name] = noted
    hasDenials = true
    deniedCount += 1
    noted.add(target, number: deniedCount)
  }

  /// Resolves the denials that the old value of a row caused.
  ///
  /// Once the last holder is removed, a batch that ended here would succeed, and a key that a
  /// later batch writes would only dangle. A longer batch must have the same result.
  @usableFromInline
  func settleDenials<Entity: EntityType>(of old: Entity) {
    var settlement = DenialSettlement(workspace: self, old: old)
    Storage.Contents.visitParts(&settlement)
    hasDenials = !denials.isEmpty
  }
}

/// The removals that one relationship denies.
final class Denials<Storage: NormalizedStorageType, Relationship: RelationshipType>: PendingDenials
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

  func settle(_ targets: [Relationship.Target.EntityID], _ relationship: Relationship) {
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

  func violations(in workspace: Workspace<Storage>) -> [(number: Int, violation: BatchViolation)] {
    let table = workspace.contents.table(of: Relationship.Target.self)
    let relationship = workspace.contents.part(at: path)
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

private struct DenialSettlement<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor
{
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  let old: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    guard Relationship.Holder.self == Entity.self,
      let denials = workspace.denials[name] as? Denials<Storage, Relationship>
    else { return }
    let relationship = workspace.contents.part(at: path)
    denials.settle(
      relationship.pointee.targetIDs(of: recast(old, as: Relationship.Holder.self)),
      relationship.pointee)
    if denials.isEmpty { workspace.denials[name] = nil }
  }
}
