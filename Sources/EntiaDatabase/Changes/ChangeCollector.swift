/// Collects how the tables of two versions differ.
@frozen
@usableFromInline
struct ChangeCollector<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let old: UnsafeRawPointer
  @usableFromInline let new: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var result = StorageChangeSet<Storage>()

  @inlinable
  init(
    _ old: UnsafePointer<Contents>, _ new: UnsafePointer<Contents>,
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
    let before = (old + offsets[index]).assumingMemoryBound(to: Table.self)
    let after = (new + offsets[index]).assumingMemoryBound(to: Table.self)
    index &+= 1
    if after.pointee.isIdentical(to: before.pointee) { return }
    let changes = after.pointee.changes(since: before.pointee)
    if !changes.isEmpty { result.tables[ObjectIdentifier(Table.Entity.self)] = changes }
  }
}

/// Collects how the IDs differ that the user holds.
struct HeldIDsCollector<Storage: NormalizedStorageType>: StorageVisitor {
  let old: Storage.Contents
  let new: Storage.Contents
  var changes: [String: any AnyTableChanges] = [:]

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Index> & Sendable
  ) {
    guard Index.self is any HeldIDs.Type else { return }
    func changes<IDs: HeldIDs>(_ after: IDs, _ before: any Sendable) -> (any AnyTableChanges)? {
      guard let before = before as? IDs, !after.isIdentical(to: before), after != before else {
        return nil
      }
      return HeldIDsChanges(old: before, new: after)
    }
    if let ids = new[keyPath: path] as? any HeldIDs {
      self.changes[name] = changes(ids, old[keyPath: path])
    }
  }
}
