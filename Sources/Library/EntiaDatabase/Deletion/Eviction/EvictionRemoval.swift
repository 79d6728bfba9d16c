import EntiaCollections

/// The removal of one row, with the rows that the delete rules remove with it, unless something
/// keeps one of them.
///
/// Nothing is removed here. The rows are collected without recursion.
final class EvictionRemoval<Contents: StorageContents> {
  private let search: EvictionSearch<Contents>
  /// The rows to remove.
  private let rows: Reachability<Contents>
  private var pending: [(EvictionRemoval) -> Void] = []
  /// Whether each row whose reference forbids the removal is removed, too.
  private var conditions: [(EvictionRemoval) -> Bool] = []
  private var members: [any EvictedRow] = []
  private var isKept = false
  private var size = 0

  init(search: EvictionSearch<Contents>) {
    self.search = search
    rows = Reachability(search.snapshot, following: .keys)
  }

  /// Returns the removal of a row, whose rows then count as gone; `nil` when something keeps the
  /// row.
  func step<Entity: EntityType>(removing id: EntityIdentifier<Entity>) -> EvictionStep? {
    add(id)
    while !isKept, let next = pending.popLast() { next(self) }
    if isKept || !conditions.allSatisfy({ $0(self) }) { return nil }
    for member in members { member.mark(in: search.gone) }
    return EvictionStep(rows: members, size: size)
  }

  private func add<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    if isRemoved(id) { return }
    if search.kept.rows(of: Entity.self).ids.contains(id) {
      isKept = true
      return
    }
    guard let row = search.snapshot.find(id) else { return }
    rows.rows(of: Entity.self).add(CollectionOfOne(id))
    size += search.budget.size(of: row)
    members.append(EvictedID(id: id))
    pending.append { removal in
      var rules = EvictionRules(removal: removal, snapshot: removal.search.snapshot, row: row)
      Contents.visitParts(&rules)
    }
  }

  func add<Entity: EntityType>(_ ids: [EntityIdentifier<Entity>]) { for id in ids { add(id) } }

  /// Requires that rows are removed, too.
  func require<Entity: EntityType>(_ ids: [EntityIdentifier<Entity>]) {
    if ids.isEmpty { return }
    conditions.append { removal in ids.allSatisfy { removal.isRemoved($0) } }
  }

  private func isRemoved<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Bool {
    search.gone.rows(of: Entity.self).ids.contains(id)
      || rows.rows(of: Entity.self).ids.contains(id)
  }
}

/// Applies the rules of the relationships of a row to its removal.
private struct EvictionRules<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let removal: EvictionRemoval<Contents>
  let snapshot: Snapshot<Contents>
  let row: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    snapshot.withRelationship(at: path) { relationship in
      if let id = relationship.targetID(ofAny: row), relationship.isReferenced(id) {
        let holders = relationship.holderIDs(of: id)
        switch relationship.onDelete {
        case .cascade: removal.add(holders)
        case .deny: removal.require(holders)
        case .nullify:
          // Another key could have fewer references than its limits allow.
          if relationship.countLimits != .any || relationship.isRequired {
            removal.require(holders)
          }
        case .keepDangling: if relationship.isRequired { removal.require(holders) }
        }
      }
      guard let targets = relationship.targetIDs(ofAny: row) else { return }
      if relationship.onHolderDelete == .cascade { removal.add(targets) }
      // A target could have fewer holders than its limits allow.
      if relationship.holderLimits != .any {
        removal.require(targets.filter { snapshot.find($0) != nil })
      }
    }
  }
}
