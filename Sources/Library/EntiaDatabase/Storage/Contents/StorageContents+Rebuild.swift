import EntiaCollections

extension StorageContents {
  /// Rebuilds every relationship and index from the rows.
  /// - Complexity: O(*n*).
  @usableFromInline
  mutating func rebuildDerivedParts() {
    withUnsafeMutablePointer(to: &self) { contents in
      var rebuild = Rebuild(contents: contents)
      Self.visitParts(&rebuild)
    }
  }
}

private struct Rebuild<Contents: StorageContents>: StorageVisitor {
  let contents: UnsafeMutablePointer<Contents>

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents.part(at: path)
    relationship.pointee.removeAllLinks()
    guard let table = contents.table(of: Relationship.Holder.self) else { return }
    table.copy.visitRows { relationship.pointee.holderChanged(from: nil, to: $0) }
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    let index = contents.part(at: path)
    let table = contents.table(of: Index.Entity.self)?.copy
    index.pointee.rebuild { visit in table?.visitRows(visit) }
  }
}
