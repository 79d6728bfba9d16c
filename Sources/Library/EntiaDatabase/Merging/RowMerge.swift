public import EntiaCollections

/// Merges rows, table by table, without applying delete rules.
@usableFromInline
struct RowMerge<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let transaction: BatchTransaction<Storage>
  let theirs: Snapshot<Contents>
  @usableFromInline let changes: StorageChangeSet<Storage>
  let mine: StorageChangeSet<Storage>
  let merge: ThreeWayMerge<Storage>
  private(set) var conflicts: [RowConflict] = []
  /// The IDs of the rows that neither side has, by entity type: they combine the changes of both
  /// sides, or a resolution returned them.
  private var combined: [ObjectIdentifier: any Sendable] = [:]

  @usableFromInline
  init(
    transaction: BatchTransaction<Storage>, theirs: Snapshot<Contents>,
    changes: StorageChangeSet<Storage>, mine: StorageChangeSet<Storage>,
    merge: ThreeWayMerge<Storage>
  ) {
    self.transaction = transaction
    self.theirs = theirs
    self.changes = changes
    self.mine = mine
    self.merge = merge
  }

  @inlinable
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    if changes.isEmpty { return }
    let table = transaction.contents.part(at: path)
    var rows = begin(changes, in: table)
    let rest = mergeUpdates(changes.updated, in: table, &rows)
    end(changes, rest, in: table, &rows)
  }

  /// Merges the updates that *theirs* made to rows of *mine*.
  ///
  /// The loop over the rows is specialized in the caller, because calling an unspecialized generic
  /// function takes as long as merging a row.
  /// - Returns: The updates that are not merged, because *mine* lacks the row or because both sides
  ///   changed the row in conflicting ways.
  @inlinable
  @inline(__always)
  func mergeUpdates<Table: TableType>(
    _ updates: [EntityUpdate<Table.Entity>], in table: UnsafeMutablePointer<Table>,
    _ state: inout TableMerge<Table.Entity>
  ) -> [EntityUpdate<Table.Entity>] {
    var rest: [EntityUpdate<Table.Entity>] = []
    let merged = state.merged
    let rows = TablePointer<Table.Entity>(
      UnsafeMutableRawPointer(table), isOrdered: Table.isOrdered)
    // Rows are compared at their addresses, because a copy would be retained and released.
    updates.withUnsafeBufferPointer { updates in
      for place in updates.indices {
        guard let mine = rows.row(of: updates[place].entityID) else {
          rest.append(updates[place])
          continue
        }
        if haveSameValue(mine.pointee, updates[place].new) { continue }
        let new: Table.Entity
        if haveSameValue(mine.pointee, updates[place].old) {
          new = updates[place].new
        } else if let row = merged(updates[place].old, mine.pointee, updates[place].new) {
          new = row
          state.combined.append(updates[place].entityID)
        } else {
          rest.append(updates[place])
          continue
        }
        if let old = table.pointee.replace(new) { transaction.rowReplaced(old, by: new) }
      }
    }
    return rest
  }
}

/// The state of the merge of one table.
@usableFromInline
struct TableMerge<Entity: EntityType> {
  fileprivate let rule: MergeRule<Entity>
  fileprivate let members: RowMembers<Entity>
  /// Returns the row with the changes of both sides, or `nil` if the changes are in conflict.
  @usableFromInline let merged: RowMembers<Entity>.Merging
  /// The rows that are placed as in *theirs*, if the table is ordered.
  fileprivate var placed: Set<Entity.EntityID>
  /// The rows that *mine* moved or removed, and the rows that a resolution keeps where they are in
  /// *mine*. No row of *theirs* is placed next to one of these rows, because such a row does not
  /// have the same neighbors in *mine* as in *theirs*.
  fileprivate var moved: Set<Entity.EntityID>
  /// The rows that neither side has.
  @usableFromInline var combined: [Entity.EntityID] = []
}

extension RowMerge {
  /// Merges the removals of a table, and returns the state for `mergeUpdates` and `end`.
  @usableFromInline
  mutating func begin<Table: TableType>(
    _ changes: TableChanges<Table.Entity>, in table: UnsafeMutablePointer<Table>
  ) -> TableMerge<Table.Entity> {
    let rule = merge.rule(of: Table.Entity.self)
    let members = RowMembers<Table.Entity>()
    var rows = TableMerge(
      rule: rule, members: members, merged: rule.merging(members),
      placed: Set(changes.order.placed.map { $0.entityID }),
      moved: Set(mine.changes(of: Table.Entity.self).order.taken.map { $0.entityID }))
    for entity in changes.removed { step(table, &rows, entity.entityID, entity, nil) }
    return rows
  }

