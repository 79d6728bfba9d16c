public import EntiaDatabase

extension StoreScope {
  /// Returns an entity of a database in the part as a shape, as ``Store/resolve(_:of:in:)`` does.
  ///
  /// - Returns: The shape, or `nil` when there is no such entity.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Shape? where Shape.Storage == Storage {
    store.resolve(shape, of: id, in: wholePath(to: database))
  }
}
