public import EntiaCollections

// A table in an order of its own inside a batch. Keys do not name positions, so that relationships
// need no upkeep when rows only move.
extension TableEditor {
  /// Returns the position of the entity with an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func index<Row>(of id: Row.EntityID) -> Int? where Table == Tables.Ordered<Row> {
    table.pointee.index(of: id)
  }

  /// The entity at a position that is known to exist: unlike every other operation on positions, this
  /// one stops the process at a position out of bounds. For a position that may be stale, use
  /// `find(at:)`.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript<Row>(position position: Int) -> Row where Table == Tables.Ordered<Row> {
    table.pointee[position: position]
  }

  /// Returns the entity at a position, or `nil` when there is no such position.
  /// - Complexity: O(log *n*).
  @inlinable
  public func find<Row>(at position: Int) -> Row? where Table == Tables.Ordered<Row> {
    table.pointee.find(at: position)
  }

  /// Returns the entities at the positions of a range, in order; positions that there are not are
  /// skipped, so that a page behind the end is empty.
  /// - Complexity: O(*k* · log *n*) in the length of the range within the table.
  @inlinable
  public func find<Row>(at range: Range<Int>) -> [Row] where Table == Tables.Ordered<Row> {
    table.pointee.find(at: range)
  }

  /// Inserts an entity at a position, or replaces the one with its ID where that stands. Positions out
  /// of bounds are clamped.
  /// - Returns: What that did: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert<Row>(
    _ entity: Row, at position: Int
  ) -> InsertionResult<Row> where Table == Tables.Ordered<Row> {
    noted(table.pointee.insert(entity, at: position))
  }

  /// Inserts entities at a position, one behind the other; those whose IDs are there are replaced
  /// where they stand. Positions out of bounds are clamped.
  /// - Returns: What that did for each, in order.
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

  /// Removes the entity at a position, and what the delete rules say goes with it.
  /// - Returns: The removed entity, or `nil` when there is no such position.
  /// - Complexity: O(log *n*) for each row that is touched.
  @inlinable
  @discardableResult
  public mutating func remove<Row>(at position: Int) -> Row? where Table == Tables.Ordered<Row> {
    guard let removed = table.pointee.remove(at: position) else { return nil }
    workspace.rowsRemoved(CollectionOfOne(removed))
    return removed
  }

  /// Moves the entity with an ID, so that it is at a position afterwards. Positions out of bounds are
  /// clamped.
  /// - Returns: Whether there is such an entity; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, to position: Int
  ) -> Bool where Table == Tables.Ordered<Row> { table.pointee.move(id, to: position) }

  /// Moves the entity with an ID, so that it stands directly before another one.
  /// - Returns: whether there are both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, before other: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> { table.pointee.move(id, before: other) }

  /// Moves the entity with an ID, so that it stands directly behind another one.
  /// - Returns: whether there are both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func move<Row>(
    _ id: Row.EntityID, after other: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> { table.pointee.move(id, after: other) }

  /// Exchanges the places of the entities with two IDs.
  /// - Returns: whether there are both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func swap<Row>(
    _ first: Row.EntityID, _ second: Row.EntityID
  ) -> Bool where Table == Tables.Ordered<Row> { table.pointee.swap(first, second) }

  /// Brings rows to their positions; nothing in a table without an order of its own.
  package mutating func arrange(_ order: TableOrderChanges<Entity>) {
    table.pointee.arrange(order)
  }

  /// Sorts the entities; equal ones keep their order.
  /// - Throws: what the predicate throws; the table is then as it was.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort<Row>(
    by areInIncreasingOrder: (Row, Row) throws -> Bool
  ) rethrows where Table == Tables.Ordered<Row> {
    let before = table.pointee
    var sorted = before
    try sorted.sort(by: areInIncreasingOrder)
    if table.pointee.isIdentical(to: before) {
      table.pointee = sorted
    } else {
      // The closure wrote rows through another editor; they are kept.
      table.pointee.arrange(sorted.changes(since: before).order)
    }
  }
}
