package import EntiaDatabase

/// The log of a space: its database at the current version, and the batches that led there.
///
/// Versions have no gaps: the batch of version v + 1 was validated on version v. Every error is a
/// `SharedDatabaseError`; after one that is transient, the call may be repeated. Calls may be made
/// concurrently, and run one after another. Each call ends.
package protocol SharedLog<Storage>: Sendable {
  associatedtype Storage: NormalizedStorageType

  /// The name of the space, for messages.
  var space: String { get }

  /// The result of the last `loadVersion()`.
  var lastLoaded: SharedVersion<Storage>? { get }

  /// Returns the database of the current version.
  /// - Throws: `SharedDatabaseError`.
  func loadVersion() async throws -> SharedVersion<Storage>

  /// Commits a batch if it starts from the current version.
  ///
  /// A mutation that was committed before is recognized by its client and number: nothing is
  /// written, and its version is the outcome, whatever the base and the changes are. Also a trimmed
  /// log recognizes the last mutation of each client. Therefore a client pushes one mutation at a
  /// time, in ascending order, and repeats it after a transient error.
  /// - Parameters:
  ///   - changes: The changes from the base to the next version.
  ///   - client: The client that makes the batch.
  ///   - mutation: The number of the batch, ascending for each client.
  ///   - base: The version that the changes start from. Another batch at its number in the log
  ///     makes it another version than the current one.
  /// - Returns: The version of the batch, or the current version if it is not the base.
  /// - Throws: `SharedDatabaseError`; after a transient one, it is unknown whether the batch was
  ///   committed.
  func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome

  /// Returns the batches after a version, in ascending order without gaps.
  /// - Parameters:
  ///   - position: The version to start after. If the log has another batch at its number, the page
  ///     is `trimmed`.
  ///   - limit: The maximum number of batches. There may be fewer if they are large.
  ///   - combines: Whether batches that follow one another may be combined. Their combination leads
  ///     to the same database, unless rules that compare a version with the one before refuse it.
  /// - Throws: `SharedDatabaseError`.
  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Storage>

  /// Returns the greatest number of a committed mutation of a client, or 0 when there is none. Also
  /// a trimmed log contains it.
  /// - Throws: `SharedDatabaseError`.
  func lastMutation(of client: ClientID) async throws -> Int64

  /// Returns hints that there may be new batches: a version that a client announced, or 0.
  ///
  /// Only the newest hint is kept. There is one at least each second while the server is connected,
  /// and one after each reconnect. The stream ends when the log is closed.
  func wake() -> AsyncStream<Int64>

  /// Ends all calls, which then throw `SharedDatabaseError.isClosed`, and closes the connections.
  func close() async
}

extension SharedLog {
  /// Returns the batches after a version one by one, in ascending order without gaps.
  /// - Parameters:
  ///   - version: The version to start after.
  ///   - limit: The maximum number of batches. There may be fewer if they are large.
  /// - Throws: `SharedDatabaseError`.
  package func batches(since version: Int64, limit: Int) async throws -> BatchPage<Storage> {
    try await batches(since: LogPosition(version: version), limit: limit)
  }

  /// Returns the batches after a version one by one, in ascending order without gaps.
  /// - Throws: `SharedDatabaseError`.
  func batches(since position: LogPosition, limit: Int) async throws -> BatchPage<Storage> {
    try await batches(since: position, limit: limit, combining: false)
  }

  /// Commits a batch if it starts from the number of the current version.
  /// - Throws: `SharedDatabaseError`.
  package func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: Int64
  ) async throws -> PushOutcome {
    try await push(
      changes, client: client, mutation: mutation, base: LogPosition(version: base))
  }
}
