// The set algebra of held IDs as values. `HeldIDsEditor` changes the held IDs of a database.
extension HeldIDs {
  /// Returns these IDs, followed by the others that are not among them.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  public func union(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other { result.insert(id) }
    return result
  }

  /// Returns the IDs that are among the others too.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* + *n* log *n*) expected, where *k* is the number of the others.
  public func intersection(_ other: some Sequence<Entity.EntityID>) -> Self {
    let other = Swift.Set(other)
    var result = self
    for id in self where !other.contains(id) { result.remove(id) }
    return result
  }

  /// Returns the IDs that are not among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  public func subtracting(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other { result.remove(id) }
    return result
  }

  /// Returns the IDs that are not among the others, followed by the others that are not among
  /// these.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  public func symmetricDifference(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other {
      if contains(id) { result.remove(id) } else { result.insert(id) }
    }
    return result
  }

  /// Whether every ID is among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  public func isSubset(of other: some Sequence<Entity.EntityID>) -> Bool {
    let other = Swift.Set(other)
    return allSatisfy { other.contains($0) }
  }

  /// Whether each of the others is among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of the others.
  public func isSuperset(of other: some Sequence<Entity.EntityID>) -> Bool {
    other.allSatisfy { contains($0) }
  }

  /// Whether every ID is among the others, and some of the others are not among these.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  public func isStrictSubset(of other: some Sequence<Entity.EntityID>) -> Bool {
    let other = Swift.Set(other)
    return allSatisfy { other.contains($0) } && !isSuperset(of: other)
  }

  /// Whether each of the others is among these IDs, and some of these are not among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  public func isStrictSuperset(of other: some Sequence<Entity.EntityID>) -> Bool {
    let other = Swift.Set(other)
    return isSuperset(of: other) && !allSatisfy { other.contains($0) }
  }

  /// Whether none of the others is among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of the others.
  public func isDisjoint(with other: some Sequence<Entity.EntityID>) -> Bool {
    !other.contains { contains($0) }
  }

  /// Whether the others are these IDs, in any order.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  public func isEqualSet(to other: some Sequence<Entity.EntityID>) -> Bool {
    let other = Swift.Set(other)
    return isSuperset(of: other) && allSatisfy { other.contains($0) }
  }
}
