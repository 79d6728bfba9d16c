import EntiaCollections

/// One step of a live fetch: the rows that leave the result, the rows that enter it, and their
/// positions.
struct LiveFetchEdit<Entity: EntityType> {
  let query: LiveFetchQuery<Entity>
  /// The table of the new version.
  let table: AnyTable<Entity>
  private let oldTable: AnyTable<Entity>?
  /// The conditions in the old version.
  private let before: LiveConditions<Entity>
  /// The conditions in the new version.
  private let after: LiveConditions<Entity>
  /// The old values of the rows that matched.
  private var leaving: [Entity] = []
  /// The new values of the rows that match.
  private var coming: [Entity] = []
  /// Whether a matching row was inserted, removed or given another value, or whether a row began or
  /// ceased to match. Moves do not count.
  private(set) var isCertain = false
  private(set) var rowsExamined = 0
  private(set) var comparisons = 0

  init<Storage: NormalizedStorageType>(
    query: LiveFetchQuery<Entity>, table: AnyTable<Entity>, from old: Storage, to new: Storage
  ) {
    self.query = query
    self.table = table
    oldTable = old.snapshot.table(of: Entity.self)
    before = LiveConditions(query, in: old)
    after = LiveConditions(query, in: new)
  }

  var isEmpty: Bool { leaving.isEmpty && coming.isEmpty }

  /// Whether a new fetch is cheaper than this edit, because the edit would have to find the places
  /// of its rows in the table.
  var isScattered: Bool {
    !query.isTotal && leaving.count + coming.count > max(64, table.count / 64)
  }

  /// The number of entering rows minus the number of leaving rows.
  var surplus: Int { coming.count - leaving.count }

  /// Collects the changes between two versions that affect the result. With `isOrdered`, changes of
  /// the table's order affect it, too.
  mutating func collect<Storage: NormalizedStorageType>(
    _ known: LiveChanges<Storage>?, from old: Storage, to new: Storage, isOrdered: Bool = false
  ) {
    if query.descriptor.related.isEmpty, let known, isOld(known.since, old) {
      return collect(known.set.changes(of: Entity.self), affected: [], isOrdered: isOrdered)
    }
    var changes = known?.set ?? StorageChangeSet()
    if known?.since.snapshot.isIdentical(to: old.snapshot) != true {
      changes = new.changes(since: old)
    }
    collect(
      changes.changes(of: Entity.self),
      affected: query.descriptor.affectedIDs(by: changes.tables, from: old, to: new),
      isOrdered: isOrdered)
  }

  /// Whether a version has the table of the old version.
  private func isOld<Storage: NormalizedStorageType>(_ version: Storage, _ old: Storage) -> Bool {
    if version.snapshot.isIdentical(to: old.snapshot) { return true }
    guard let table = version.snapshot.table(of: Entity.self) else { return false }
    return oldTable?.isIdentical(to: table) == true
  }

  /// Collects the changes that affect the result. With `isOrdered`, changes of the table's order
  /// affect it, too.
  /// - Parameter affected: The IDs of rows that may enter or leave because related rows changed.
  private mutating func collect(
    _ changes: TableChanges<Entity>, affected: [Entity.EntityID], isOrdered: Bool
  ) {
    for entity in changes.removed where accepted(entity) { leaving.append(entity) }
    for update in changes.updated {
      if accepted(update.old) { leaving.append(update.old) }
      if accepts(update.new) { coming.append(update.new) }
    }
    for entity in changes.inserted where accepts(entity) { coming.append(entity) }
    isCertain = !isEmpty
    if isOrdered { collectReplaced(changes) }
    if affected.isEmpty, !isOrdered || changes.order.isEmpty { return }
    var known = Set(changes.updated.map { $0.entityID })
    if isOrdered {
      for move in changes.moved where known.insert(move.entityID).inserted {
        guard let entity = entity(move.entityID) else { continue }
        if accepted(entity) { leaving.append(entity) }
        if accepts(entity) { coming.append(entity) }
      }
    }
    for entity in changes.inserted { known.insert(entity.entityID) }
    for id in affected where known.insert(id).inserted {
      // The row itself is unchanged.
      guard let entity = entity(id) else { continue }
      let (was, isNow) = (accepted(entity), accepts(entity))
      if was == isNow { continue }
      if was { leaving.append(entity) } else { coming.append(entity) }
      isCertain = true
    }
  }

