/// What a batch works with: the database as it was, the database as it will be, and what changed.
///
/// Nothing of it is seen outside before the batch is committed, and nothing is left of it when the
/// batch throws.
public struct BatchContext<Storage: NormalizedStorageType>: ~Copyable {
  @usableFromInline let workspace: Workspace<Storage>

  /// The database as it was when the batch began.
  public let current: Storage

  @inlinable
  init(_ storage: Storage) {
    current = storage
    workspace = Workspace(storage.snapshot)
  }

  /// The tables, for reading and writing: `context.modifying.books.insert(book)`.
  ///
  /// Reads see what the batch has written and removed.
  @inlinable
  public var modifying: BatchTables<Storage> {
    @inline(__always)
    get { BatchTables(workspace) }
    @inline(__always)
    _modify {
      var tables = BatchTables(workspace)
      yield &tables
    }
  }

  /// What the batch has done so far.
  /// - Complexity: O(changes · log *n*).
  public var changes: Storage.ChangeSet { workspace.changes }

  /// The problems so far, which do not stop the batch; `finalizeTransaction` may.
  ///
  /// They include IDs that are held without their entities as the batch is now. At its end these are
  /// dropped unless their rows have been inserted.
  public var problems: [BatchProblem] {
    workspace.hasEarlyIDs ? workspace.problems + workspace.heldWithoutEntity : workspace.problems
  }

  /// Ends the batch without a trace.
  /// - Throws: `BatchError.aborted`, always.
  public func abort() throws(BatchError) -> Never { throw BatchError.aborted }
}