  /// Merges the remaining updates and the insertions of a table, and places its rows.
  @usableFromInline
  mutating func end<Table: TableType>(
    _ changes: TableChanges<Table.Entity>, _ updates: [EntityUpdate<Table.Entity>],
    in table: UnsafeMutablePointer<Table>, _ rows: inout TableMerge<Table.Entity>
  ) {
    for update in updates { step(table, &rows, update.entityID, update.old, update.new) }
    for entity in changes.inserted { step(table, &rows, entity.entityID, nil, entity) }
    if !rows.combined.isEmpty { combined[ObjectIdentifier(Table.Entity.self)] = rows.combined }
    let pointer = TablePointer<Table.Entity>(
      UnsafeMutableRawPointer(table), isOrdered: Table.isOrdered)
    if case .ordered(let mine) = pointer,
      case .ordered(let theirs)? = theirs.table(of: Table.Entity.self)
    {
      mine.pointee.rows.place(rows.placed, asIn: theirs.rows, moved: rows.moved)
    }
  }

  /// Returns the IDs of the rows that neither side has.
  func combinedRows<Entity: EntityType>(of entity: Entity.Type) -> [Entity.EntityID] {
    combined[ObjectIdentifier(entity)] as? [Entity.EntityID] ?? []
  }

  /// Merges one row, and records its place.
  private mutating func step<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ rows: inout TableMerge<Table.Entity>,
    _ id: Table.Entity.EntityID, _ base: Table.Entity?, _ theirs: Table.Entity?
  ) {
    let isMissing = !table.pointee.contains(id)
    let keepsMine = resolve(table, &rows, id, base, theirs)
    if isMissing {
      // The row has no place in *mine* yet: *theirs* inserted it, or a resolution restores it.
      rows.placed.insert(id)
    } else if keepsMine, rows.placed.remove(id) != nil {
      // The row keeps its place in *mine*, so its place in *theirs* determines no other row's
      // place.
      rows.moved.insert(id)
    }
  }

  /// Merges a removal, an insertion, or an update that `mergeUpdates` has not merged.
  /// - Returns: Whether a conflict was resolved by keeping the transaction's row.
  private mutating func resolve<Table: TableType>(
    _ table: UnsafeMutablePointer<Table>, _ rows: inout TableMerge<Table.Entity>,
    _ id: Table.Entity.EntityID, _ base: Table.Entity?, _ theirs: Table.Entity?
  ) -> Bool {
    let mine = table.pointee.find(by: id)
    if haveSameValue(mine, theirs) { return false }
    if haveSameValue(mine, base) {
      store(theirs, over: mine, id, in: table)
      return false
    }
    let (first, second) = merge.isReversed ? (theirs, mine) : (mine, theirs)
    let conflict = MergeConflict(entityID: id, base: base, mine: first, theirs: second)
    var outcome = RowConflict.Outcome.refused
    var keepsMine = false
    switch merge.resolution(of: conflict, rows.rule) {
    case .mine:
      outcome = .mine
      keepsMine = !merge.isReversed
      if merge.isReversed { store(theirs, over: mine, id, in: table) }
    case .theirs:
      outcome = .theirs
      keepsMine = merge.isReversed
      if !merge.isReversed { store(theirs, over: mine, id, in: table) }
    case .entity(let entity) where entity.entityID == id:
      outcome = .other
      rows.combined.append(id)
      store(entity, over: mine, id, in: table)
    case .entity, .refuse: break
    }
    conflicts.append(RowConflict(conflict, outcome: outcome, rows.members))
    return keepsMine
  }

  private func store<Table: TableType>(
    _ new: Table.Entity?, over old: Table.Entity?, _ id: Table.Entity.EntityID,
    in table: UnsafeMutablePointer<Table>
  ) {
    if let new {
      table.pointee.insert(new)
    } else {
      table.pointee.remove(id)
    }
    transaction.rowChanged(from: old, to: new)
  }
}
