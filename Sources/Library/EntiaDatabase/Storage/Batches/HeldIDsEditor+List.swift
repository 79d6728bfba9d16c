import EntiaCollections

// The mutating methods of a list. Positions out of bounds do not stop the process: insertions and
// moves clamp them, and removals ignore them.
extension HeldIDsEditor {
  /// Appends an ID.
  ///
  /// The entity may be inserted later in the batch. When it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether it was inserted; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func append<Entity>(_ id: ID) -> Bool where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.append(id)
    return true
  }

  /// Appends IDs in their order; IDs that are already in the list keep their places.
  ///
  /// The entities may be inserted later in the batch. When one is missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Complexity: O(*k* log *n*) in the number of IDs.
  public mutating func append<Entity>(contentsOf ids: some Sequence<ID>)
  where IDs == Indexes.OrderedID<Entity> {
    for id in ids { append(id) }
  }

  /// Inserts an ID at a position; positions out of bounds are clamped.
  ///
  /// The entity may be inserted later in the batch. When it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether it was inserted; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID, at position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.insert(id, at: position.clamped(to: held.pointee.count))
    return true
  }

  /// Inserts IDs at a position, in their order; positions out of bounds are clamped, and IDs that
  /// are already in the list keep their places.
  ///
  /// The entities may be inserted later in the batch. When one is missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Complexity: O(*k* log *n*) in the number of IDs.
  public mutating func insert<Entity>(contentsOf ids: some Sequence<ID>, at position: Int)
  where IDs == Indexes.OrderedID<Entity> {
    var position = position.clamped(to: held.pointee.count)
    for id in ids where insert(id, at: position) { position += 1 }
  }

  /// Moves an ID, so that it is at a position afterwards; positions out of bounds are clamped.
  /// - Returns: Whether it is in the list; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func move<Entity>(_ id: ID, to position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard let from = held.pointee.firstIndex(of: id) else { return false }
    held.pointee.table.move(from: from, to: position.clamped(to: held.pointee.count - 1))
    return true
  }

  /// Removes the ID at a position.
  /// - Returns: The removed ID, or `nil` when there is no such position.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove<Entity>(at position: Int) -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> {
    guard let id = held.pointee.find(at: position) else { return nil }
    held.pointee.remove(id)
    return id
  }

  /// Removes the first ID.
  /// - Returns: The removed ID, or `nil` when the list is empty.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func removeFirst<Entity>() -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> { remove(at: 0) }

  /// Removes the last ID.
  /// - Returns: The removed ID, or `nil` when the list is empty.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func removeLast<Entity>() -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> { remove(at: held.pointee.count - 1) }

  /// Removes the IDs in a range of positions; positions out of bounds are ignored.
  /// - Complexity: O(*k* + log *n*) in the number of IDs that are removed.
  public mutating func removeSubrange<Entity>(_ bounds: some RangeExpression<Int>)
  where IDs == Indexes.OrderedID<Entity> {
    let count = held.pointee.count
    if bounds.contains(Int.max) {
      // These bounds contain `Int.max`, which no `Range` does. They are open-ended, so they contain
      // a suffix of the positions, whose start is searched for.
      var (start, end) = (0, count)
      while start < end {
        let middle = start + (end - start) / 2
        if bounds.contains(middle) { end = middle } else { start = middle + 1 }
      }
      return held.pointee.table.removeSubrange(start..<count)
    }
    // Relative to all integers, because a range with only a lower bound may begin after the last
    // ID.
    let range = bounds.relative(to: Int.min..<Int.max)
    held.pointee.table.removeSubrange(range.clamped(to: 0..<count))
  }

  /// Returns the position of an ID, or `nil` when it is not in the list.
  /// - Complexity: O(log *n*) expected.
  public func firstIndex<Entity>(of id: ID) -> Int? where IDs == Indexes.OrderedID<Entity> {
    held.pointee.firstIndex(of: id)
  }

  /// Returns the position of an ID, or `nil` when it is not in the list. The same as
  /// `firstIndex(of:)`, because an ID occurs at most once.
  /// - Complexity: O(log *n*) expected.
  public func lastIndex<Entity>(of id: ID) -> Int? where IDs == Indexes.OrderedID<Entity> {
    held.pointee.firstIndex(of: id)
  }
}
