public import EntiaDatabase

/// A local commit to a shared part of a state.
public struct SharedBatch<Storage: NormalizedStorageType>: Sendable {
  /// The name of the commit.
  public let name: String?
  /// The changes that the commit made.
  public let changes: StorageChangeSet<Storage>
}
