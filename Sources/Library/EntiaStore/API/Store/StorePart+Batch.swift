public import EntiaDatabase

extension StorePart {
  /// Changes a database in the state atomically, in one commit.
  ///
  /// ```swift
  /// try store.batch(\.library) { $0.posts.insert(post) }
  /// ```
  ///
  /// This is `performBatchUpdates` inside ``commit(_:context:coalescing:fileID:line:_:)``, with the
  /// tables as the closure's argument.
  ///
  /// - Parameters:
  ///   - path: The key path of the database in the state.
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that changes rows through the tables.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) throws -> Result {
    register(path)
    return try commit(name, fileID: fileID, line: line) { state in
      try state[keyPath: path].performBatchUpdates { try body(&$0.modifying) }
    }
  }

  /// Changes a database in the state atomically, in one commit. This overload is for databases
  /// without rules that can refuse a batch.
  ///
  /// - Parameters:
  ///   - path: The key path of the database in the state.
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that changes rows through the tables.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Storage: NormalizedStorageType, Result>(
    _ path: WritableKeyPath<State, Storage>, _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Result
  ) rethrows -> Result where Storage.Refusal == Never {
    register(path)
    return try commit(name, fileID: fileID, line: line) { state in
      try state[keyPath: path].performBatchUpdates { try body(&$0.modifying) }
    }
  }

  /// Changes a database in the state. This overload takes a function as its last argument, instead
  /// of a trailing closure: `try store.batch(\.library, edit)`.
  ///
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  public func batch<Storage: NormalizedStorageType>(
    _ path: WritableKeyPath<State, Storage>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Void
  ) throws {
    try batch(path, nil, fileID: fileID, line: line, body)
  }

  /// Changes a database in the state. This overload takes a function as its last argument, instead
  /// of a trailing closure: `try store.batch(\.library, edit)`. The overload is for databases
  /// without rules that can refuse a batch.
  ///
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  public func batch<Storage: NormalizedStorageType>(
    _ path: WritableKeyPath<State, Storage>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<Storage>) throws -> Void
  ) rethrows where Storage.Refusal == Never {
    try batch(path, nil, fileID: fileID, line: line, body)
  }
}

extension StorePart {
  /// Registers a database, so that undo and layers merge commits that change only databases,
  /// instead of replaying them.
  @usableFromInline
  func register<Storage: NormalizedStorageType>(_ path: WritableKeyPath<State, Storage>) {
    let start: WritableKeyPath<Whole, State> = pathInStore
    // The key path of a store's own state is the identity. Appending to it would allocate memory
    // for each batch.
    if Whole.self == State.self, start == \Whole.self {
      let whole = unsafeDowncast(path, to: WritableKeyPath<Whole, Storage>.self)
      return store.core.databases.add(stored: whole, isLiteral: true)
    }
    store.core.databases.add(stored: start.appending(path: path), isLiteral: false)
  }
}

extension StorePart where State: NormalizedStorageType {
  /// Changes the state, which is a database, atomically in one commit.
  ///
  /// - Parameters:
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that changes rows through the tables.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Result
  ) throws -> Result {
    try batch(\.self, name, fileID: fileID, line: line, body)
  }

  /// Changes the state, which is a database, atomically in one commit. This overload is for
  /// databases without rules that can refuse a batch.
  ///
  /// - Parameters:
  ///   - name: A name for the change, which observers read in ``Changes/commitName``.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that changes rows through the tables.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @inlinable
  @discardableResult
  public func batch<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Result
  ) rethrows -> Result where State.Refusal == Never {
    try batch(\.self, name, fileID: fileID, line: line, body)
  }

  /// Changes the state, which is a database. This overload takes a function as its argument,
  /// instead of a trailing closure: `try store.batch(edit)`.
  ///
  /// - Throws: The error of the closure or of `finalizeTransaction`; `BatchError.refused` with
  ///   every rule that the batch would violate. The state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  public func batch(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Void
  ) throws {
    try batch(nil, fileID: fileID, line: line, body)
  }

  /// Changes the state, which is a database. This overload takes a function as its argument,
  /// instead of a trailing closure: `try store.batch(edit)`. The overload is for databases without
  /// rules that can refuse a batch.
  ///
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is
  ///   notified.
  @inlinable
  public func batch(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout BatchTables<State>) throws -> Void
  ) rethrows where State.Refusal == Never {
    try batch(nil, fileID: fileID, line: line, body)
  }
}
