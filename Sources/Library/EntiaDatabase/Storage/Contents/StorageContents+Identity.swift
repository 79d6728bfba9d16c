extension UnsafePointer where Pointee: StorageContents {
  /// Whether every table and every part of held IDs is the same version as the other's. The caller
  /// keeps both contents alive.
  @inlinable
  func hasIdenticalTables(_ other: Self, _ layout: ContentsLayout) -> Bool {
    var search = IdenticalTableSearch<Pointee>(
      pairs: TablePairs(self, other, offsets: layout.tables))
    Pointee.visitParts(&search)
    return search.isIdentical
      && (!layout.hasHeldIDs || pointee.hasEqualHeldIDs(other.pointee, onlyIdentical: true))
  }
}

/// Checks whether the tables of two versions share all their rows.
@frozen
@usableFromInline
struct IdenticalTableSearch<Contents: StorageContents>: TablePairVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isIdentical = true

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if isIdentical { isIdentical = pair.isSame }
  }
}
