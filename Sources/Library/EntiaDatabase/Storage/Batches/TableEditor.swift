public import EntiaCollections

/// A table in a batch, with the reads and writes of a table. Writes also update the database's
/// relationships and apply its delete rules.
@frozen
public struct TableEditor<Storage: NormalizedStorageType, Table: TableType> {
  /// The type of the entities in the table.
  public typealias Entity = Table.Entity

  @usableFromInline let transaction: BatchTransaction<Storage>
  @usableFromInline let table: UnsafeMutablePointer<Table>

  @inlinable
  @inline(__always)
  init(_ transaction: BatchTransaction<Storage>, _ table: UnsafeMutablePointer<Table>) {
    precondition(transaction.isOpen, "the batch has ended")
    self.transaction = transaction
    self.table = table
  }

  /// The number of entities.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { table.pointee.count }

  /// Whether the table is empty.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { table.pointee.count == 0 }

  /// Returns the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func find(by id: Entity.EntityID) -> Entity? { table.pointee.find(by: id) }

  /// Returns the entities with the IDs, in the order of the IDs, without the missing ones.
  /// - Complexity: O(*k*) expected in the number of IDs.
  @inlinable
  public func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] {
    table.pointee.find(in: ids)
  }

  /// Whether the table contains an entity with an ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: Entity.EntityID) -> Bool { table.pointee.contains(id) }

  /// Returns all IDs, in the table's order.
  /// - Complexity: O(*n*).
  @inlinable
  public func allIDs() -> [Entity.EntityID] { table.pointee.map { $0.entityID } }

  /// Returns all entities, in the table's order.
  /// - Complexity: O(*n*).
  @inlinable
  public func allEntities() -> [Entity] { Array(table.pointee) }
}

