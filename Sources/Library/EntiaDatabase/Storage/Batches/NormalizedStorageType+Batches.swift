extension NormalizedStorageType {
  /// Changes the database atomically.
  ///
  /// ```swift
  /// try library.performBatchUpdates { context in
  ///   context.modifying.authors.insert(newAuthors)
  ///   context.modifying.books.updateIfExists(id: "b1") { $0.title = "Entia" }
  /// }
  /// ```
  ///
  /// - Returns: The result of the closure; return `context.problems` to read the ignored changes.
  /// - Throws: The error that the closure or `finalizeTransaction` throws, and
  ///   `BatchError.refused` with every rule that the batch violates. The database is then
  ///   unchanged.
  /// - Complexity: That of the closure's changes, plus O(changes · log *n*) to check the rules.
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

  /// Begins a batch whose changes are made outside a closure.
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
  /// - Returns: The changes of the batch, and the changes that were ignored.
  /// - Throws: `BatchError.stale` if the database changed since the batch began; otherwise the
  ///   errors of `performBatchUpdates`. The database is then unchanged.
  @discardableResult
  public mutating func commitBatchUpdates(
    _ batch: consuming BatchContext<Self>
  ) throws -> BatchReport<Self> {
    guard snapshot.isIdentical(to: batch.transaction.base) else {
      throw BatchError.stale(storage: String(describing: Self.self))
    }
    let before = snapshot
    try finish(&batch)
    return BatchReport(
      changes: StorageChangeSet(from: before, to: snapshot),
      problems: batch.problems)
  }

  /// Calls `finalizeTransaction`, checks the rules, and adopts the new version.
  @inlinable
  mutating func finish(_ context: inout BatchContext<Self>) throws {
    try finalizeTransaction(&context)
    if context.transaction.hasEarlyIDs { context.transaction.dropEarlyIDs() }
    if context.transaction.needsValidation { try context.transaction.validate() }
    snapshot = context.close()
  }
}

extension NormalizedStorageType where Refusal == Never {
  /// Changes the database atomically. Only the closure can refuse the batch.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws. The database is then unchanged.
  /// - Complexity: That of the closure's changes.
  @inlinable
  @discardableResult
  public mutating func performBatchUpdates<Result>(
    _ body: (inout BatchContext<Self>) throws -> Result
  ) rethrows -> Result {
    requireUnrefusable()
    var context = BatchContext(self)
    let result = try body(&context)
    finalizeTransaction(&context)
    if context.transaction.hasEarlyIDs { context.transaction.dropEarlyIDs() }
    snapshot = context.close()
    return result
  }

  /// Stops the process in the first batch of a hand-written storage if a rule can refuse a batch
  /// but the storage declares no `Refusal`. Otherwise, the rule would never be applied.
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

// These overloads return nothing. Without them, a batch whose closure ends in a removal would
// return the removed entity, and could not be the only expression of a closure that returns
// nothing.

extension NormalizedStorageType {
  /// Changes the database atomically, without a result.
  /// - Throws: The errors of `performBatchUpdates` with a result; the database is then unchanged.
  /// - Complexity: That of the closure's changes, plus O(changes · log *n*) to check the rules.
  @inlinable
  public mutating func performBatchUpdates(
    _ body: (inout BatchContext<Self>) throws -> Void
  ) throws {
    var context = BatchContext(self)
    try body(&context)
    try finish(&context)
  }
}

extension NormalizedStorageType where Refusal == Never {
  /// Changes the database atomically, without a result. Only the closure can refuse the batch.
  /// - Throws: The error that the closure throws. The database is then unchanged.
  /// - Complexity: That of the closure's changes.
  @inlinable
  public mutating func performBatchUpdates(
    _ body: (inout BatchContext<Self>) throws -> Void
  ) rethrows {
    requireUnrefusable()
    var context = BatchContext(self)
    try body(&context)
    finalizeTransaction(&context)
    if context.transaction.hasEarlyIDs { context.transaction.dropEarlyIDs() }
    snapshot = context.close()
  }
}

/// The result of a committed batch.
public struct BatchReport<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The changes of the database.
  public let changes: StorageChangeSet<Storage>
  /// The changes that were ignored, in the order in which they occurred.
  public let problems: [BatchProblem]
}
