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
    if relationship.holderLimits != .any {
      references += rows(of: Relationship.Target.self).compactMap {
        relationship.holderCountViolation(name, by: $0.entityID)
      }
    }
    if relationship.countLimits == .any, !relationship.isRequired { return }
    let targets = snapshot.table(of: Relationship.Target.self)
    for holder in rows(of: Relationship.Holder.self) {
      if let violation = relationship.countViolation(name, by: holder) {
        references.append(violation)
      }
      guard relationship.isRequired else { continue }
      for target in relationship.targetIDs(of: holder) where targets?.contains(target) != true {
        references.append(
          .missingReference(
            EntityLabel(holder.entityID), relationship: name, target: EntityLabel(target)))
      }
    }
  }

  private func rows<Entity: EntityType>(of entity: Entity.Type) -> [Entity] {
    var rows: [Entity] = []
    snapshot.table(of: entity)?.visitRows { rows.append($0) }
    return rows
  }
}
