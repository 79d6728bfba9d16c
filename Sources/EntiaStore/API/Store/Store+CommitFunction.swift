extension Store {
  /// Changes the state by a function value, as ``commit(_:_:)`` does: `store.commit(edit)`.
  ///
  /// - Parameter body: Edits the state.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws; the state is then as it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try commit(nil, body)
  }

  /// Changes the state by a function value, as ``tryCommit(_:_:)`` does: `try store.tryCommit(edit)`.
  ///
  /// - Parameter body: Edits the state.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws, or what a ``StoreMiddleware`` throws; the state is then as
  ///   it was, and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try tryCommit(nil, body)
  }
}

extension StoreComponentType {
  /// Changes the state of the store by a function value, as ``Store/commit(_:)`` does.
  ///
  /// - Parameter body: Edits the state.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws; the state is then as it was, and no observer is notified.
  @discardableResult
  public func commit<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try store.commit(nil, body)
  }
}

extension StoreScope {
  /// Changes the part by a function value, as ``Store/commit(_:)`` changes the whole.
  ///
  /// - Parameter body: Edits the part.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws; the state is then as it was, and no observer is notified.
  @discardableResult
  public func commit<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try commit(nil, body)
  }
}
