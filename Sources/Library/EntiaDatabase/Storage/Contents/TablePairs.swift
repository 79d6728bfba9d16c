/// Iterates over the tables of two versions in pairs, in the order in which the storage lists them.
///
/// The caller keeps both versions alive.
@frozen
@usableFromInline
struct TablePairs {
  @usableFromInline let old: UnsafeRawPointer
  @usableFromInline let new: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0

  @inlinable
  init<Contents: StorageContents>(
    _ old: UnsafePointer<Contents>, _ new: UnsafePointer<Contents>,
    offsets: UnsafeMutablePointer<Int>
  ) {
    self.old = UnsafeRawPointer(old)
    self.new = UnsafeRawPointer(new)
    self.offsets = offsets
  }

  /// Returns the next pair of tables; the storage passes their type.
  @inlinable
  @inline(__always)
  mutating func next<Table: TableType>(_ type: Table.Type) -> TablePair<Table> {
    let offset = offsets[index]
    index &+= 1
    return TablePair(
      old: (old + offset).assumingMemoryBound(to: Table.self),
      new: (new + offset).assumingMemoryBound(to: Table.self))
  }
}

/// A visitor of the tables of two versions in pairs.
@usableFromInline
protocol TablePairVisitor: StorageVisitor {
  var pairs: TablePairs { get set }

  mutating func visit<Table: TableType>(_ pair: TablePair<Table>)
}

extension TablePairVisitor {
  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    visit(pairs.next(Table.self))
  }
}
