package import EntiaDatabase
package import Foundation

/// The identity of a client, which numbers its batches.
package typealias ClientID = UUID

/// A database with its version in a space.
package struct SharedVersion<Storage: NormalizedStorageType>: Sendable {
  /// The database.
  package let storage: Storage
  /// The number of batches that led to the database.
  package let version: Int64

  /// Creates a version.
  package init(storage: Storage, version: Int64) {
    self.storage = storage
    self.version = version
  }
}

/// A committed batch.
package struct LoggedBatch<Storage: NormalizedStorageType>: Sendable {
  /// The version that the batch led to.
  package let version: Int64
  /// The client that pushed the batch.
  package let client: ClientID
  /// The client's number of the batch.
  package let mutation: Int64
  /// The changes from the version before.
  package let changes: StorageChangeSet<Storage>

  /// Creates a batch.
  package init(
    version: Int64, client: ClientID, mutation: Int64, changes: StorageChangeSet<Storage>
  ) {
    self.version = version
    self.client = client
    self.mutation = mutation
    self.changes = changes
  }
}

/// The outcome of a push.
package enum PushOutcome: Equatable, Sendable {
  /// The batch is committed as this version.
  case committed(version: Int64)
  /// The batch starts from an older version than the current one, and was not written.
  case behind(current: Int64)
}

/// Some of the batches after a version.
package enum BatchPage<Storage: NormalizedStorageType>: Sendable {
  /// The batches in ascending order, and the version of the space.
  case batches([LoggedBatch<Storage>], current: Int64)
  /// The log does not contain the next batch any more, or the space is at an older version: it must
  /// be loaded again.
  case trimmed(current: Int64)
}
