import EntiaCollections

/// Removals that a delete rule requires, of entities of any type.
protocol PendingRemovals {
  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>)
}

/// Keys of one relationship that lose their references to removed entities.
protocol PendingNullification<Storage> {
  associatedtype Storage: NormalizedStorageType
  func perform(in transaction: BatchTransaction<Storage>, _ record: DeletionRecord?)
}

/// A removal that a rule denies if a holder is left at the end of the batch.
protocol PossibleDenial<Storage> {
  associatedtype Storage: NormalizedStorageType
  func note(in transaction: BatchTransaction<Storage>)
}

/// Entities that are removed because a relationship connects them with a removed one.
struct EntityRemovals<Entity: EntityType, Cause: EntityType>: PendingRemovals {
  let ids: [Entity.EntityID]
  let cause: Cause.EntityID
  let relationship: String
  /// Whether the entities are removed because they reference the cause; otherwise the cause
  /// references them.
  let areHolders: Bool

  func perform<Storage: NormalizedStorageType>(in cascade: Cascade<Storage>) {
    guard let table = cascade.transaction.contents.table(of: Entity.self) else { return }
    for id in ids {
      guard let removed = table.remove(id) else { continue }
      cascade.record?.removed(
        id,
        areHolders
          ? .names(EntityLabel(cause), relationship: relationship)
          : .isNamed(by: EntityLabel(cause), relationship: relationship))
      cascade.follow(removed)
    }
  }
}

struct Denial<
  Storage: NormalizedStorageType, Relationship: RelationshipType
>: PossibleDenial {
  let name: String
  let path: PartPath<Storage.Contents, Relationship>
  let target: Relationship.Target.EntityID

  func note(in transaction: BatchTransaction<Storage>) {
    guard transaction.contents.part(at: path).pointee.isNamed(target) else { return }
    transaction.noteDenial(of: target, by: name, path)
  }
}

final class Nullification<
  Storage: NormalizedStorageType, Relationship: RelationshipType
>: PendingNullification {
  let name: String
  let path: PartPath<Storage.Contents, Relationship>
  /// The removed targets of each holder, in the order of their removal.
  var gone: [Relationship.Holder.EntityID: [Relationship.Target.EntityID]] = [:]
  var holders: [Relationship.Holder.EntityID] = []

  init(
    name: String, path: PartPath<Storage.Contents, Relationship>
  ) {
    self.name = name
    self.path = path
  }

  func add(_ target: Relationship.Target.EntityID, heldBy ids: [Relationship.Holder.EntityID]) {
    for id in ids {
      if gone[id] == nil { holders.append(id) }
      gone[id, default: []].append(target)
    }
  }

  func perform(in transaction: BatchTransaction<Storage>, _ record: DeletionRecord?) {
    let relationship = transaction.contents.part(at: path)
    guard let table = transaction.contents.table(of: Relationship.Holder.self) else { return }
    for id in holders {
      // A holder may have been removed too.
      guard let targets = gone[id], let old = table.find(by: id) else { continue }
      var new = old
      relationship.pointee.nullify(Set(targets), in: &new)
      guard !haveSameValue(new, old) else { continue }
      table.replace(new)
      transaction.rowChanged(from: old, to: new)
      record?.nullified(id, name, targets)
    }
  }
}
