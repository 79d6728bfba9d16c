/// Fetches all rows of a type in the order of an index, if an index has the order.
///
/// The code is inlinable, so that it is specialized in the caller's module, where the types of the
/// indexes are known. A list on a screen is fetched again after every commit, and planning would
/// take longer than reading the rows of the list.
@frozen
@usableFromInline
struct SortedFetch<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let snapshot: Snapshot<Contents>
  @usableFromInline let sort: IndexSort<Entity>
  @usableFromInline let offset: Int
  @usableFromInline let limit: Int
  /// The fetched rows; `nil` when no index has the order.
  @usableFromInline var result: [Entity]?

  @inlinable
  init(
    _ snapshot: Snapshot<Contents>, _ sort: IndexSort<Entity>, offset: Int, limit: Int
  ) {
    self.snapshot = snapshot
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }

  @inlinable
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self, result == nil,
      let index = UnsafePointer(snapshot.box.address).pointer(to: path),
      let isReversed = recast(sort, as: IndexSort<Index.Entity>.self).isServed(by: index.pointee),
      let table = snapshot.tablePointer(of: Entity.self)
    else { return }
    var rows: [Entity] = []
    var skipped = 0
    let isOrdered = index.pointee.visitInOrder(isReversed: isReversed) { id in
      if skipped < offset {
        skipped += 1
        return true
      }
      if let row = table.row(of: recast(id, as: Entity.EntityID.self)) {
        if rows.isEmpty { rows.reserveCapacity(Swift.min(limit, table.count - offset)) }
        rows.append(row.pointee)
      }
      return rows.count < limit
    }
    if isOrdered { result = rows }
    withExtendedLifetime(snapshot) {}
  }
}
