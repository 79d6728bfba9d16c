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

  /// Exchanges the IDs at two positions.
  /// - Precondition: Both positions are valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) { table.swapAt(first, second) }

  /// Reverses the order of the IDs.
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func reverse() { reorder { $0.reverse() } }

  /// Sorts the IDs. The sort is stable.
  /// - Parameter areInIncreasingOrder: Whether the first ID precedes the second.
  /// - Throws: The error of the predicate. The order is not changed then.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (ID, ID) throws -> Bool) rethrows {
    try reorder { try $0.sort { try areInIncreasingOrder($0.id, $1.id) } }
  }

  /// Reorders the IDs so that those that satisfy a predicate are last.
  /// - Parameter belongsInSecondPartition: Whether an ID is one of the last.
  /// - Returns: The position of the first ID that satisfies the predicate, or `endIndex`.
  /// - Throws: The error of the predicate. The order is not changed then.
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func partition(
    by belongsInSecondPartition: (ID) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition { try belongsInSecondPartition($0.id) } }
  }

  /// Rebuilds the table from its own keys, in the order that the closure puts them into.
  @inlinable
  mutating func reorder<Result>(
    _ body: (inout [IdentifiedKey<ID>]) throws -> Result
  ) rethrows -> Result {
    var keys = Array(table)
    let result = try body(&keys)
    table = Table(unchecked: keys)
    return result
  }
}

extension OrderedIDs where ID: Comparable {
  /// Sorts the IDs, the least first.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort() { sort(by: <) }
}
