/// The query of a live fetch, compiled once.
///
/// The query is a class, because a live result is copied with every commit and the copies share the
/// query. `Sendable` is unchecked because the query stores closures. They are never changed, and
/// capture only constants, key paths and sort descriptors of a `FetchDescriptor`, which is
/// `Sendable`.
final class LiveFetchQuery<Entity: EntityType>: @unchecked Sendable {
  let descriptor: FetchDescriptor<Entity>
  private let filter: RowFilter<Entity>
  /// The part of `filter` that calls no closure of the user.
  private let compiledFilter: RowFilter<Entity>
  /// The order of the result; `nil` for the order of the table.
  let order: RowOrder<Entity>?

  init(_ descriptor: FetchDescriptor<Entity>) {
    self.descriptor = descriptor
    var filter = RowFilter<Entity>()
    if let compiled = descriptor.compiled { filter.require(compiled) }
    compiledFilter = filter
    if let closure = descriptor.filter { filter.require(closure) }
    self.filter = filter
    order = descriptor.sortBy.isEmpty ? nil : RowOrder(descriptor.sortBy)
    isIncremental =
      descriptor.start == nil && descriptor.relatedSorts.isEmpty && !descriptor.usesSearch
    isLocal = isIncremental && descriptor.related.isEmpty
    offset = isIncremental ? max(0, descriptor.fetchOffset ?? 0) : 0
  }

  /// Whether the result can be updated from changed rows alone. Pages, orders by related fields and
  /// searches are fetched again.
  let isIncremental: Bool

  /// Whether the query is a text search whose table is identical in two versions. In both versions,
  /// the search finds the same rows with the same ranks.
  func isUnchangedSearch<Storage: NormalizedStorageType>(
    from old: Storage, to new: Storage
  ) -> Bool {
    guard descriptor.search != nil, descriptor.related.isEmpty, descriptor.relatedSorts.isEmpty,
      descriptor.start == nil, let before = old.snapshot.table(of: Entity.self),
      let after = new.snapshot.table(of: Entity.self)
    else { return false }
    return before.isIdentical(to: after)
  }

  /// Whether the fields of a row alone decide whether the row is in the result.
  let isLocal: Bool

  /// Whether the order never depends on the places of the rows in their table.
  var isTotal: Bool { order?.tie != nil }

  /// Whether a predicate can exclude rows.
  var isFiltered: Bool { !compiledFilter.isEmpty }

  /// The number of matching rows to skip before the result.
  let offset: Int

  /// The number of matching rows that are needed, including skipped ones; `nil` for all.
  var wanted: Int? {
    descriptor.fetchLimit.map { max(0, $0).adding(offset) }
  }

  /// The number of rows to fetch at once: the number of wanted rows, plus a reserve. The reserve
  /// has the same number of rows, but at least 16. `nil` to fetch all rows.
  var kept: Int? {
    wanted.flatMap { wanted in
      let sum = wanted.adding(max(16, wanted))
      return sum == .max ? nil : sum
    }
  }

  /// Whether a row satisfies the conditions on its own fields.
  func accepts(_ entity: Entity) -> Bool {
    withUnsafePointer(to: entity) { filter.accepts(UnsafeRawPointer($0)) }
  }

  /// Whether the predicate accepts a row; no closure of the user is called.
  func mayAccept(_ row: UnsafePointer<Entity>) -> Bool {
    compiledFilter.accepts(UnsafeRawPointer(row))
  }
}

/// A condition that every row of a fetch satisfies: a field has one of a list of values. Observers
/// of fetches are looked up by the value that the field has in a changed row, so that the observers
/// of other values are not checked.
///
/// `Sendable` is unchecked because the type stores a key path and a closure that reads the key
/// path. The key path is never changed, and comes from a `FetchDescriptor`, which is `Sendable`.
package struct EqualityFilter<Entity: EntityType>: @unchecked Sendable {
  /// The key path of the field.
  package let path: AnyKeyPath
  /// The hashes of the values.
  package let hashes: [Int]
  private let read: (Entity) -> Int?

  fileprivate init?(path: AnyKeyPath, values: [Any]) {
    guard let path = path as? PartialKeyPath<Entity> else { return nil }
    let type = Swift.type(of: path).valueType
    var hashes: [Int] = []
    for value in values {
      // Values of different types may be equal without having the same hash.
      guard Swift.type(of: value) == type, let hash = Self.hash(value) else { return nil }
      hashes.append(hash)
    }
    self.path = path
    self.hashes = hashes
    read = { Self.hash($0[keyPath: path]) }
  }

  /// Returns the hashes of the field's old and new values in all rows that differ or moved.
  /// - Parameters:
  ///   - old: The older version.
  ///   - storage: The new version.
  ///   - changes: Returns the difference of the two versions.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func hashes<Storage: NormalizedStorageType>(
    from old: StorageVersion, to storage: Storage, changes: () -> StorageChangeSet<Storage>
  ) -> Set<Int> {
    var result: Set<Int> = []
    DifferingRows(Storage.self, Entity.self).visitMoved(
      from: old, to: storage, changes: changes,
      visit: { if let hash = read($0.pointee) { result.insert(hash) } })
    return result
  }

  private static func hash(_ value: Any) -> Int? {
    (value as? any Hashable)?.hashValue
  }
}

extension FetchDescriptor {
  /// The equality condition by which observers of the fetch are looked up. It is `nil` if the
  /// predicate has no such condition, or if the fetch has a join, a sort by a related field, a page
  /// or a search.
  package var equalityFilter: EqualityFilter<Entity>? {
    guard related.isEmpty, relatedSorts.isEmpty, self.start == nil, search == nil, let compiled
    else { return nil }
    for (path, values, _) in FieldConditions(compiled.condition, slot: 0).values {
      if let route = EqualityFilter<Entity>(path: path, values: values) { return route }
    }
    return nil
  }
}
