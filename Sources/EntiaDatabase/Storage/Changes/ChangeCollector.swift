/// Collects the differences between the tables of two versions.
@frozen
@usableFromInline
struct ChangeCollector<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline var pairs: TablePairs
  @usableFromInline var result = StorageChangeSet<Storage>()

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
    if pair.isSame { return }
    let changes = pair.new.pointee.changes(since: pair.old.pointee)
    if !changes.isEmpty { result.tables[ObjectIdentifier(Table.Entity.self)] = changes }
  }
}
