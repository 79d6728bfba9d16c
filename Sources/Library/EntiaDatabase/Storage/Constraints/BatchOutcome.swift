/// The result of a batch before it is committed.
public struct BatchOutcome<Storage: NormalizedStorageType>: Sendable {
  let base: Snapshot<Storage.Contents>
  let result: Snapshot<Storage.Contents>

  /// The changes of the batch.
  public let changes: Storage.ChangeSet

  init(from base: Snapshot<Storage.Contents>, to result: Snapshot<Storage.Contents>) {
    self.base = base
    self.result = result
    changes = StorageChangeSet(from: base, to: result)
  }

  /// The database before the batch.
  public var before: Storage { storage(base) }

  /// The database after the batch.
  public var after: Storage { storage(result) }

  private func storage(_ snapshot: Snapshot<Storage.Contents>) -> Storage {
    var storage = Storage()
    storage.snapshot = snapshot
    return storage
  }
}
