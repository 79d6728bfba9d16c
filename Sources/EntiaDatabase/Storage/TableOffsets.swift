/// How far each table and each relationship of a database is from the beginning of its contents, in
/// the order of its parts.
///
/// A key path knows the same, but takes longer to say so than a row takes to be found. Computed once
/// for a database and shared by all its versions.
@usableFromInline
final class TableOffsets: @unchecked Sendable {
  // Unchecked because of these pointers: their memory is written once, here, only read while anyone
  // holds the object, and freed with it.
  @usableFromInline let start: UnsafeMutablePointer<Int>
  @usableFromInline let relationships: UnsafeMutablePointer<Int>

  init<Contents: StorageContents>(_ contents: UnsafeMutablePointer<Contents>) {
    var collector = TableOffsetCollector(contents: contents)
    Contents.visitParts(&collector)
    start = .allocate(capacity: collector.offsets.count)
    start.initialize(from: collector.offsets, count: collector.offsets.count)
    relationships = .allocate(capacity: collector.relationships.count)
    relationships.initialize(
      from: collector.relationships, count: collector.relationships.count)
  }

  deinit {
    start.deallocate()
    relationships.deallocate()
  }
}

private struct TableOffsetCollector<Contents: StorageContents>: StorageVisitor {
  let contents: UnsafeMutablePointer<Contents>
  var offsets: [Int] = []
  var relationships: [Int] = []

  init(contents: UnsafeMutablePointer<Contents>) { self.contents = contents }

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    offsets.append(UnsafeRawPointer(contents.part(at: path)) - UnsafeRawPointer(contents))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    relationships.append(UnsafeRawPointer(contents.part(at: path)) - UnsafeRawPointer(contents))
  }
}

/// Finds the table of an entity type. Which one it is follows from the types alone, so that nothing
/// but its offset is left to be read.
@frozen
@usableFromInline
struct TableOffsetSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutableRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var result: TablePointer<Wanted>?

  @inlinable
  init(contents: UnsafeMutablePointer<Contents>, offsets: UnsafeMutablePointer<Int>) {
    self.contents = UnsafeMutableRawPointer(contents)
    self.offsets = offsets
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    if Table.Entity.self == Wanted.self {
      result = TablePointer(contents + offsets[index], isOrdered: Table.isOrdered)
    }
    index &+= 1
  }
}
