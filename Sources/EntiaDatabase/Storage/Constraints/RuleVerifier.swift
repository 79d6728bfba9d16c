/// Checks the rows of a version against every rule on rows: unique keys and checks, and on request
/// counts and required references, which `verify()` lists separately.
struct RuleVerifier<Contents: StorageContents>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  let checksReferences: Bool
  private var constraints: [BatchViolation] = []
  private var references: [BatchViolation] = []

  init(snapshot: Snapshot<Contents>, checksReferences: Bool) {
    self.snapshot = snapshot
    self.checksReferences = checksReferences
  }

  var violations: [BatchViolation] { references + constraints }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    func violations<Unique: ConstrainingIndex>(of index: Unique) -> [BatchViolation] {
      index.isBroken ? index.violations(name: name, among: rows(of: Unique.Entity.self)) : []
    }
    if let index = snapshot.contents[keyPath: path] as? any ConstrainingIndex {
      constraints += violations(of: index)
    }
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    func violations<Row: RowCheck>(of check: Row) -> [BatchViolation] {
      rows(of: Row.Checked.self).compactMap { check.violation(name: name, of: $0) }
    }
    if let check = snapshot.contents[keyPath: path] as? any RowCheck {
      constraints += violations(of: check)
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard checksReferences else { return }
    let relationship = snapshot.contents[keyPath: path]
    let (limits, holderLimits) = (relationship.countLimits, relationship.holderLimits)
    if holderLimits != .any {
      for target in rows(of: Relationship.Target.self).map(\.entityID) {
        let count = relationship.holderCount(of: target)
        if holderLimits.allow(count) { continue }
        references.append(
          .wrongHolderCount(
            EntityLabel(target), relationship: name, count: count, limits: holderLimits))
      }
    }
    if limits == .any, !relationship.isRequired { return }
    let targets = snapshot.table(of: Relationship.Target.self)
    for holder in rows(of: Relationship.Holder.self) {
      let ids = relationship.targetIDs(of: holder)
      let label = EntityLabel(holder.entityID)
      if !limits.allow(ids.count) {
        references.append(
          .wrongCount(label, relationship: name, count: ids.count, limits: limits))
      }
      guard relationship.isRequired else { continue }
      for target in ids where targets?.contains(target) != true {
        references.append(
          .missingReference(label, relationship: name, target: EntityLabel(target)))
      }
    }
  }

  private func rows<Entity: EntityType>(of entity: Entity.Type) -> [Entity] {
    var rows: [Entity] = []
    snapshot.table(of: entity)?.visitRows { rows.append($0) }
    return rows
  }
}
