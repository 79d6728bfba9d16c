import EntiaCollections

// The mutating methods of a set. A list has the set algebra too, and inserts at its end.
extension HeldIDsEditor {
  /// Inserts an ID into the set.
  ///
  /// The entity may be inserted later in the batch. When it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether it was inserted; `false` when it is already in the set.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID) -> Bool where IDs == Indexes.Set<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.updateOrInsert(id)
    return true
  }

  /// Inserts the IDs that are not held.
  ///
  /// The entities may be inserted later in the batch. When one is missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) in the number of the others.
  public mutating func formUnion(_ other: some Sequence<ID>) {
    for id in other where accepts(id) { held.pointee.insert(id) }
  }

  /// Removes the IDs that are not among the others.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected in the number of the others, and O(log *n*) for each ID
  ///   that is removed.
  public mutating func formIntersection(_ other: some Sequence<ID>) {
    let kept = Swift.Set(other)
    removeAll { !kept.contains($0) }
  }

  /// Removes the IDs that are among the others.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) in the number of the others.
  public mutating func subtract(_ other: some Sequence<ID>) {
    for id in other { held.pointee.remove(id) }
  }

  /// Removes the IDs that are among the others, and inserts the others.
  ///
  /// The entities may be inserted later in the batch. When one is missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Parameter other: The IDs; one that repeats counts once.
  /// - Complexity: O(*k* log *n*) in the number of the others.
  public mutating func formSymmetricDifference(_ other: some Sequence<ID>) {
    let before = held.pointee
    for id in other {
      if before.contains(id) { held.pointee.remove(id) } else { formUnion(CollectionOfOne(id)) }
    }
  }
}
