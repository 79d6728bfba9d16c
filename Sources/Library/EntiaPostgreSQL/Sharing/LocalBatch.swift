import EntiaDatabase

/// A local commit that the log has not confirmed.
struct LocalBatch<Storage: NormalizedStorageType>: Sendable {
  /// The number of the commit, which is that of its mutation in the log.
  let number: Int64
  /// The name of the commit.
  let name: String?
  /// The database before and after the commit. Both are rebased together.
  var old: Storage
  var new: Storage

  /// A description of the batch for the app.
  var shared: SharedBatch<Storage> {
    SharedBatch(name: name, changes: new.changes(since: old))
  }
}

/// A local batch that cannot follow the batches of other clients, and the reason.
struct RejectedBatch<Storage: NormalizedStorageType>: Sendable {
  let batch: LocalBatch<Storage>
  let error: any Error
  /// The changes of a batch that could not be applied at all.
  var changes: StorageChangeSet<Storage>?

  /// A description of the batch for the app.
  var shared: SharedBatch<Storage> {
    changes.map { SharedBatch(name: batch.name, changes: $0) } ?? batch.shared
  }
}
