// The operations of a set. The type is not a `SetAlgebra`, because two collections with the same
// IDs in different orders are not equal.
extension OrderedIDs {
  /// Returns these IDs, followed by the IDs of `other` that are not among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func union(_ other: some Sequence<ID>) -> Self {
    var result = self
    result.formUnion(other)
    return result
  }

  /// Appends the IDs of `other` that are not in this collection.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public mutating func formUnion(_ other: some Sequence<ID>) {
    for id in other { table.append(IdentifiedKey(id)) }
  }

  /// Returns the IDs that are also in `other`, in the order of this collection.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func intersection(_ other: some Sequence<ID>) -> Self {
    let other = Self(other)
    return filter { other.contains($0) }
  }

  /// Removes the IDs that are not in `other`.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public mutating func formIntersection(_ other: some Sequence<ID>) { self = intersection(other) }

  /// Returns the IDs that are not in `other`.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func subtracting(_ other: some Sequence<ID>) -> Self {
    var result = self
    result.subtract(other)
    return result
  }

  /// Removes the IDs that are in `other`.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public mutating func subtract(_ other: some Sequence<ID>) {
    for id in other { table.remove(IdentifiedKey(id)) }
  }

  /// Returns the IDs that are not in `other`, followed by the IDs of `other` that are not in this
  /// collection.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func symmetricDifference(_ other: some Sequence<ID>) -> Self {
    let other = Self(other)
    return filter { !other.contains($0) }.union(other.lazy.filter { !contains($0) })
  }

  /// Removes the IDs that are in `other`, and appends the IDs of `other` that were not in this
  /// collection.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k* log *n*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public mutating func formSymmetricDifference(_ other: some Sequence<ID>) {
    self = symmetricDifference(other)
  }
}

/// A sequence of distinct IDs. Its methods compare the IDs with other IDs regardless of the order,
/// in the same way as sets.
public protocol DistinctIDs<Element>: Sequence where Element: Hashable {
  /// Returns whether the sequence contains an ID.
  /// - Complexity: O(1) expected.
  func contains(_ id: Element) -> Bool
}

extension OrderedIDs: DistinctIDs {}

extension DistinctIDs {
  /// Whether all of these IDs are in `other`.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func isSubset(of other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return allSatisfy { other.contains($0) }
  }

  /// Whether all IDs of `other` are among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func isSuperset(of other: some Sequence<Element>) -> Bool {
    other.allSatisfy { contains($0) }
  }

  /// Whether no ID of `other` is among these IDs.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func isDisjoint(with other: some Sequence<Element>) -> Bool {
    !other.contains { contains($0) }
  }

  /// Whether `other` consists of exactly these IDs, in any order.
  /// - Parameter other: The other IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected, where *k* is the number of IDs in `other`.
  @inlinable
  public func isEqualSet(to other: some Sequence<Element>) -> Bool {
    let other = OrderedIDs(other)
    return isSuperset(of: other) && isSubset(of: other)
  }
}
