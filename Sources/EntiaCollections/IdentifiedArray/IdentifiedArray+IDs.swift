extension IdentifiedArray {
  /// The type of the IDs of the elements: independent of the type of the elements.
  public typealias IDs = OrderedIDs<ID>

  /// The IDs of the elements, in their order: a value of its own, which does not keep the elements
  /// alive.
  ///
  /// The IDs are copied. To look up one ID, `contains(id:)` and `index(id:)` copy nothing.
  /// - Complexity: O(*n*), without hashing an ID.
  @inlinable
  public var ids: IDs { IDs(table: table.keys) }
}
