public import EntiaDatabase

extension StoreScope {
  /// Changes a database in the part atomically, in one commit, like `Store.batch(_:_:_:)`.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ database: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) throws -> Result {
    try store.batch(wholePath(to: database), name, body)
  }

  /// Changes a database in the part atomically, in one commit. The database has no rule that can
  /// refuse a batch.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ database: WritableKeyPath<State, Storage>, _ name: String? = nil,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) rethrows -> Result where Storage.Refusal == Never {
    try store.batch(wholePath(to: database), name, body)
  }
}

extension StoreScope where State: NormalizedStorageType {
  /// Changes the part, which is a database, atomically in one commit.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil, _ body: (inout BatchTables<State>) throws -> Result
  ) throws -> Result {
    try store.batch(path, name, body)
  }

  /// Changes the part, which is a database, atomically in one commit. The database has no rule that
  /// can refuse a batch.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil, _ body: (inout BatchTables<State>) throws -> Result
  ) rethrows -> Result where State.Refusal == Never {
    try store.batch(path, name, body)
  }
}
