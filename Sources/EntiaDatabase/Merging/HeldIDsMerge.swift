/// Merges the held IDs, after the rows have been merged.
struct HeldIDsMerge<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard let changes = changes.heldIDs[name] else { return }
    let place = transaction.contents.part(at: path)
    let before = transaction.base.contents[keyPath: path]
    func merged<IDs: HeldIDs>(_ mine: IDs) -> Index? {
      guard let changes = changes as? HeldIDsChanges<IDs>, let before = before as? IDs else {
        return nil
      }
      var result = changes.applied(to: mine, before: before)
      let rows = transaction.contents.table(of: IDs.Entity.self)
      for id in result.filter({ rows?.contains($0) != true }) { result.forget(id) }
      return result as? Index
    }
    if let mine = place.pointee as? any HeldIDs, let result = merged(mine) {
      place.pointee = result
    }
  }
}
