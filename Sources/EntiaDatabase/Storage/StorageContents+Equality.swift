extension StorageContents {
  /// Whether the tables hold equal rows; relationships and indexes follow from them.
  @usableFromInline
  func hasEqualTables(_ other: Self) -> Bool {
    var comparison = TableComparison(a: self, b: other, onlyIdentity: false)
    Self.visitParts(&comparison)
    return comparison.isEqual
  }

  /// Whether every table is the same version as the other's.
  @usableFromInline
  func hasIdenticalTables(_ other: Self) -> Bool {
    var comparison = TableComparison(a: self, b: other, onlyIdentity: true)
    Self.visitParts(&comparison)
    return comparison.isEqual
  }
}

private struct TableComparison<Contents: StorageContents>: StorageVisitor {
  let a: Contents
  let b: Contents
  let onlyIdentity: Bool
  var isEqual = true

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard isEqual else { return }
    let (x, y) = (a[keyPath: path], b[keyPath: path])
    isEqual = x.isIdentical(to: y) || (!onlyIdentity && x == y)
  }
}
