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

extension BatchTransaction {
  /// Applies the delete rules to rows that were just removed.
  ///
  /// Removals are queued: cycles end because a row is removed once, and long chains do not
  /// recurse. Keys are nullified after all removals are known, so that a list that loses many
  /// entries is written once.
  @usableFromInline
  func rowsRemoved<Entity: EntityType>(_ entities: some Collection<Entity>) {
    if entities.isEmpty { return }
    let cascade = Cascade(transaction: self, record: record)
    for entity in entities { record?.removed(entity.entityID, .asked) }
    for entity in entities { cascade.follow(entity) }
    cascade.finish()
  }
}

/// The effects of removing rows.
final class Cascade<Storage: NormalizedStorageType> {
  let transaction: BatchTransaction<Storage>
  /// The record of the effects and their causes, if one is required.
  let record: DeletionRecord?
  var removals: [any PendingRemovals] = []
  var nullifications: [String: any PendingNullification<Storage>] = [:]
  var nullifiedNames: [String] = []
  var deniedDeletions: [any PossibleDenial<Storage>] = []

  init(transaction: BatchTransaction<Storage>, record: DeletionRecord?) {
    self.transaction = transaction
    self.record = record
  }

  /// Queues the effects that the rules require for a removed row, and removes it from the
  /// relationships.
  func follow<Entity: EntityType>(_ entity: Entity) {
    var rules = RemovalRules(cascade: self, removed: entity)
    Storage.Contents.visitParts(&rules)
    transaction.rowChanged(from: entity, to: nil)
  }

  /// Returns the nullification of the keys of a relationship.
  func nullification<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  ) -> Nullification<Storage, Relationship> {
    if let known = nullifications[name] as? Nullification<Storage, Relationship> {
      return known
    }
    let fresh = Nullification<Storage, Relationship>(name: name, path: path)
    nullifications[name] = fresh
    nullifiedNames.append(name)
    return fresh
  }

  func finish() {
    var next = 0
    while next < removals.count {
      removals[next].perform(in: self)
      next += 1
    }
    for name in nullifiedNames { nullifications[name]?.perform(in: transaction, record) }
    // Last, because holders that were removed in the same cascade deny nothing. A key that is
    // written later only dangles.
    for denial in deniedDeletions { denial.note(in: transaction) }
  }
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
  let path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
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
  let path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
  /// The removed targets of each holder, in the order of their removal.
  var gone: [Relationship.Holder.EntityID: [Relationship.Target.EntityID]] = [:]
  var holders: [Relationship.Holder.EntityID] = []

  init(
    name: String, path: any WritableKeyPath<Storage.Contents, Relationship> & Sendable
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

/// Applies the rules of every relationship of which a removed row is an end.
private struct RemovalRules<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  let cascade: Cascade<Storage>
  let removed: Entity

  typealias Contents = Storage.Contents

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = cascade.transaction.contents.part(at: path)
    if Relationship.Target.self == Entity.self {
      let id = recast(removed.entityID, as: Relationship.Target.EntityID.self)
      switch relationship.pointee.onDelete {
      case .cascade:
        remove(relationship.pointee.holderIDs(of: id), because: id, name, areHolders: true)
      case .nullify:
        let holders = relationship.pointee.holderIDs(of: id)
        if !holders.isEmpty { cascade.nullification(name, path).add(id, heldBy: holders) }
      case .deny:
        if relationship.pointee.isNamed(id) {
          cascade.deniedDeletions.append(
            Denial<Storage, Relationship>(name: name, path: path, target: id))
        }
      case .keepDangling:
        break
      }
    }
    if Relationship.Holder.self == Entity.self, relationship.pointee.onHolderDelete == .cascade {
      let holder = recast(removed, as: Relationship.Holder.self)
      remove(
        relationship.pointee.targetIDs(of: holder), because: holder.entityID, name,
        areHolders: false)
    }
  }

  private func remove<Gone: EntityType, Cause: EntityType>(
    _ ids: [EntityIdentifier<Gone>], because cause: EntityIdentifier<Cause>, _ name: String,
    areHolders: Bool
  ) {
    if ids.isEmpty { return }
    cascade.removals.append(
      EntityRemovals<Gone, Cause>(
        ids: ids, cause: cause, relationship: name, areHolders: areHolders))
  }
}
