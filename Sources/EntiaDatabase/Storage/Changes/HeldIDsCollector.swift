/// Collects the differences between the held IDs (`OrderedID`, `Set`) of two versions.
struct HeldIDsCollector<Storage: NormalizedStorageType>: StorageVisitor {
  let old: Storage.Contents
  let new: Storage.Contents
  var changes: [String: any AnyTableChanges] = [:]

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Index> & Sendable
  ) {
    guard Index.self is any HeldIDs.Type else { return }
    func changes<IDs: HeldIDs>(_ after: IDs, _ before: any Sendable) -> (any AnyTableChanges)? {
      guard let before = before as? IDs, !after.isIdentical(to: before), after != before else {
        return nil
      }
      return HeldIDsChanges(old: before, new: after)
    }
    if let ids = new[keyPath: path] as? any HeldIDs {
      self.changes[name] = changes(ids, old[keyPath: path])
    }
  }
}
