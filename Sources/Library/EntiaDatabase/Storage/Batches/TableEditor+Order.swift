public import EntiaCollections

// An ordered table in a batch. Keys do not depend on positions, so that moves require no update
// of relationships.
extension TableEditor {
  /// Returns the position of the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func index<Row>(of id: Row.EntityID) -> Int? where Table == Tables.Ordered<Row> {
    table.pointee.index(of: id)
  }

  /// Returns the entity at a position, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public func find<Row>(at position: Int) -> Row? where Table == Tables.Ordered<Row> {
    table.pointee.find(at: position)
  }

  /// Inserts an entity after all others, or replaces in place the entity with the same ID. This
  /// method is equivalent to `insert(_:)`.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func append<Row>(
    _ entity: Row
  ) -> InsertionResult<Row> where Table == Tables.Ordered<Row> { insert(entity) }

  /// Inserts entities after all others, in their order. An entity whose ID is in the table replaces
  /// the stored entity in place.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @inlinable
  @discardableResult
  public mutating func append<Row>(
    contentsOf entities: some Sequence<Row>
  ) -> [InsertionResult<Row>] where Table == Tables.Ordered<Row> { insert(entities) }

  /// Inserts an entity at a position, or replaces in place the entity with the same ID. Positions
  /// out of bounds are clamped.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert<Row>(
    _ entity: Row, at position: Int
  ) -> InsertionResult<Row> where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteOrder(of: Row.self) }
    return noted(table.pointee.insert(entity, at: position))
  }

  /// Inserts entities at a position, one after another. An entity whose ID is in the table replaces
  /// the stored entity in place. Positions out of bounds are clamped.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert<Row>(
    _ entities: some Sequence<Row>, at position: Int
  ) -> [InsertionResult<Row>] where Table == Tables.Ordered<Row> {
    var position = position.clamped(to: count)
    return entities.map { entity in
      let result = insert(entity, at: position)
      if result.outcome == .inserted { position += 1 }
      return result
    }
  }

  /// Removes the entity at a position, and the entities that the delete rules remove with it.
  /// - Returns: The removed entity, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*) for each affected row.
  @inlinable
  @discardableResult
  public mutating func remove<Row>(at position: Int) -> Row? where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteWrites(of: Row.self) }
    guard let removed = table.pointee.remove(at: position) else { return nil }
    transaction.rowsRemoved(CollectionOfOne(removed))
    return removed
  }

  /// Moves the entity with an ID to a position. Positions out of bounds are clamped.
  /// - Returns: Whether the table contains the entity; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, to position: Int
  ) -> Bool where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteOrder(of: Row.self) }
    return table.pointee.move(id, to: position)
  }

  /// Moves the entity with an ID directly before another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, before other: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteOrder(of: Row.self) }
    return table.pointee.move(id, before: other)
  }

  /// Moves the entity with an ID directly after another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, after other: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteOrder(of: Row.self) }
    return table.pointee.move(id, after: other)
  }

  /// Exchanges the places of the entities with two IDs.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func swap<Row>(
    _ first: Row.EntityID, _ second: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteOrder(of: Row.self) }
    return table.pointee.swap(first, second)
  }

  /// Moves the rows that a change set places, each next to its neighbors. A `Tables.Hash` stays as
  /// it is.
  package mutating func arrange(_ order: TableOrderChanges<Entity>) {
    if transaction.isNoting { transaction.noteOrder(of: Entity.self) }
    table.pointee.arrange(order)
  }

  /// Sorts the entities. The sort is stable.
  /// - Throws: The error that the predicate throws; the table is then unchanged.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort<Row>(
    by areInIncreasingOrder: (Row, Row) throws -> Bool
  ) rethrows where Table == Tables.Ordered<Row> {
    if transaction.isNoting { transaction.noteWrites(of: Row.self) }
    let before = table.pointee
    var sorted = before
    try sorted.sort(by: areInIncreasingOrder)
    if table.pointee.isIdentical(to: before) {
      table.pointee = sorted
    } else {
      // The closure wrote rows through another editor. To keep them, only the order is applied.
      table.pointee.arrange(sorted.changes(since: before).order)
    }
  }
}
