import EntiaCollections

/// Keys of one relationship that lose their references to removed entities.
protocol PendingNullification<Storage> {
  associatedtype Storage: NormalizedStorageType
  func perform(in transaction: BatchTransaction<Storage>, _ record: DeletionRecord?)
}

final class Nullification<
  Storage: NormalizedStorageType, Relationship: RelationshipType
>: PendingNullification {
  let name: String
  let path: PartPath<Storage.Contents, Relationship>
  /// The removed targets of each holder, in the order of their removal.
  var removedTargets: [Relationship.Holder.EntityID: [Relationship.Target.EntityID]] = [:]
  var holders: [Relationship.Holder.EntityID] = []

  init(
    name: String, path: PartPath<Storage.Contents, Relationship>
  ) {
    self.name = name
    self.path = path
  }

  func add(_ target: Relationship.Target.EntityID, heldBy ids: [Relationship.Holder.EntityID]) {
    for id in ids {
      if removedTargets[id] == nil { holders.append(id) }
      removedTargets[id, default: []].append(target)
    }
  }

  func perform(in transaction: BatchTransaction<Storage>, _ record: DeletionRecord?) {
    let relationship = transaction.contents.part(at: path)
    guard let table = transaction.contents.table(of: Relationship.Holder.self) else { return }
    for id in holders {
      // A holder may have been removed too.
      guard let targets = removedTargets[id], let old = table.find(by: id) else { continue }
      var new = old
      relationship.pointee.nullify(Set(targets), in: &new)
      guard !haveSameValue(new, old) else { continue }
      table.replace(new)
      transaction.rowChanged(from: old, to: new)
      record?.nullified(id, name, targets)
    }
  }
}
