/// Collects the differences between the tables of two versions.
@frozen
@usableFromInline
struct ChangeCollector<Storage: NormalizedStorageType>: TablePairVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline var pairs: TablePairs
  @usableFromInline var result = StorageChangeSet<Storage>()

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if pair.isSame { return }
    let changes = pair.new.pointee.changes(since: pair.old.pointee)
    if !changes.isEmpty { result.tables[ObjectIdentifier(Table.Entity.self)] = changes }
  }
}
