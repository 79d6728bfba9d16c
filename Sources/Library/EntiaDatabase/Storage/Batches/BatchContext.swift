/// The state of a batch: the database before the batch, the tables to modify, and the changes so
/// far.
///
/// No change is visible outside of the batch before the batch is committed, and none remains if the
/// batch throws.
public struct BatchContext<Storage: NormalizedStorageType>: ~Copyable {
  @usableFromInline var transaction: BatchTransaction<Storage>

  /// The database as it was when the batch began.
  public let current: Storage

  @inlinable
  init(_ storage: Storage) {
    current = storage
    transaction = BatchTransaction(storage.snapshot)
  }

  /// Ends the batch and returns the new version.
  @inlinable
  mutating func close() -> Snapshot<Storage.Contents> {
    // An editor that outlives the batch retains the transaction and could write to its contents.
    // The new version therefore takes over the memory of the contents only if no editor is left.
    let isUnique = isKnownUniquelyReferenced(&transaction)
    return transaction.close(isUnique: isUnique)
  }

  /// The tables, for reading and writing: `context.modifying.books.insert(book)`.
  ///
  /// Reads include the changes of the batch.
  @inlinable
  public var modifying: BatchTables<Storage> {
    @inline(__always)
    get { BatchTables(transaction) }
    @inline(__always)
    _modify {
      var tables = BatchTables(transaction)
      yield &tables
    }
  }

  /// The changes of the batch so far.
  /// - Complexity: O(changes · log *n*).
  public var changes: Storage.ChangeSet { transaction.changes }

  /// The problems so far. A problem does not stop the batch, but `finalizeTransaction` may throw if
  /// there are any.
  ///
  /// The problems include the IDs that are currently held without their entities. At the end of the
  /// batch, each of these IDs is dropped if its row has not been inserted.
  public var problems: [BatchProblem] {
    transaction.hasEarlyIDs
      ? transaction.problems + transaction.heldWithoutEntity : transaction.problems
  }

  /// Ends the batch without any effect.
  /// - Throws: `BatchError.aborted`, always.
  public func abort() throws(BatchError) -> Never { throw BatchError.aborted }
}

/// A change of a batch that was ignored.
public enum BatchProblem: Hashable, Sendable, CustomStringConvertible {
  /// An update changed an entity's ID; the row was left unchanged.
  case changedID(EntityLabel, to: EntityLabel)
  /// The entity of a held ID is missing at the end of the batch; the ID was dropped.
  case heldWithoutEntity(EntityLabel, part: String)

  /// A sentence that names the entity and the reason.
  public var description: String {
    switch self {
    case .changedID(let entity, let new):
      TableError.changedID(entity, to: new).description
    case .heldWithoutEntity(let entity, let part):
      "\(part) cannot hold \(entity), which does not exist"
    }
  }
}

/// The tables of a database inside a batch, by their names.
@frozen
@dynamicMemberLookup
public struct BatchTables<Storage: NormalizedStorageType> {
  @usableFromInline let transaction: BatchTransaction<Storage>

  @inlinable
  init(_ transaction: BatchTransaction<Storage>) { self.transaction = transaction }

  /// A table, for reading and writing.
  @inlinable
  public subscript<Table: TableType>(
    dynamicMember path: PartPath<Storage.Contents, Table>
  ) -> TableEditor<Storage, Table> {
    @inline(__always)
    get { TableEditor(transaction, transaction.contents.part(at: path)) }
    @inline(__always)
    _modify {
      var editor = TableEditor(transaction, transaction.contents.part(at: path))
      yield &editor
    }
  }

  /// An index in the current state of the batch.
  @inlinable
  public subscript<Index: IndexType>(
    dynamicMember path: any KeyPath<Storage.Contents, Index> & Sendable
  ) -> Index { transaction.contents.pointee[keyPath: path] }
}
