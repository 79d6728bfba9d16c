/// Finds out whether the tables of two versions hold equal rows.
@frozen
@usableFromInline
struct TableEqualitySearch<Contents: StorageContents>: StorageVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isEqual = true

  @inlinable
  init(_ a: Snapshot<Contents>, _ b: Snapshot<Contents>) {
    // Of one type, and so laid out alike.
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
  /// Whether two versions hold equal rows, and the user the same IDs; the rest follows from rows.
  @inlinable
  func hasEqualRows(_ other: Self) -> Bool {
    if box.layout.hasHeldIDs { return contents.hasEqualTables(other.contents) }
    defer { withExtendedLifetime((self, other)) {} }
    var search = TableEqualitySearch(self, other)
    Contents.visitParts(&search)
    return search.isEqual
  }
}
