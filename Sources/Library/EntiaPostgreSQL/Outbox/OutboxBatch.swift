import EntiaDatabase

/// A local batch as the outbox has it.
struct OutboxBatch<Storage: NormalizedStorageType>: Sendable {
  /// The number of the batch's mutation.
  let number: Int64
  /// The name of the commit.
  let name: String?
  /// The confirmed version below the batch and the batches before it.
  let base: LogPosition
  /// The changes from the batches before it.
  let changes: StorageChangeSet<Storage>
}
