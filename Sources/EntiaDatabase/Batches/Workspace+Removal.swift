import EntiaCollections

/// A removal that a delete rule asks for, of an entity of any type.
private protocol PendingRemoval {
  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>)
}

/// Keys that are to forget removed entities, of one relationship.
private protocol PendingNullification<Storage> {
  associatedtype Storage: NormalizedStorageType
  func perform(in workspace: Workspace<Storage>)
}

extension Workspace {
  /// Follows the delete rules of rows that were just removed.
  ///
  /// One removal after the other: cycles end because a row is removed once, and long chains need no
  /// stack. Keys forget what is gone when all of it is known, so that a list that loses many
  /// entries is written once.
  @usableFromInline
  func rowsRemoved<Entity: EntityType>(_ entities: some Collection<Entity>) {
    if entities.isEmpty { return }
    let cascade = Cascade(workspace: self)
    for entity in entities { cascade.follow(entity) }
    cascade.finish()
  }
}

/// What goes with rows that were removed.
private final class Cascade<Storage: NormalizedStorageType> {
  let workspace: Workspace<Storage>
  var removals: [any PendingRemoval] = []
  var nullifications: [String: any PendingNullification<Storage>] = [:]
  var nullifiedNames: [String] = []
  var denials: [any PendingDenial<Storage>] = []

  init(workspace: Workspace<Storage>) { self.workspace = workspace }

  /// Notes what the rules ask for a removed row, and takes it out of the relationships.
  func follow<Entity: EntityType>(_ entity: Entity) {
    var rules = RemovalRules(cascade: self, removed: entity)
    Storage.Contents.visitParts(&rules)
    workspace.rowChanged(from: entity, to: nil)
  }

  func finish() {
    var next = 0
    while next < removals.count {
      removals[next].perform(in: self)
      next += 1
    }
    for name in nullifiedNames { nullifications[name]?.perform(in: workspace) }
    // What went together denies nothing; a key written later only dangles.
    workspace.denials += denials.filter { $0.violation(in: workspace) != nil }
  }
}

private struct EntityRemoval<Entity: EntityType>: PendingRemoval {
  let id: Entity.EntityID

  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>) {
    guard let removed = cascade.workspace.contents.table(of: Entity.self)?.remove(id)
    else { return }
    cascade.follow(removed)
  }
}

private final class Nullification<
  Storage: NormalizedStorageType, Relationship: RelationshipType
>: PendingNullification {
  let path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  var gone: [Relationship.Holder.EntityID: Set<Relationship.Target.EntityID>] = [:]
  var holders: [Relationship.Holder.EntityID] = []

  init(path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable) { self.path = path }

  func add(_ target: Relationship.Target.EntityID, heldBy ids: [Relationship.Holder.EntityID]) {
    for id in ids {
      if gone[id] == nil { holders.append(id) }
      gone[id, default: []].insert(target)
    }
  }

  func perform(in workspace: Workspace<Storage>) {
    let relationship = workspace.contents.part(at: path)
    guard let table = workspace.contents.table(of: Relationship.Holder.self) else { return }
    for id in holders {
      // A holder may be among the removed.
      guard let targets = gone[id], let old = table.find(by: id) else { continue }
      var new = old
      relationship.pointee.nullify(targets, in: &new)
      guard new != old else { continue }
      table.replace(new)
      workspace.rowChanged(from: old, to: new)
    }
  }
}

/// Looks at every relationship that a removed row is an end of.
private struct RemovalRules<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  let cascade: Cascade<Storage>
  let removed: Entity

  typealias Contents = Storage.Contents

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = cascade.workspace.contents.part(at: path)
    if Relationship.Target.self == Entity.self {
      let id = recast(removed.entityID, as: Relationship.Target.EntityID.self)
      switch relationship.pointee.onDelete {
      case .cascade:
        for holder in relationship.pointee.holderIDs(of: id) {
          cascade.removals.append(EntityRemoval<Relationship.Holder>(id: holder))
        }
      case .nullify:
        let holders = relationship.pointee.holderIDs(of: id)
        if !holders.isEmpty { nullification(name, path).add(id, heldBy: holders) }
      case .deny:
        if !relationship.pointee.holderIDs(of: id).isEmpty {
          cascade.denials.append(
            Denial<Storage, Relationship>(name: name, path: path, target: id))
        }
      case .keepDangling:
        break
      }
    }
    if Relationship.Holder.self == Entity.self, relationship.pointee.onHolderDelete == .cascade {
      let holder = recast(removed, as: Relationship.Holder.self)
      for target in relationship.pointee.targetIDs(of: holder) {
        cascade.removals.append(EntityRemoval<Relationship.Target>(id: target))
      }
    }
  }

  private func nullification<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) -> Nullification<Storage, Relationship> {
    if let known = cascade.nullifications[name] as? Nullification<Storage, Relationship> {
      return known
    }
    let fresh = Nullification<Storage, Relationship>(path: path)
    cascade.nullifications[name] = fresh
    cascade.nullifiedNames.append(name)
    return fresh
  }
}
