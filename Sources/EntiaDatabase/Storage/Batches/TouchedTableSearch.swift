/// Checks whether a table differs from its older version, which the caller retains.
@frozen
@usableFromInline
struct TouchedTableSearch<Contents: StorageContents>: StorageVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isTouched = false

  @inlinable
  init(
    _ old: UnsafePointer<Contents>, _ new: UnsafePointer<Contents>,
    offsets: UnsafeMutablePointer<Int>
  ) {
    pairs = TablePairs(old, new, offsets: offsets)
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let pair = pairs.next(Table.self)
    if !isTouched { isTouched = !pair.isSame }
  }
}
