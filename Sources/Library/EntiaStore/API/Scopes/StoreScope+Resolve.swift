public import EntiaDatabase

extension StoreScope {
  /// Returns an entity of a database in the part as a shape, like `Store.resolve(_:of:in:)`.
  ///
  /// - Returns: The shape, or `nil` if the database does not contain the entity.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Shape? where Shape.Storage == Storage {
    store.resolve(shape, of: id, in: wholePath(to: database))
  }
}
