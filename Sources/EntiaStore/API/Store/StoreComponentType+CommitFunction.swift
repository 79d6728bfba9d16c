extension StoreComponentType {
  /// Changes the state by a function value, like ``commit(_:_:)``: `store.commit(edit)`.
  ///
  /// - Parameter body: A closure that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try commit(nil, body)
  }

  /// Changes the state by a function value, like ``tryCommit(_:_:)``: `try store.tryCommit(edit)`.
  ///
  /// - Parameter body: A closure that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try tryCommit(nil, body)
  }
}
