/// Checks whether the tables of two versions are equal.
@frozen
@usableFromInline
struct TableEqualitySearch<Contents: StorageContents>: StorageVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isEqual = true

  @inlinable
  init(_ a: Snapshot<Contents>, _ b: Snapshot<Contents>) {
    // Both have the same type, and so the same layout.
    pairs = TablePairs(a.box.place, b.box.place, offsets: a.box.layout.tables)
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let pair = pairs.next(Table.self)
    if isEqual, !pair.isSame { isEqual = pair.old.pointee == pair.new.pointee }
  }
}

extension Snapshot {
  /// Whether two versions have equal tables and the same held IDs. The other parts are derived
  /// from the rows.
  @inlinable
  func hasEqualRows(_ other: Self) -> Bool {
    if box.layout.hasHeldIDs { return contents.hasEqualTables(other.contents) }
    defer { withExtendedLifetime((self, other)) {} }
    var search = TableEqualitySearch(self, other)
    Contents.visitParts(&search)
    return search.isEqual
  }
}
