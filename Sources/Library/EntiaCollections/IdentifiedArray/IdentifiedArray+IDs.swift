extension IdentifiedArray {
  /// The type of the collection of IDs. It does not depend on the type of the elements.
  public typealias IDs = OrderedIDs<ID>

  /// The IDs of the elements, in their order. The collection is an independent value that does not
  /// keep the elements alive.
  ///
  /// The IDs are copied. To look up one ID, `contains(id:)` and `index(id:)` copy nothing.
  /// - Complexity: O(*n*), without hashing an ID.
  @inlinable
  public var ids: IDs { IDs(table: table.keys) }
}