  /// Adds the rows that were removed and inserted again with the same value. A table without an
  /// order of its own reports no change for these rows, but they are now the last rows of the
  /// table.
  private mutating func collectReplaced(_ changes: TableChanges<Entity>) {
    guard case .hash(let then)? = oldTable, case .hash(let now) = table else { return }
    var moved: [Entity] = []
    withUnsafePointer(to: then.rows) { then in
      withUnsafePointer(to: now.rows) { now in
        Tables.Hash<Entity>.Rows.visitMoved(then, now) { moved.append($0.pointee) }
      }
    }
    if moved.isEmpty { return }
    let updated = Set(changes.updated.map { $0.entityID })
    for entity in moved where !updated.contains(entity.entityID) {
      // A row is added here only if it satisfies the conditions in both versions. A row that
      // satisfies them in only one version is added with the rows of `affected`, because its
      // related rows changed.
      guard accepted(entity), accepts(entity) else { continue }
      leaving.append(entity)
      coming.append(entity)
    }
  }

  private func entity(_ id: Entity.EntityID) -> Entity? {
    table.row(of: id)?.row.assumingMemoryBound(to: Entity.self).pointee
  }

  private mutating func accepted(_ entity: Entity) -> Bool {
    rowsExamined += 1
    return before.accept(entity)
  }

  private mutating func accepts(_ entity: Entity) -> Bool {
    rowsExamined += 1
    return after.accept(entity)
  }

  /// Applies the edit to the result, which has the old values in the old order.
  /// - Parameter isComplete: Whether the result has all matching rows.
  mutating func apply(to rows: inout [Entity], isComplete: Bool) -> LiveFetchStep {
    let left = leavingPositions(in: rows, isComplete: isComplete)
    let rest = RemainingRows(rows: rows, left: left)
    let came = place(in: rest, isComplete: isComplete)
    rows = rest.inserting(came)
    return LiveFetchStep(left: left, came: came.map { $0.position })
  }

  /// Returns the positions of the leaving rows in the result, ascending.
  private mutating func leavingPositions(in rows: [Entity], isComplete: Bool) -> [Int] {
    var positions: [Int] = []
    var unplaced: Set<Entity.EntityID> = []
    let last = isComplete ? nil : rows.last
    for entity in leaving {
      if let position = position(of: entity, in: rows) {
        positions.append(position)
      } else if last.map({ compare($0, entity, in: oldTable) >= 0 }) ?? true {
        // A row that sorts after the last loaded row is not loaded.
        unplaced.insert(entity.entityID)
      }
    }
    if !unplaced.isEmpty {
      // The order is not known if the sort contradicts itself, as a comparator of the user may.
      positions += rows.indices.filter { unplaced.contains(rows[$0].entityID) }
    }
    positions.sort()
    return positions
  }

  /// Returns the position of a leaving row, found by binary search, or `nil` if the row is not
  /// there.
  private mutating func position(of entity: Entity, in rows: [Entity]) -> Int? {
    let position = (0..<rows.count).partition { compare(rows[$0], entity, in: oldTable) < 0 }
    guard position < rows.count, rows[position].hasID(entity.entityID) else { return nil }
    return position
  }

  /// Returns the entering rows in the order of the new version, with their positions in the new
  /// result.
  /// - Parameter rest: The rows that stay in the result.
  private mutating func place(
    in rest: RemainingRows<Entity>, isComplete: Bool
  ) -> [(position: Int, row: Entity)] {
    var placed: [(position: Int, row: Entity)] = []
    if !isComplete {
      // A row that sorts after the last loaded row may also sort after rows that are not loaded.
      guard rest.count > 0 else { return [] }
      let last = rest[rest.count - 1]
      coming = coming.filter { compare(last, $0, in: table) >= 0 }
    }
    var position = 0
    for entity in coming.sorted(by: { compare($0, $1, in: table) < 0 }) {
      position = (position..<rest.count).partition { compare(rest[$0], entity, in: table) < 0 }
      // Rows that are not loaded may sort before this row.
      if position == rest.count, !isComplete { continue }
      // The rows that were placed before precede this row.
      placed.append((position + placed.count, entity))
    }
    return placed
  }

