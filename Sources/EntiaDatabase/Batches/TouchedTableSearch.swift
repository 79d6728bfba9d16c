/// Finds out whether a table differs from its older version, which is still held.
@frozen
@usableFromInline
struct TouchedTableSearch<Contents: StorageContents>: StorageVisitor {
  @usableFromInline let old: UnsafeRawPointer
  @usableFromInline let new: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var isTouched = false

  @inlinable
  init(
    _ old: UnsafeMutablePointer<Contents>, _ new: UnsafeMutablePointer<Contents>,
    offsets: UnsafeMutablePointer<Int>
  ) {
    self.old = UnsafeRawPointer(old)
    self.new = UnsafeRawPointer(new)
    self.offsets = offsets
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    let offset = offsets[index]
    index &+= 1
    if isTouched { return }
    if Table.isOrdered {
      let before = (old + offset).assumingMemoryBound(to: Table.self)
      let after = (new + offset).assumingMemoryBound(to: Table.self)
      isTouched = !after.pointee.isIdentical(to: before.pointee)
    } else {
      typealias Rows = Tables.Hash<Table.Entity>
      isTouched = !Rows.isSame(
        (old + offset).assumingMemoryBound(to: Rows.self),
        (new + offset).assumingMemoryBound(to: Rows.self))
    }
  }
}
