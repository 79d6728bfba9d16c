/// Finds the table of an entity type. The types alone decide which table it is, so that only its
/// offset is read at run time.
@frozen
@usableFromInline
struct TableOffsetSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutableRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var result: TablePointer<Wanted>?

  @inlinable
  init(contents: UnsafeMutableRawPointer, offsets: UnsafeMutablePointer<Int>) {
    self.contents = contents
    self.offsets = offsets
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if Table.Entity.self == Wanted.self {
      result = TablePointer(contents + offsets[index], isOrdered: Table.isOrdered)
    }
    index &+= 1
  }
}