  /// Compares two rows by the sort and then by their places in a version of the table, as a fetch
  /// of that version does.
  private mutating func compare(_ a: Entity, _ b: Entity, in table: AnyTable<Entity>?) -> Int {
    comparisons += 1
    if let order = query.order {
      let result = withUnsafePointer(to: a) { a in
        withUnsafePointer(to: b) { order.compare(UnsafeRawPointer(a), UnsafeRawPointer($0)) }
      }
      if result != 0 { return result }
    }
    guard let first = table?.row(of: a.entityID), let second = table?.row(of: b.entityID) else {
      return 0
    }
    return first.position - second.position
  }
}

/// The rows that stay in a result.
private struct RemainingRows<Entity: EntityType> {
  /// The old result.
  let rows: [Entity]
  /// The positions of the rows that leave, ascending.
  let left: [Int]

  var count: Int { rows.count - left.count }

  subscript(index: Int) -> Entity {
    // `left[number] - number` is the number of staying rows before a leaving row.
    rows[index + (0..<left.count).partition { left[$0] - $0 <= index }]
  }

  /// Returns the rows that stay, and between them the given rows at their new positions, which
  /// ascend.
  ///
  /// Each row is copied once, however many rows leave or enter the result.
  func inserting(_ placed: [(position: Int, row: Entity)]) -> [Entity] {
    var result: [Entity] = []
    result.reserveCapacity(count + placed.count)
    var remaining = rows[...]
    var leaving = left[...]
    /// Appends staying rows until the result has `count` rows.
    func fill(to count: Int) {
      while result.count < count {
        let run = remaining[..<(leaving.first ?? rows.count)].prefix(count - result.count)
        result += run
        remaining = rows[run.endIndex...]
        if leaving.first == run.endIndex {
          leaving.removeFirst()
          remaining.removeFirst()
        }
      }
    }
    for (position, row) in placed {
      fill(to: position)
      result.append(row)
    }
    fill(to: count + placed.count)
    return result
  }
}

extension AnyTable {
  /// Whether two tables are known to be the same version; `true` implies that they are equal.
  func isIdentical(to other: AnyTable) -> Bool {
    switch (self, other) {
    case (.hash(let a), .hash(let b)): a.isIdentical(to: b)
    case (.ordered(let a), .ordered(let b)): a.isIdentical(to: b)
    default: false
    }
  }
}

/// The conditions of a live fetch in one version: its predicate, and its conditions on related
/// rows.
struct LiveConditions<Entity: EntityType> {
  private let query: LiveFetchQuery<Entity>
  /// The conditions on related rows; `nil` if one of them uses a relationship that the version
  /// lacks. No row matches then.
  private let related: [PreparedCondition<Entity>]?

  init<Storage: NormalizedStorageType>(_ query: LiveFetchQuery<Entity>, in storage: Storage) {
    self.query = query
    if query.descriptor.related.isEmpty {
      related = []
      return
    }
    var prepared: [PreparedCondition<Entity>] = []
    let counter = FetchCounter()
    for condition in query.descriptor.related {
      guard let condition = condition.prepare(in: storage, counter) else {
        related = nil
        return
      }
      prepared.append(condition)
    }
    related = prepared
  }

  /// Whether a row of the version satisfies all conditions.
  func accept(_ entity: Entity) -> Bool {
    guard let related, query.accepts(entity) else { return false }
    if related.isEmpty { return true }
    return withUnsafePointer(to: entity) { row in
      related.allSatisfy { $0.accepts(UnsafeRawPointer(row)) }
    }
  }
}
