extension NormalizedStorageType {
  /// Returns the violations by rows of the rules that batches check, independent of the batch
  /// that wrote them.
  func constraintIssues() -> [VerificationIssue] {
    var verifier = ConstraintVerifier(snapshot: snapshot)
    Contents.visitParts(&verifier)
    return verifier.violations.map { .brokenConstraint($0) }
  }
}

/// Checks the rows of a version against every rule on rows: the constraints of `verify()`, and
/// the counts and required references, which `verify()` lists separately.
struct RuleVerifier<Contents: StorageContents>: StorageVisitor {
  private var constraints: ConstraintVerifier<Contents>
  private var references: [BatchViolation] = []

  init(snapshot: Snapshot<Contents>) { constraints = ConstraintVerifier(snapshot: snapshot) }

  var violations: [BatchViolation] { references + constraints.violations }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) { constraints.index(name, path) }

  mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable
  ) { constraints.check(name, path) }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let snapshot = constraints.snapshot
    let relationship = snapshot.contents[keyPath: path]
    let limits = relationship.countLimits
    let targetRows =
      relationship.holderLimits == .any ? [] : constraints.rows(of: Relationship.Target.self)
    for target in targetRows {
      let count = relationship.holderCount(of: target.entityID)
      if relationship.holderLimits.allow(count) { continue }
      references.append(
        .wrongHolderCount(
          EntityLabel(target.entityID), relationship: name, count: count,
          limits: relationship.holderLimits))
    }
    if limits == .any, !relationship.isRequired { return }
    let targets = snapshot.table(of: Relationship.Target.self)
    for holder in constraints.rows(of: Relationship.Holder.self) {
      let named = relationship.targetIDs(of: holder)
      let label = EntityLabel(holder.entityID)
      if !limits.allow(named.count) {
        references.append(
          .wrongCount(label, relationship: name, count: named.count, limits: limits))
      }
      guard relationship.isRequired else { continue }
      for target in named where targets?.contains(target) != true {
        references.append(
          .missingReference(label, relationship: name, target: EntityLabel(target)))
      }
    }
  }
}

private struct ConstraintVerifier<Contents: StorageContents>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  var violations: [BatchViolation] = []

  func rows<Entity: EntityType>(of entity: Entity.Type) -> [Entity] {
    var rows: [Entity] = []
    snapshot.table(of: entity)?.visitRows { rows.append($0) }
    return rows
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    func violations<Refusing: ConstrainingIndex>(of index: Refusing) -> [BatchViolation] {
      index.isBroken ? index.violations(name: name, among: rows(of: Refusing.Entity.self)) : []
    }
    if let index = snapshot.contents[keyPath: path] as? any ConstrainingIndex {
      self.violations += violations(of: index)
    }
  }

  mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable
  ) {
    func violations<Row: RowCheck>(of check: Row) -> [BatchViolation] {
      rows(of: Row.Checked.self).compactMap { check.violation(name: name, of: $0) }
    }
    if let check = snapshot.contents[keyPath: path] as? any RowCheck {
      self.violations += violations(of: check)
    }
  }
}

/// A check that can be applied to one row.
protocol RowCheck<Checked>: CheckType {
  associatedtype Checked: EntityType
  func violation(name: String, of entity: Checked) -> BatchViolation?
}

extension Checks.Entity: RowCheck {}
