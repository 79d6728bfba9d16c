public import EntiaCollections

/// The tables and rows that differ between two versions of a database, without the rows themselves.
/// They select the observers to notify, which are registered by table and by ID.
@frozen
@usableFromInline
package struct DifferingKeys: Sendable {
  /// A table or a row that differs.
  @frozen
  @usableFromInline
  package enum Key: Hashable, Sendable {
    /// A table in which rows were inserted, removed, moved or changed.
    case table(ObjectIdentifier)
    /// A row that was inserted, removed or changed: the type of the entity, and the hash of the ID.
    case row(ObjectIdentifier, idHash: UInt64)
    /// A `Tables.Hash` that has equal rows in both versions, but possibly in a different order. The
    /// order may change if rows are removed and inserted again. `==` of the tables ignores the
    /// order.
    case order(ObjectIdentifier)
  }

  /// The keys: each table that differs, followed by its rows that differ.
  @usableFromInline package var keys: [Key] = []
  /// Whether no table and no held IDs differ.
  @usableFromInline package var isEmpty = true
  /// Whether times or answers of received rows differ.
  package var hasOtherFreshness = false

  @inlinable
  init() {}

  /// Collects the keys of the difference between two versions of the same database.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   ones.
  package init(from old: StorageVersion, to new: StorageVersion) {
    if old === new { return }
    keys.reserveCapacity(4)
    new.collectKeys(old.start, new.start, new.layout.tables, &keys)
    let isSame = keys.allSatisfy { if case .order = $0 { true } else { false } }
    isEmpty = isSame && !(new.layout.hasHeldIDs && new.hasOtherHeldIDs(than: old))
    hasOtherFreshness = new.layout.hasFreshness && new.hasOtherFreshness(than: old)
  }
}

/// Collects the keys of the difference between two versions of a database's contents, given the
/// offsets of the tables.
@usableFromInline
typealias KeyCollectorFunction =
  @Sendable (
    _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ offsets: UnsafeMutablePointer<Int>,
    _ keys: inout [DifferingKeys.Key]
  ) -> Void

/// Collects the keys of the tables and rows that differ between two versions.
@frozen
@usableFromInline
struct KeyCollector<Contents: StorageContents>: TablePairVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var keys: [DifferingKeys.Key] = []

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  /// The function that collects the keys for these contents. The function is specialized where a
  /// batch creates a version, because that code is compiled with the types of the tables. Each
  /// version stores the function for code that compares versions, which is not specialized.
  @inlinable
  static var function: KeyCollectorFunction {
    { old, new, offsets, keys in
      var collector = Self(
        pairs: TablePairs(
          old.assumingMemoryBound(to: Contents.self), new.assumingMemoryBound(to: Contents.self),
          offsets: offsets))
      swap(&collector.keys, &keys)
      Contents.visitParts(&collector)
      swap(&collector.keys, &keys)
    }
  }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if pair.isSame { return }
    let entity = ObjectIdentifier(Table.Entity.self)
    if Table.isOrdered {
      let changes = pair.new.pointee.changes(since: pair.old.pointee)
      if changes.isEmpty { return }
      keys.append(.table(entity))
      for id in changes.changedIDs { keys.append(.row(entity, idHash: id.tableHash)) }
      return
    }
    let start = keys.count
    let isMoved = pair.visitDifferingIDs { id in
      if keys.count == start { keys.append(.table(entity)) }
      keys.append(.row(entity, idHash: id.tableHash))
    }
    if isMoved, keys.count == start { keys.append(.order(entity)) }
  }
}
