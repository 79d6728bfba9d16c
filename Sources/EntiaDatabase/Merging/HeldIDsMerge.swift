/// Merges the held IDs, after the rows have been merged.
struct HeldIDsMerge<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let workspace: Workspace<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard let changes = changes.heldIDs[name] else { return }
    let place = workspace.contents.part(at: path)
    let before = workspace.base.contents[keyPath: path]
    func merged<IDs: HeldIDs>(_ mine: IDs) -> Index? {
      guard let changes = changes as? HeldIDsChanges<IDs>, let before = before as? IDs else {
        return nil
      }
      var result = changes.applied(to: mine, before: before)
      let rows = workspace.contents.table(of: IDs.Entity.self)
      for id in result.filter({ rows?.contains($0) != true }) { result.forget(id) }
      return result as? Index
    }
    if let mine = place.pointee as? any HeldIDs, let result = merged(mine) {
      place.pointee = result
    }
  }
}
