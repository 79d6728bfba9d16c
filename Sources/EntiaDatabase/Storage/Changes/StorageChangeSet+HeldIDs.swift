extension StorageChangeSet {
  /// The changes of IDs that the user holds, or `nil` when nothing changed.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: any WritableKeyPath<Storage.Contents, IDs> & Sendable
  ) -> HeldIDsChanges<IDs>? {
    var search = HeldIDsSearch<Storage.Contents, IDs>(path: path)
    Storage.Contents.visitParts(&search)
    return search.name.flatMap { heldIDs[$0] as? HeldIDsChanges<IDs> }
  }
}

/// Finds the name of the part at a path.
private struct HeldIDsSearch<Contents: StorageContents, IDs: HeldIDs>: StorageVisitor {
  let path: any WritableKeyPath<Contents, IDs> & Sendable
  var name: String?

  init(path: any WritableKeyPath<Contents, IDs> & Sendable) { self.path = path }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    if path as AnyKeyPath == self.path as AnyKeyPath { self.name = name }
  }
}
