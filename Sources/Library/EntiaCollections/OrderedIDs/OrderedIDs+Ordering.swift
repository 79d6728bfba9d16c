// Methods that change the positions of IDs. No method replaces the ID at a position, because the
// collection may already contain the new ID at another position.
extension OrderedIDs {
  /// Appends the IDs of a sequence, in their order. IDs that the collection already contains are
  /// skipped.
  /// - Parameter ids: The IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected for *k* IDs.
  @inlinable
  public mutating func append(contentsOf ids: some Sequence<ID>) {
    for id in ids { append(id) }
  }

  /// Inserts an ID at a position, unless the collection contains it.
  /// - Parameters:
  ///   - id: The ID.
  ///   - position: The position.
  /// - Returns: Whether it was inserted, and its position.
  /// - Precondition: The position is valid, or `endIndex`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func insert(_ id: ID, at position: Int) -> (inserted: Bool, index: Int) {
    if let known = table.insert(IdentifiedKey(id), at: position) { return (false, known) }
    return (true, position)
  }

  /// Removes the ID at a position.
  /// - Returns: The removed ID.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> ID { table.remove(at: position).id }

  /// Moves an ID from one position to another.
  /// - Precondition: Both positions are valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func move(from position: Int, to target: Int) {
    table.move(from: position, to: target)
  }

  /// Sorts the IDs. The sort is stable.
  /// - Parameter areInIncreasingOrder: Whether the first ID precedes the second.
  /// - Throws: The error of the predicate. The order is not changed then.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (ID, ID) throws -> Bool) rethrows {
    var keys = Array(table)
    try keys.sort { try areInIncreasingOrder($0.id, $1.id) }
    table = Table(unchecked: keys)
  }
}

extension OrderedIDs where ID: Comparable {
  /// Sorts the IDs, the least first.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort() { sort(by: <) }
}
