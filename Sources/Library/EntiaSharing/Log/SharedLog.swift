package import EntiaDatabase

/// The log of a space: its database at the current version, and the batches that led to this
/// version.
///
/// Version numbers have no gaps. The batch of version v + 1 was validated on the database of
/// version v. Every error is a `SharedDatabaseError`. After a transient error, the call may be
/// repeated. Calls may be made concurrently; they run one after another. Each call returns or
/// throws eventually.
package protocol SharedLog<Storage>: Sendable {
  associatedtype Storage: NormalizedStorageType

  /// The name of the space, or the path of the file, for messages.
  var space: String { get }

  /// The result of the last `loadVersion()`.
  var lastLoaded: SharedVersion<Storage>? { get }

  /// Returns the database of the current version.
  /// - Throws: `SharedDatabaseError`.
  func loadVersion() async throws -> SharedVersion<Storage>

  /// Commits a batch if it starts from the current version.
  ///
  /// The log recognizes a repeated mutation by its client and number. A repeated push writes
  /// nothing. Its outcome is the version of the first push, regardless of the base and the changes.
  /// After trimming, the log may recognize only the last mutation of each client. Therefore a
  /// client pushes one mutation at a time, in ascending order, and repeats a push after a transient
  /// error.
  /// - Parameters:
  ///   - changes: The changes from the base to the next version.
  ///   - client: The client that pushes the batch.
  ///   - mutation: The client's sequence number for the batch, ascending.
  ///   - base: The version that the changes start from. It is not the current version if the log's
  ///     batch with the number `base.version` has an origin other than `base.origin`.
  /// - Returns: The version of the batch, or the current version if `base` is not current.
  /// - Throws: `SharedDatabaseError`. After a transient error, it is unknown whether the batch was
  ///   committed.
  func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome

  /// Commits a batch if it starts from the current version. A log implements this method if it
  /// compares `old` and `new` to find the rows to store. Other logs ignore the two databases.
  /// - Parameters:
  ///   - changes: The changes from the base to the next version.
  ///   - old: The database at the base.
  ///   - new: The database at the next version.
  ///   - client: The client that pushes the batch.
  ///   - mutation: The client's sequence number for the batch, ascending.
  ///   - base: The version that the changes start from.
  /// - Throws: `SharedDatabaseError`.
  func push(
    _ changes: StorageChangeSet<Storage>, from old: Storage, to new: Storage, client: ClientID,
    mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome

  /// Returns the batches after a version, in ascending order without gaps.
  /// - Parameters:
  ///   - position: The version to start after. The page is `trimmed` if the log's batch with the
  ///     number `position.version` has an origin other than `position.origin`.
  ///   - limit: The maximum number of batches. There may be fewer if they are large.
  ///   - combines: Whether consecutive batches may be combined. The combination leads to the same
  ///     database. However, rules that compare two versions may refuse the combination.
  /// - Throws: `SharedDatabaseError`.
  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Storage>

  /// Returns the sequence number of a client's last committed mutation, or 0 if there is none.
  /// Trimming the log removes the changes of this mutation, but keeps its number for a long time.
  /// - Throws: `SharedDatabaseError`.
  func lastMutation(of client: ClientID) async throws -> Int64

  /// Returns a stream of hints that there may be new batches. A hint is a version that a client
  /// announced, or 0.
  ///
  /// The stream keeps only one unread hint, with the newest version. While the server is connected,
  /// there is at least one hint each second. There is also a hint after each reconnect. The stream
  /// ends when the log is closed.
  func wake() -> AsyncStream<Int64>

  /// Ends all calls, which then throw `SharedDatabaseError.isClosed`, and closes the connections.
  func close() async

  /// The executor on which the calls run; `nil` if the log has none that can run tasks.
  var executor: (any Executor)? { get }
}

extension SharedLog {
  package var executor: (any Executor)? { nil }

  /// Runs an operation in a new task. If the log has an executor, the task runs on it, so that
  /// calls on the log need no other thread.
  func startTask(_ operation: @escaping @Sendable () async -> Void) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
      let executor = executor as? any TaskExecutor
    {
      Task(executorPreference: executor, operation: operation)
    } else {
      Task(operation: operation)
    }
  }

  /// Commits a batch if it starts from the current version.
  /// - Throws: `SharedDatabaseError`.
  package func push(
    _ changes: StorageChangeSet<Storage>, from old: Storage, to new: Storage, client: ClientID,
    mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    try await push(changes, client: client, mutation: mutation, base: base)
  }

  /// Returns the batches after a version one by one, in ascending order without gaps.
  /// - Parameters:
  ///   - version: The version to start after.
  ///   - limit: The maximum number of batches. There may be fewer if they are large.
  /// - Throws: `SharedDatabaseError`.
  package func batches(since version: Int64, limit: Int) async throws -> BatchPage<Storage> {
    try await batches(since: LogPosition(version: version), limit: limit, combining: false)
  }

  /// Commits a batch if it starts from the current version number.
  /// - Throws: `SharedDatabaseError`.
  package func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: Int64
  ) async throws -> PushOutcome {
    try await push(
      changes, client: client, mutation: mutation, base: LogPosition(version: base))
  }

  /// Returns the newest version. Applies the newer batches of the log to `version`. Loads the
  /// database if the log no longer has these batches or one of them cannot be applied.
  /// - Throws: `SharedDatabaseError`.
  /// - Complexity: O(changes · log *n*) if the batches are applied.
  package func newest(after version: SharedVersion<Storage>) async throws -> SharedVersion<Storage>
  {
    var newest = version
    var types = TransientTypes()
    var combines = true
    while true {
      let page = try await batches(since: newest.position, limit: 4_000, combining: combines)
      guard case .batches(let batches, _) = page else { break }
      if batches.isEmpty { return newest }
      if try newest.apply(batches[...], &types) { continue }
      // Rules that compare two versions may refuse a combination of batches, but accept each batch.
      if !combines { break }
      combines = false
    }
    return newest.replaced(by: try await loadVersion(), &types)
  }
}
