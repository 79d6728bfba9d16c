/// The number of entities that a fetch returns, updated from change sets. It stores no entities.
package struct LiveCount<Storage: NormalizedStorageType, Entity: EntityType>: LiveResult {
  private let query: LiveFetchQuery<Entity>
  /// The number of matches, regardless of limit and offset; for a page, the number of its
  /// entities.
  private var total = 0

  package init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage) {
    var descriptor = descriptor
    // The order decides which entities are in the result, not how many.
    descriptor.sortBy = []
    descriptor.relatedSorts = []
    query = LiveFetchQuery(descriptor)
    boundary = query.isLocal && query.isFiltered ? LiveBoundary(query, last: nil) : nil
    count(in: storage)
  }

  package var value: Int {
    guard query.isIncremental else { return total }
    let rest = max(0, total - query.offset)
    return query.descriptor.fetchLimit.map { min(max(0, $0), rest) } ?? rest
  }

  package var step: LiveFetchStep? { nil }

  package var isLocal: Bool { query.isLocal }

  package let boundary: LiveBoundary<Entity>?

  package mutating func advance(
    from old: Storage, isExact: Bool, to new: Storage, changes: LiveChanges<Storage>?,
    rows differing: DifferingRows<Storage, Entity>, work: inout LiveWork
  ) -> LiveOutcome {
    if old.snapshot.isIdentical(to: new.snapshot) { return .same }
    let before = value
    if query.isIncremental {
      guard let table = new.snapshot.table(of: Entity.self) else { return .same }
      var edit = LiveFetchEdit(query: query, table: table, from: old, to: new)
      edit.collect(changes, from: old, to: new)
      work.rowsExamined += edit.rowsExamined
      total += edit.surplus
    } else {
      work.fetches += 1
      count(in: new)
    }
    return value == before ? .same : .different
  }

  private mutating func count(in storage: Storage) {
    var descriptor = query.descriptor
    if query.isIncremental {
      descriptor.fetchLimit = nil
      descriptor.fetchOffset = nil
    }
    total = storage.fetchCount(descriptor)
  }
}
