// The operations of a set. The type is not a `SetAlgebra`, because two collections with the same
// IDs in different orders are not equal.
extension OrderedIDs {
  /// Returns these IDs, followed by the other IDs that are not among them.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public func union(_ other: some Sequence<ID>) -> Self {
    var result = self
    result.formUnion(other)
    return result
  }

  /// Appends the other IDs that are not among these.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public mutating func formUnion(_ other: some Sequence<ID>) {
    for id in other { table.append(IdentifiedKey(id)) }
  }

  /// Returns the IDs that are also among the others, in the order of this collection.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public func intersection(_ other: some Sequence<ID>) -> Self {
    let other = Self(other)
    return filter { other.contains($0) }
  }

  /// Removes the IDs that are not among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public mutating func formIntersection(_ other: some Sequence<ID>) { self = intersection(other) }

  /// Returns the IDs that are not among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public func subtracting(_ other: some Sequence<ID>) -> Self {
    var result = self
    result.subtract(other)
    return result
  }

  /// Removes the IDs that are among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public mutating func subtract(_ other: some Sequence<ID>) {
    for id in other { table.remove(IdentifiedKey(id)) }
  }

  /// Returns these IDs without the others, followed by the others without these.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public func symmetricDifference(_ other: some Sequence<ID>) -> Self {
    let other = Self(other)
    return filter { !other.contains($0) }.union(other.lazy.filter { !contains($0) })
  }

  /// Removes the IDs that are among the others, and appends the others that are not among these.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k* log *n*) expected, where *k* is the number of the others.
  @inlinable
  public mutating func formSymmetricDifference(_ other: some Sequence<ID>) {
    self = symmetricDifference(other)
  }
}

/// Distinct IDs, which are compared with others as sets, in any order.
public protocol DistinctIDs<Element>: Sequence where Element: Hashable {
  /// Returns whether an ID is among these.
  /// - Complexity: O(1) expected.
  func contains(_ id: Element) -> Bool
}

extension OrderedIDs: DistinctIDs {}

extension DistinctIDs {
  /// Whether all of these IDs are among the others.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public func isSubset(of other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return allSatisfy { other.contains($0) }
  }

  /// Whether all of the others are among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of the others.
  @inlinable
  public func isSuperset(of other: some Sequence<Element>) -> Bool {
    other.allSatisfy { contains($0) }
  }

  /// Whether all of these IDs are among the others, and the others contain more IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public func isStrictSubset(of other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return isSubset(of: other) && !isSuperset(of: other)
  }

  /// Whether all of the others are among these IDs, and these contain more IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public func isStrictSuperset(of other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return isSuperset(of: other) && !isSubset(of: other)
  }

  /// Whether none of the others is among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of the others.
  @inlinable
  public func isDisjoint(with other: some Sequence<Element>) -> Bool {
    !other.contains { contains($0) }
  }

  /// Whether the others are the same IDs, in any order.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of the others.
  @inlinable
  public func isEqualSet(to other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return isSuperset(of: other) && isSubset(of: other)
  }
}
