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
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) throws -> Result {
    try store.batch(wholePath(to: database), name, fileID: fileID, line: line, body)
  }

  /// Changes a database in the part atomically, in one commit. The database has no rule that can
  /// refuse a batch.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ database: WritableKeyPath<State, Storage>, _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) rethrows -> Result where Storage.Refusal == Never {
    try store.batch(wholePath(to: database), name, fileID: fileID, line: line, body)
  }

  /// Changes a database in the part by a function value: `try scope.batch(\.library, edit)`.
  ///
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  public func batch<Storage: NormalizedStorageType>(
    _ database: WritableKeyPath<State, Storage>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Void
  ) throws {
    try batch(database, nil, fileID: fileID, line: line, body)
  }

  /// Changes a database in the part by a function value: `try scope.batch(\.library, edit)`. The
  /// database has no rule that can refuse a batch.
  ///
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is
  ///   notified.
  public func batch<Storage: NormalizedStorageType>(
    _ database: WritableKeyPath<State, Storage>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Void
  ) rethrows where Storage.Refusal == Never {
    try batch(database, nil, fileID: fileID, line: line, body)
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
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Result
  ) throws -> Result {
    try store.batch(path, name, fileID: fileID, line: line, body)
  }

  /// Changes the part, which is a database, atomically in one commit. The database has no rule that
  /// can refuse a batch.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Result
  ) rethrows -> Result where State.Refusal == Never {
    try store.batch(path, name, fileID: fileID, line: line, body)
  }

  /// Changes the part, which is a database, by a function value: `try scope.batch(edit)`.
  ///
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  public func batch(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Void
  ) throws {
    try batch(nil, fileID: fileID, line: line, body)
  }

  /// Changes the part, which is a database, by a function value: `try scope.batch(edit)`. The
  /// database has no rule that can refuse a batch.
  ///
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is
  ///   notified.
  public func batch(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Void
  ) rethrows where State.Refusal == Never {
    try batch(nil, fileID: fileID, line: line, body)
  }
}
