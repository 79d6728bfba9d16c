extension Snapshot {
  /// Whether two versions have equal tables and the same held IDs. The other parts are derived
  /// from the rows.
  @inlinable
  func hasEqualRows(_ other: Self) -> Bool {
    defer { withExtendedLifetime((self, other)) {} }
    // Both have the same type, and so the same layout.
    let layout = box.layout
    var search = EqualTableSearch<Contents>(
      pairs: TablePairs(box.address, other.box.address, offsets: layout.tables))
    Contents.visitParts(&search)
    return search.isEqual && (!layout.hasHeldIDs || contents.hasEqualHeldIDs(other.contents))
  }
}

/// Checks whether the tables of two versions contain equal rows.
@frozen
@usableFromInline
struct EqualTableSearch<Contents: StorageContents>: TablePairVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isEqual = true

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if isEqual, !pair.isSame { isEqual = pair.old.pointee == pair.new.pointee }
  }
}
