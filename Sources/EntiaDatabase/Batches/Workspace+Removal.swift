import EntiaCollections

/// A removal that a delete rule asks for, of an entity of any type.
protocol PendingRemoval {
  func perform<Storage: NormalizedStorageType>(in workspace: Workspace<Storage>)
    -> [any PendingRemoval]
}

extension Workspace {
  /// Follows the delete rules of a row that was just removed, one removal after the other: cycles
  /// end because a row is removed once, and long chains need no stack.
  @usableFromInline
  func rowRemoved<Entity: EntityType>(_ entity: Entity) {
    hasRemovals = true
    var pending = consequences(of: entity)
    var next = 0
    while next < pending.count {
      pending += pending[next].perform(in: self)
      next += 1
    }
  }

  /// Updates the relationships for a removed row and returns what has to be removed with it.
  fileprivate func consequences<Entity: EntityType>(of entity: Entity) -> [any PendingRemoval] {
    var visitor = RemovalRules<Storage, Entity>(workspace: self, removed: entity)
    Storage.Contents.visitParts(&visitor)
    rowChanged(from: entity, to: nil)
    return visitor.pending
  }
}

private struct EntityRemoval<Entity: EntityType>: PendingRemoval {
  let id: Entity.EntityID

  func perform<Storage: NormalizedStorageType>(
    in workspace: Workspace<Storage>
  ) -> [any PendingRemoval] {
    guard let removed = workspace.contents.table(of: Entity.self)?.pointee.remove(id)
    else { return [] }
    return workspace.consequences(of: removed)
  }
}

/// Looks at every relationship that a removed row is an end of.
private struct RemovalRules<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  let workspace: Workspace<Storage>
  let removed: Entity
  var pending: [any PendingRemoval] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) {
    let relationship = workspace.contents.part(at: path)
    if Relationship.Target.self == Entity.self {
      let id = recast(removed.entityID, as: Relationship.Target.EntityID.self)
      switch relationship.pointee.onDelete {
      case .cascade:
        for holder in relationship.pointee.holderIDs(of: id) {
          pending.append(EntityRemoval<Relationship.Holder>(id: holder))
        }
      case .nullify:
        nullify(id, relationship.pointee)
      case .deny, .keepDangling:
        break
      }
    }
    if Relationship.Holder.self == Entity.self, relationship.pointee.onHolderDelete == .cascade {
      let holder = recast(removed, as: Relationship.Holder.self)
      for target in relationship.pointee.targetIDs(of: holder) {
        pending.append(EntityRemoval<Relationship.Target>(id: target))
      }
    }
  }

  private func nullify<Relationship: RelationshipType>(
    _ target: Relationship.Target.EntityID, _ relationship: Relationship
  ) {
    guard let table = workspace.contents.table(of: Relationship.Holder.self) else { return }
    for id in relationship.holderIDs(of: target) {
      // The removed row may name itself.
      guard let old = table.pointee.find(by: id) else { continue }
      var new = old
      relationship.nullify(target, in: &new)
      guard new != old else { continue }
      table.pointee.insert(new)
      workspace.rowChanged(from: old, to: new)
    }
  }
}
