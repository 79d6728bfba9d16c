/// Merges the held IDs, after the rows have been merged.
struct HeldIDsMerge<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let changes = changes.heldIDs[name] as? HeldIDsChanges<IDs> else { return }
    let ids = transaction.contents.part(at: path)
    let before = transaction.base.contents[keyPath: path]
    ids.pointee = changes.applied(to: ids.pointee, before: before)
    let rows = transaction.contents.table(of: IDs.Entity.self)
    for id in ids.pointee.filter({ rows?.contains($0) != true }) { ids.pointee.remove(id) }
  }
}
