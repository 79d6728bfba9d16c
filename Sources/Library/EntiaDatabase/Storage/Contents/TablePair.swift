/// One table in two versions.
@frozen
@usableFromInline
struct TablePair<Table: TableType> {
  @usableFromInline let old: UnsafePointer<Table>
  @usableFromInline let new: UnsafePointer<Table>

  @inlinable
  init(old: UnsafePointer<Table>, new: UnsafePointer<Table>) {
    self.old = old
    self.new = new
  }

  /// Whether both versions share all their rows: `true` means equal, `false` means unknown.
  @inlinable
  @inline(__always)
  var isSame: Bool {
    if Table.isOrdered { return new.pointee.isIdentical(to: old.pointee) }
    // By address: a table loaded from memory would be retained for it.
    typealias Rows = Tables.Hash<Table.Entity>
    return Rows.isSame(
      UnsafeRawPointer(old).assumingMemoryBound(to: Rows.self),
      UnsafeRawPointer(new).assumingMemoryBound(to: Rows.self))
  }
}
