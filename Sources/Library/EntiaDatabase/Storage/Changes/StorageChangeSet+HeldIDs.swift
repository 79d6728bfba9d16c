extension StorageChangeSet {
  /// The changes of IDs that the user holds, or `nil` when nothing changed.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: PartPath<Storage.Contents, IDs>
  ) -> HeldIDsChanges<IDs>? {
    var search = HeldIDsSearch<Storage.Contents, IDs>(path: path)
    Storage.Contents.visitParts(&search)
    return search.name.flatMap { heldIDs[$0] as? HeldIDsChanges<IDs> }
  }
}

/// Finds the name of the part at a path.
private struct HeldIDsSearch<Contents: StorageContents, IDs: HeldIDs>: StorageVisitor {
  let path: PartPath<Contents, IDs>
  var name: String?

  init(path: PartPath<Contents, IDs>) { self.path = path }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    if path as AnyKeyPath == self.path as AnyKeyPath { self.name = name }
  }
}
