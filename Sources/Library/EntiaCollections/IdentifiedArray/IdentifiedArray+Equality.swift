extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays hold equal elements in the same order; their key paths may differ.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.table == rhs.table }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  /// - Complexity: O(*n*).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension IdentifiedArray {
  /// Whether two arrays are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }
}
