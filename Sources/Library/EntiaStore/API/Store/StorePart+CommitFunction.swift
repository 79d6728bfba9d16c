extension StorePart {
  /// Changes the state by a function value, like ``commit(_:context:fileID:line:_:)``:
  /// `store.commit(edit)`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func commit<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try commit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state by a function value, like ``tryCommit(_:context:fileID:line:_:)``: `try
  /// store.tryCommit(edit)`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  @discardableResult
  public func tryCommit<Result>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try tryCommit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, like ``commit(_:context:fileID:line:_:)``, and ignores the result of the
  /// closure. The last expression of the closure may therefore be a call with a result, such as a
  /// removal.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  public func commit(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Void
  ) rethrows {
    try commit(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, like ``tryCommit(_:context:fileID:line:_:)``, and ignores the result of the
  /// closure.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @inlinable
  public func tryCommit(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Void
  ) throws {
    try tryCommit(nil, fileID: fileID, line: line, body)
  }
}
