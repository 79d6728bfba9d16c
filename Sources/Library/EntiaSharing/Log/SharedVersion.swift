package import EntiaDatabase
package import Foundation

/// The identity of a client. Each client numbers its own batches.
package typealias ClientID = UUID

/// A database with its version in a space.
package struct SharedVersion<Storage: NormalizedStorageType>: Sendable {
  /// The database.
  package let storage: Storage
  /// The position of the database in the log.
  package let position: LogPosition
  /// The rows that the database does not contain, because this program cannot read them.
  package let unreadable: UnreadableRows

  /// The number of batches that led to the database.
  package var version: Int64 { position.version }

  /// Creates a version.
  package init(storage: Storage, version: Int64, origin: BatchOrigin? = nil) {
    self.init(storage: storage, position: LogPosition(version: version, origin: origin))
  }

  /// Creates a version.
  package init(
    storage: Storage, position: LogPosition, unreadable: UnreadableRows = UnreadableRows()
  ) {
    self.storage = storage
    self.position = position
    self.unreadable = unreadable
  }
}

extension SharedVersion {
  /// Applies batches.
  /// - Parameters:
  ///   - batches: The batches.
  ///   - types: The entity types that were inspected for transient members. The entity types in
  ///     `batches` are added.
  /// - Returns: Whether all batches could be applied. Otherwise the version is unchanged, and the
  ///   caller must load the database again.
  package mutating func apply(
    _ batches: ArraySlice<LoggedBatch<Storage>>, _ types: inout TransientTypes
  ) throws -> Bool {
    var storage = storage
    var position = position
    for batch in batches {
      guard batch.first == position.version + 1 else { return false }
      do {
        try storage.apply(batch.changes.keepingTransientMembers(of: storage, types: &types))
      } catch {
        // A client with another schema wrote the batch.
        return false
      }
      position = batch.position
    }
    self = SharedVersion(storage: storage, position: position)
    return true
  }

  /// Returns the loaded version. Rows that are equal in the loaded version and in this version
  /// share their storage in the result. Comparing the result with this version then takes time in
  /// proportion to the differences.
  package func replaced(
    by loaded: SharedVersion, _ types: inout TransientTypes
  ) -> SharedVersion {
    var storage = storage
    do {
      let changes = loaded.storage.changes(since: storage)
      try storage.apply(changes.keepingTransientMembers(of: storage, types: &types))
    } catch {
      // `changes` combines several batches. A rule that compares two versions may refuse the
      // combination although the log accepted each batch.
      return loaded
    }
    return SharedVersion(storage: storage, position: loaded.position)
  }
}

/// A version number of a space, and the origin of the batch that led to this version.
///
/// A server that was restored from a backup reuses version numbers for other batches. Two
/// positions with the same number but different origins therefore have different databases.
package struct LogPosition: Hashable, Sendable {
  /// The number of batches.
  package let version: Int64
  /// The origin of the last batch, or `nil` if there is no batch or the log does not contain it.
  package let origin: BatchOrigin?

  /// Creates a position.
  package init(version: Int64, origin: BatchOrigin? = nil) {
    self.version = version
    self.origin = origin
  }
}

/// The client that pushed a batch, and its sequence number for the batch.
package struct BatchOrigin: Hashable, Sendable {
  package let client: ClientID
  package let mutation: Int64

  package init(client: ClientID, mutation: Int64) {
    self.client = client
    self.mutation = mutation
  }
}

/// A committed batch, or a combination of consecutive batches.
package struct LoggedBatch<Storage: NormalizedStorageType>: Sendable {
  /// The version after the last batch.
  package let version: Int64
  /// The origin of each batch.
  package let origins: [BatchOrigin]
  /// The changes from the version before the first batch to the version after the last batch.
  package let changes: StorageChangeSet<Storage>

  /// Creates a batch.
  package init(
    version: Int64, client: ClientID, mutation: Int64, changes: StorageChangeSet<Storage>
  ) {
    self.init(
      version: version, origins: [BatchOrigin(client: client, mutation: mutation)],
      changes: changes)
  }

  /// Creates a combination of batches.
  package init(
    version: Int64, origins: some Sequence<BatchOrigin>, changes: StorageChangeSet<Storage>
  ) {
    self.version = version
    self.origins = Array(origins)
    self.changes = changes
  }

  /// The version after the first batch.
  package var first: Int64 { version - Int64(origins.count) + 1 }
  /// The position in the log of this batch, or of the last batch of a combination.
  var position: LogPosition { LogPosition(version: version, origin: origins.last) }
  /// The client that pushed the batch, or the first batch of a combination.
  package var client: ClientID? { origins.first?.client }
  /// The client's sequence number for the batch, or for the first batch of a combination.
  package var mutation: Int64 { origins.first?.mutation ?? 0 }

  /// Returns the sequence number of a client's last batch, or `nil` if the client pushed none of
  /// the batches.
  func lastMutation(of client: ClientID) -> Int64? {
    origins.last { $0.client == client }?.mutation
  }
}

/// The outcome of a push.
package enum PushOutcome: Equatable, Sendable {
  /// The batch is committed as this version.
  case committed(version: Int64)
  /// The batch was not written, because it does not start from the current version.
  case behind(current: Int64)
}

/// A page of the batches after a version.
package enum BatchPage<Storage: NormalizedStorageType>: Sendable {
  /// The batches in ascending order, and the version of the space.
  case batches([LoggedBatch<Storage>], current: Int64)
  /// The log no longer contains the next batch, or the space was restored to an older version. The
  /// database must be loaded again.
  case trimmed(current: Int64)
}
