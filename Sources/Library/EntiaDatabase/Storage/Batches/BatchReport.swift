/// The result of a committed batch.
public struct BatchReport<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The changes of the database.
  public let changes: StorageChangeSet<Storage>
  /// The changes that were ignored, in the order in which they occurred.
  public let problems: [BatchProblem]
}