extension TableEditor {
  /// Inserts an entity, or replaces in place the entity with the same ID.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> InsertionResult<Entity> {
    noted(table.pointee.insert(entity))
  }

  /// Updates the relationships and indexes after an insertion.
  @inlinable
  @inline(__always)
  func noted(_ result: InsertionResult<Entity>) -> InsertionResult<Entity> {
    if transaction.isNoting { transaction.noteWrite(result.entityID) }
    switch result.outcome {
    case .inserted:
      if transaction.isNoting { transaction.noteInsertion(result.entityID) }
      transaction.rowChanged(from: nil, to: result.entity)
    case .replaced(let old): transaction.rowChanged(from: old, to: result.entity)
    case .unchanged: break
    }
    return result
  }

  /// Inserts entities, or replaces in place the entities with the same IDs.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>
  ) -> [InsertionResult<Entity>] {
    // Only a contiguous sequence is passed to `fill`. Iterating over any other sequence may run
    // code that reads the table while the table is filled.
    let results = entities.withContiguousStorageIfAvailable { rows in
      if !isFillable { return nil as [InsertionResult<Entity>]? }
      var results: [InsertionResult<Entity>] = []
      results.reserveCapacity(rows.count)
      fill(rows) { results.append($0) }
      return results
    }
    return (results ?? nil) ?? entities.map { insert($0) }
  }

  /// Whether `fill` can be used: the table is a `Tables.Hash` that has not allocated memory, and
  /// the batch does not note rows.
  @inlinable
  package var isFillable: Bool {
    !Table.isOrdered && !transaction.isNoting
      && UnsafeRawPointer(table).assumingMemoryBound(to: Tables.Hash<Entity>.self)
        .pointee.rows.isFillable
  }

  /// Inserts entities into a table whose `isFillable` is `true`.
  /// - Parameters:
  ///   - entities: The entities, in a sequence that does not read the table.
  ///   - report: Called with the outcome for each entity.
  @inlinable
  package func fill(
    _ entities: some Sequence<Entity>, _ report: (InsertionResult<Entity>) -> Void
  ) {
    let hash = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Tables.Hash<Entity>.self)
    // `ToOne` relationships are updated for all inserted rows at once: before the first replacement
    // of a row, or at the end if no row is replaced. After the first replacement, `noted` updates
    // the relationships for each row.
    var isFilling = true
    hash.pointee.rows.fill(
      entities,
      inserted: { stored in
        let result = InsertionResult(entity: stored.pointee, outcome: .inserted)
        if isFilling {
          transaction.rowInserted(stored)
          report(result)
        } else {
          report(noted(result))
        }
      },
      replace: { rows, entity in
        if isFilling { transaction.tableFilled(rows) }
        isFilling = false
        report(noted(Tables.Hash.insert(entity, into: &rows)))
      })
    if isFilling { transaction.tableFilled(hash.pointee.rows) }
  }

  /// Changes the entity with an ID.
  /// - Returns: The updated entity.
  /// - Throws: `TableError.notFound` if no entity has the ID, `TableError.changedID` if the closure
  ///   changes the ID, and the error that the closure throws. The row is then unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    if transaction.isNoting { transaction.noteWrite(id) }
    switch try table.pointee.stageUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .unchanged(let entity):
      // The closure may have removed the row through another editor.
      guard table.pointee.contains(id) else { throw TableError.notFound(EntityLabel(id)) }
      return entity
    case .changed(_, let entity):
      guard replace(by: entity) else { throw TableError.notFound(EntityLabel(id)) }
      return entity
    }
  }

  /// Changes the entity with an ID, if the table contains one.
  /// - Returns: The updated entity; `nil` if no entity has the ID or the closure changes the ID. A
  ///   changed ID leaves the row unchanged, and the batch's `problems` list the change.
  /// - Throws: The error that the closure throws; the row is then unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    if transaction.isNoting { transaction.noteWrite(id) }
    switch try table.pointee.stageUpdate(id: id, body) {
    case .missing: return nil
    case .changedID(let new):
      transaction.problems.append(.changedID(EntityLabel(id), to: EntityLabel(new)))
      return nil
    case .unchanged(let entity):
      return table.pointee.contains(id) ? entity : nil
    case .changed(_, let entity):
      return replace(by: entity) ? entity : nil
    }
  }

  /// Changes every entity that the predicate accepts. If the closure changes the ID of an entity,
  /// the entity stays as it was, and the batch's `problems` list the change.
  /// - Returns: The new values of the changed entities, in the table's order.
  /// - Throws: The error that a closure throws; the table is then unchanged.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func update(
    where predicate: (Entity) throws -> Bool, _ body: (inout Entity) throws -> Void
  ) rethrows -> [Entity] {
    if transaction.isNoting { transaction.noteWrites(of: Entity.self) }
    var updated: [Entity] = []
    var problems: [BatchProblem] = []
    for entity in table.pointee where try predicate(entity) {
      var changed = entity
      try body(&changed)
      if changed.entityID != entity.entityID {
        problems.append(
          .changedID(EntityLabel(entity.entityID), to: EntityLabel(changed.entityID)))
      } else if !haveSameValue(changed, entity) {
        updated.append(changed)
      }
    }
    transaction.problems += problems
    return updated.filter { replace(by: $0) }
  }

  /// Removes the entity with an ID, and the entities that the delete rules remove with it.
  /// - Returns: The removed entity, or `nil` when no entity has the ID.
  /// - Complexity: O(log *n*) for each affected row, and O(*k*) for each list of *k* IDs that
  ///   contains the ID. To remove several IDs, use `remove(ids)`, which writes each list once.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? {
    if transaction.isNoting { transaction.noteWrite(id) }
    guard let removed = table.pointee.remove(id) else { return nil }
    transaction.rowsRemoved(CollectionOfOne(removed))
    return removed
  }

  /// Removes the entities with the IDs, and the entities that the delete rules remove with them.
  /// - Returns: The removed entities that have one of the IDs, in the order of the IDs.
  /// - Complexity: O(log *n*) for each affected row.
  @inlinable
  @discardableResult
  public mutating func remove(_ ids: some Sequence<Entity.EntityID>) -> [Entity] {
    // Read once, because a removal without further effects takes little longer than the reading.
    let isNoting = transaction.isNoting
    let removed = ids.compactMap { id in
      if isNoting { transaction.noteWrite(id) }
      return table.pointee.remove(id)
    }
    transaction.rowsRemoved(removed)
    return removed
  }

  /// Removes every entity that the predicate accepts, and the entities that the delete rules
  /// remove with them.
  /// - Returns: The removed entities that the predicate accepts, in the table's order.
  /// - Throws: The error that the predicate throws; the table is then unchanged.
  /// - Complexity: O(*n*), plus O(log *n*) for each affected row.
  @inlinable
  @discardableResult
  public mutating func remove(where predicate: (Entity) throws -> Bool) rethrows -> [Entity] {
    if transaction.isNoting { transaction.noteWrites(of: Entity.self) }
    let accepted = try table.pointee.filter(predicate)
    return remove(accepted.map { $0.entityID })
  }

  /// Removes every entity, and the entities that the delete rules remove with them.
  /// - Complexity: O(log *n*) for each affected row.
  @inlinable
  public mutating func removeAll() {
    if transaction.isNoting { transaction.noteWrites(of: Entity.self) }
    remove(allIDs())
  }

  @inlinable
  @inline(__always)
  mutating func replace(by new: Entity) -> Bool {
    // The closure may have removed the row, or changed it, through another editor.
    guard let old = table.pointee.replace(new) else { return false }
    transaction.rowChanged(from: old, to: new)
    return true
  }
}

extension TableEditor {
  /// The entity with an ID, or `nil`, for reading and writing.
  ///
  /// ```swift
  /// context.modifying.books["b1"]?.title = "Entia"   // no effect if the book is missing
  /// context.modifying.books["b1"] = nil              // removed, following the delete rules
  /// ```
  ///
  /// The new value is stored when the access ends. A row that was removed during the access stays
  /// removed. If the assigned entity has another ID, the row stays unchanged, and the batch's
  /// `problems` list the change.
  /// - Complexity: O(1) expected for reading, O(log *n*) for writing.
  @inlinable
  public subscript(id: Entity.EntityID) -> Entity? {
    @inline(__always)
    get { table.pointee.find(by: id) }
    _modify {
      // A copy, because the memory of the row must not be written while another editor may move it.
      let old = table.pointee.find(by: id)
      var row = old
      defer { assign(row, over: old, id) }
      yield &row
    }
  }

  @inlinable
  mutating func assign(_ new: Entity?, over old: Entity?, _ id: Entity.EntityID) {
    if transaction.isNoting { transaction.noteWrite(id) }
    guard let new else {
      if old != nil { remove(id) }
      return
    }
    guard new.hasID(id) else {
      transaction.problems.append(.changedID(EntityLabel(id), to: EntityLabel(new.entityID)))
      return
    }
    guard let old else {
      insert(new)
      return
    }
    if haveSameValue(new, old) {
      EqualityAudit.check(old, new)
    } else {
      _ = replace(by: new)
    }
  }
}
