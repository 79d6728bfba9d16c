import EntiaCollections

// An ID may be held before its row is inserted: rows and lists are often in one payload, in any
// order. The end of the batch checks whether the entity exists.
extension BatchTransaction {
  /// Records that an ID is held without its entity.
  func noteEarly<IDs: HeldIDs>(_ id: IDs.Entity.EntityID, in part: UnsafeMutablePointer<IDs>) {
    let key = UnsafeMutableRawPointer(part)
    hasEarlyIDs = true
    // Appended in place: a batch may hold many IDs before their rows.
    if let early = earlyIDs[key] as? EarlyIDs<IDs.Entity> { return early.ids.append(id) }
    earlyIDs[key] = EarlyIDs<IDs.Entity>(id)
  }

  /// The IDs that are currently held without their entities, part by part.
  var heldWithoutEntity: [BatchProblem] {
    var search = EarlyIDSearch(transaction: self, dropsMissing: false)
    Storage.Contents.visitParts(&search)
    return search.problems
  }

  /// Removes the IDs that are held without their entities, and reports them as problems.
  @usableFromInline
  func dropEarlyIDs() {
    var search = EarlyIDSearch(transaction: self, dropsMissing: true)
    Storage.Contents.visitParts(&search)
    problems += search.problems
    earlyIDs = [:]
    hasEarlyIDs = false
  }
}

/// The IDs of one part that were held before their rows.
private final class EarlyIDs<Entity: EntityType> {
  var ids: [Entity.EntityID]

  init(_ id: Entity.EntityID) { ids = [id] }
}

/// Finds the IDs that were held before their rows and whose rows have not been inserted since.
private struct EarlyIDSearch<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let dropsMissing: Bool
  var problems: [BatchProblem] = []

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let held = transaction.contents.part(at: path)
    guard
      let early = transaction.earlyIDs[UnsafeMutableRawPointer(held)] as? EarlyIDs<IDs.Entity>
    else { return }
    let rows = transaction.contents.table(of: IDs.Entity.self)
    var seen: Set<IDs.Entity.EntityID> = []
    for id in early.ids where held.pointee.contains(id) && rows?.contains(id) != true {
      guard seen.insert(id).inserted else { continue }
      problems.append(.heldWithoutEntity(EntityLabel(id), part: name))
      if dropsMissing { held.pointee.remove(id) }
    }
  }
}
