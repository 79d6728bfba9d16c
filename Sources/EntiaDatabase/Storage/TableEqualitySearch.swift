/// Finds out whether the tables of two versions hold equal rows.
@frozen
@usableFromInline
struct TableEqualitySearch<Contents: StorageContents>: StorageVisitor {
  @usableFromInline let a: UnsafeRawPointer
  @usableFromInline let b: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var isEqual = true

  @inlinable
  init(_ a: Snapshot<Contents>, _ b: Snapshot<Contents>) {
    self.a = UnsafeRawPointer(a.box.place)
    self.b = UnsafeRawPointer(b.box.place)
    // Of one type, and so laid out alike.
    offsets = a.box.layout.tables
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let offset = offsets[index]
    index &+= 1
    if !isEqual { return }
    if !Table.isOrdered {
      typealias Rows = Tables.Hash<Table.Entity>
      let isSame = Rows.isSame(
        (a + offset).assumingMemoryBound(to: Rows.self),
        (b + offset).assumingMemoryBound(to: Rows.self))
      if isSame { return }
    }
    let (x, y) = (
      (a + offset).assumingMemoryBound(to: Table.self),
      (b + offset).assumingMemoryBound(to: Table.self)
    )
    isEqual = x.pointee == y.pointee
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
