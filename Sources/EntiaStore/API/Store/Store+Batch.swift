public import EntiaDatabase

extension Store {
  /// Changes a database in the state, all or nothing, as one commit.
  ///
  /// ```swift
  /// try store.batch(\.library) { $0.posts.insert(post) }
  /// ```
  ///
  /// The same as `performBatchUpdates` inside ``commit(_:_:)``, with the tables as the closure's
  /// argument.
  ///
  /// - Parameters:
  ///   - path: Where in the state the database is.
  ///   - name: A name for the change; observers find it in ``Changes/commitName``.
  ///   - body: Changes rows through the tables.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure or `finalizeTransaction` throws, and `BatchError.refused` with every
  ///   rule that the batch would break; the state is then as it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) throws -> Result {
    try commit(name) { state in
      try state[keyPath: path].performBatchUpdates { try body(&$0.modifying) }
    }
  }

  /// Changes a database in the state, all or nothing, as one commit; none of its rules can refuse.
  ///
  /// - Parameters:
  ///   - path: Where in the state the database is.
  ///   - name: A name for the change; observers find it in ``Changes/commitName``.
  ///   - body: Changes rows through the tables.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the state is then as it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) rethrows -> Result where Storage.Refusal == Never {
    try commit(name) { state in
      try state[keyPath: path].performBatchUpdates { try body(&$0.modifying) }
    }
  }
}

extension Store where State: NormalizedStorageType {
  /// Changes the database that the state is, all or nothing, as one commit.
  ///
  /// - Parameters:
  ///   - name: A name for the change; observers find it in ``Changes/commitName``.
  ///   - body: Changes rows through the tables.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure or `finalizeTransaction` throws, and `BatchError.refused` with every
  ///   rule that the batch would break; the state is then as it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil, _ body: (inout BatchTables<State>) throws -> Result
  ) throws -> Result {
    try batch(\.self, name, body)
  }

  /// Changes the database that the state is, all or nothing, as one commit; none of its rules can
  /// refuse.
  ///
  /// - Parameters:
  ///   - name: A name for the change; observers find it in ``Changes/commitName``.
  ///   - body: Changes rows through the tables.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the state is then as it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil, _ body: (inout BatchTables<State>) throws -> Result
  ) rethrows -> Result where State.Refusal == Never {
    try batch(\.self, name, body)
  }
}

extension StoreComponentType {
  /// Changes a database in the state of the store, as ``Store/batch(_:_:_:)`` does.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure or the database's rules throw; the state is then as it was, and no
  ///   observer is notified.
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) throws -> Result {
    try store.batch(path, name, body)
  }

  /// Changes a database in the state of the store, as ``Store/batch(_:_:_:)`` does; none of its rules
  /// can refuse.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the state is then as it was, and no observer is notified.
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) rethrows -> Result where Storage.Refusal == Never {
    try store.batch(path, name, body)
  }
}
