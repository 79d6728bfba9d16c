extension NormalizedStorageType {
  /// Changes the database, all or nothing.
  ///
  /// ```swift
  /// try library.performBatchUpdates { context in
  ///   context.modifying.authors.insert(newAuthors)
  ///   context.modifying.books.updateIfExists(id: "b1") { $0.title = "Entia" }
  /// }
  /// ```
  ///
  /// - Returns: what the closure returns; return `context.problems` to hear what was passed over.
  /// - Throws: what the closure or `finalizeTransaction` throws, and `BatchError.refused` with every
  ///   rule that the batch would break. The database is then as it was.
  /// - Complexity: that of the closure's changes, and O(changes · log *n*) for judging them.
  @inlinable
  @discardableResult
  public mutating func performBatchUpdates<Result>(
    _ body: (inout BatchContext<Self>) throws -> Result
  ) throws -> Result {
    var context = BatchContext(self)
    let result = try body(&context)
    try finish(&context)
    return result
  }

  /// Begins a batch whose changes are made outside of a closure.
  ///
  /// ```swift
  /// var batch = library.beginBatchUpdates()
  /// batch.modifying.authors.insert(author)
  /// try library.commitBatchUpdates(batch)
  /// ```
  ///
  /// - Complexity: O(1).
  @inlinable
  public func beginBatchUpdates() -> BatchContext<Self> { BatchContext(self) }

  /// Commits a batch.
  /// - Returns: what the batch did, and what it passed over.
  /// - Throws: `BatchError.stale` when the database changed since the batch began, and otherwise as
  ///   `performBatchUpdates`. The database is then as it was.
  @discardableResult
  public mutating func commitBatchUpdates(
    _ batch: consuming BatchContext<Self>
  ) throws -> BatchReport<Self> {
    guard snapshot.isIdentical(to: batch.workspace.base) else {
      throw BatchError.stale(storage: String(describing: Self.self))
    }
    let before = snapshot
    try finish(&batch)
    return BatchReport(
      changes: StorageChangeSet(from: before, to: snapshot),
      problems: batch.problems)
  }

  /// Asks the hook and the rules, and takes over what the batch made.
  @inlinable
  mutating func finish(_ context: inout BatchContext<Self>) throws {
    try finalizeTransaction(&context)
    if context.workspace.hasEarlyIDs { context.workspace.dropEarlyIDs() }
    if context.workspace.needsJudgement { try context.workspace.judge() }
    snapshot = context.workspace.close()
  }
}

extension NormalizedStorageType where Refusal == Never {
  /// Changes the database, all or nothing; nothing but the closure can refuse.
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws. The database is then as it was.
  /// - Complexity: that of the closure's changes.
  @inlinable
  @discardableResult
  public mutating func performBatchUpdates<Result>(
    _ body: (inout BatchContext<Self>) throws -> Result
  ) rethrows -> Result {
    requireUnrefusable()
    var context = BatchContext(self)
    let result = try body(&context)
    finalizeTransaction(&context)
    if context.workspace.hasEarlyIDs { context.workspace.dropEarlyIDs() }
    snapshot = context.workspace.close()
    return result
  }

  /// Stops at the first batch ever run when a hand-written storage has a rule that can refuse and
  /// does not declare it: the rule would never be applied.
  @inlinable
  func requireUnrefusable() {
    if let part = snapshot.box.layout.refusingPart { Self.stop(becauseOf: part) }
  }

  @usableFromInline
  @inline(never)
  static func stop(becauseOf part: String) -> Never {
    preconditionFailure(
      "\(part), which can refuse a batch of \(Self.self); declare 'typealias Refusal = any Error' in "
        + "\(Self.self), so that its batches throw")
  }
}
