extension StorageContents {
  /// Whether the tables contain equal rows and the same IDs are held. The other parts are derived
  /// from the rows.
  @usableFromInline
  func hasEqualTables(_ other: Self) -> Bool {
    var comparison = TableComparison(a: self, b: other, onlyIdentity: false)
    Self.visitParts(&comparison)
    return comparison.isEqual
  }

  /// Whether every table and every part of held IDs is the same version as the other's.
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

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard isEqual, Index.self is any HeldIDs.Type else { return }
    let onlyIdentity = onlyIdentity
    func isSame<IDs: HeldIDs>(_ x: IDs, _ y: any Sendable) -> Bool {
      guard let y = y as? IDs else { return false }
      return x.isIdentical(to: y) || (!onlyIdentity && x == y)
    }
    if let ids = a[keyPath: path] as? any HeldIDs { isEqual = isSame(ids, b[keyPath: path]) }
  }
}
