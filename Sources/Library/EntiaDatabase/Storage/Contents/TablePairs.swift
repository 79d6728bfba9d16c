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
