// Unavailable methods whose message leads to the batch. They are found only where a table cannot be
// changed: where it is a property of a storage, or a constant.

extension TableType {
  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func insert(_ entity: Entity) -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func insert(_ entities: some Sequence<Entity>) -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func append(_ entity: Entity) -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func remove(_ id: Entity.EntityID) -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func removeAll() -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func updateIfExists(id: Entity.EntityID, _ body: (inout Entity) throws -> Void) -> Never {
    preconditionFailure("this method is unavailable")
  }

  /// Unavailable: the tables of a storage are changed in a batch.
  @available(
    *, unavailable,
    message: "the tables of a storage are changed in 'performBatchUpdates' or 'store.batch'"
  )
  public func updateExists(id: Entity.EntityID, _ body: (inout Entity) throws -> Void) -> Never {
    preconditionFailure("this method is unavailable")
  }
}
