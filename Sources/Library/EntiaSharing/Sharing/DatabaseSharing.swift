public import EntiaDatabase
public import EntiaStore
public import Foundation

/// Shares a part of a store's state with other processes; see
/// `share(_:through:merge:outbox:)`.
///
/// A sharing retains the shared database and the state, but not the store. The sharing ends when
/// the sharing or the store is released. After the end, batches of other clients are no longer
/// applied, and later commits are not shared. Waiting local batches are still pushed until each is
/// confirmed or rejected, or the process ends.
public final class DatabaseSharing<Storage: NormalizedStorageType>: Sendable {
  /// The state of a sharing.
  public enum Status: Equatable, Sendable {
    /// Every local batch is confirmed or rejected, and every known batch of other clients is
    /// applied.
    case live
    /// Batches are waiting.
    /// - Parameter by: The number of unconfirmed local batches, plus the number of known batches
    ///   of other clients that are not yet applied.
    case behind(by: Int)
    /// The server cannot be reached, or the batches of other clients cannot be applied because
    /// their rows violate rules of this program. The sharing tries again at most two seconds later.
    /// A permanent error, which a later attempt or another program cannot end, ends the sharing
    /// instead. Later commits are then not shared, and ``DatabaseSharing/settled()`` throws the
    /// error.
    /// - Parameters:
    ///   - since: The time of the first failure.
    ///   - error: The last failure.
    case offline(since: Date, error: SharedDatabaseError)
  }

  let engine: SharingEngine<Storage>

  init(_ engine: SharingEngine<Storage>) { self.engine = engine }

  deinit {
    engine.end()
  }

  /// The state of the sharing. Tracked by Observation.
  public var status: Status {
    // This read only registers with Observation. `engine.status` is newer than the value in
    // `statuses` until the worker publishes it.
    _ = engine.statuses.state
    return engine.status
  }

  /// The number of local batches that are neither confirmed nor rejected. Commits after an error
  /// that has ended the sharing are not counted.
  public var waitingBatches: Int { engine.waitingBatches }

  /// The rows of the last loaded version that this program cannot read.
  ///
  /// Another program that shares the space or file may have stored members or values that this
  /// program does not have. Such rows are skipped, and each is reported once to `onProblem(_:)` of
  /// the store.
  public var skippedRows: [SkippedRow] { engine.skippedRows }

  /// Waits until every batch that has been committed locally so far is confirmed or rejected.
  ///
  /// The method keeps waiting while the connection is lost, and while the rows of other clients
  /// violate rules of this program. A rejection is not thrown. It is passed to the handler of
  /// ``onRejection(_:)`` before this method returns.
  /// - Throws: `SharedDatabaseError`: `isClosed` after ``close()``, or an error that is not
  ///   transient; `CancellationError` if the task is canceled. The batches are then still waiting.
  public func settled() async throws { try await engine.settled() }

  /// Waits until every batch that has been committed locally so far is confirmed, rejected or in
  /// the outbox. Such a batch is not lost when the process ends. Without an outbox, this is the
  /// same as ``settled()``.
  /// - Throws: The same errors as ``settled()``.
  public func saved() async throws { try await engine.saved() }

  /// Sets the handler of rejected batches.
  ///
  /// A batch is rejected if it cannot be applied after the batches of other clients. The error is a
  /// `BatchError` if the batch violates rules of the database, and a `MergeError` for conflicts
  /// that the merge refuses. It is a `SharedDatabaseError` if the server does not accept the batch.
  /// Before the handler is called, the changes of the batch are reverted in the shared part. The
  /// commit's changes of other parts of the state remain.
  ///
  /// A later batch may need a row that a rejected batch inserted. The later batch is rejected too,
  /// with a `ChangeSetError`, in three cases: it updates or moves the row; it adds the ID of the
  /// row to an `Indexes.Set` or `Indexes.OrderedID`; or it refers to the row by a relationship that
  /// may not dangle. A rejection applies no delete rules. A batch from an outbox is also rejected
  /// with a `ChangeSetError` if two conditions are met: the log no longer has the batches since the
  /// base version of the batch, and the old rows of the batch differ from the loaded rows.
  ///
  /// A rejection is final. It is written to the outbox before the handler is called, so that a
  /// later process neither pushes the batch nor reports the rejection again. If the process is
  /// killed after the write and before the call, the handler is never called.
  ///
  /// Without a handler, rejections are reported to `onProblem(_:)` of the store.
  ///
  /// - Parameter handler: The new handler, which is called without a lock, in the order of the
  ///   rejections; `nil` for none. It replaces the previous handler.
  public func onRejection(
    _ handler: (@Sendable (_ batch: SharedBatch<Storage>, _ error: any Error) -> Void)?
  ) { engine.setRejectionHandler(handler) }

  /// Ends the sharing at once. Closing it again does nothing.
  ///
  /// The state of the store keeps the unconfirmed batches. A push in progress may still be
  /// committed. If a report of rejections is in progress, it is completed. To lose no batch, wait
  /// for ``settled()`` first. The shared database stays open.
  public func close() { engine.close() }

  /// Calls a closure on the main actor with the current status and after each change of it.
  /// - Parameters:
  ///   - dropsFirst: Whether to omit the call with the current status.
  ///   - queue: The kind of delivery on the main actor.
  ///   - receive: Receives the status.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkStatus(
    dropsFirst: Bool = false, queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<Status>) -> Void
  ) -> StoreSubscription {
    engine.statuses.sinkState(dropsFirst: dropsFirst, queue: queue, receive: receive)
  }

  /// Calls a closure on a queue with the current status and after each change of it.
  /// - Parameters:
  ///   - dropsFirst: Whether to omit the call with the current status.
  ///   - queue: The queue of the calls.
  ///   - receive: Receives the status.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkStatus(
    dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<Status>) -> Void
  ) -> StoreSubscription {
    engine.statuses.sinkState(dropsFirst: dropsFirst, queue: queue, receive: receive)
  }

  /// Keeps the sharing active as long as its store exists, even without a reference to the sharing.
  /// - Returns: The sharing itself.
  @discardableResult
  public func storeWhileSourceActive() -> DatabaseSharing {
    engine.hold(self)
    return self
  }
}

extension StoreComponentType {
  /// Shares a part of the state through a log.
  package func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage> = ThreeWayMerge(), outbox: URL? = nil
  ) throws -> DatabaseSharing<Storage> {
    let (engine, worker) = try prepareSharing(
      part, through: log, merge: merge, timer: .system, outbox: outbox)
    engine.start(worker)
    return DatabaseSharing(engine)
  }

  /// Records the commits to a part, for a worker that is started later.
  func prepareSharing<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, through log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage>, timer: SharingTimer, outbox: URL? = nil
  ) throws -> (engine: SharingEngine<Storage>, worker: SharingWorker<Storage>) {
    guard let loaded = log.lastLoaded else { throw SharedDatabaseError.notLoaded(space: log.space) }
    let engine = SharingEngine<Storage>(
      space: log.space, timer: timer,
      outbox: try outbox.map { try Outbox<Storage>($0, space: log.space) })
    var start = loaded
    let recorded = try recordChanges(
      of: part,
      validate: { committed in
        // The state may have been copied or decoded since the load. The versions are therefore
        // compared by their rows, and not by identity.
        guard committed.changes(since: loaded.storage).isEmpty else {
          throw SharedDatabaseError.notLoaded(space: log.space)
        }
        start = SharedVersion(storage: committed, position: loaded.position)
      },
      onChange: { [weak engine] in engine?.record($0, $1, $2) },
      onCommit: { [weak engine] in engine?.noteCommit() },
      onEnd: { [weak engine] in engine?.end() })
    guard let recorded else { throw SharedDatabaseError.partIsShared(space: log.space) }
    engine.setPart(recorded)
    engine.noteSkipped(loaded.unreadable.rows)
    let unsent = UnsentRows(
      of: recorded, since: start.storage, restoring: engine.outbox?.restored ?? [])
    return (engine, SharingWorker(log, from: start, merge: merge, engine, unsent))
  }
}

extension SharedDatabaseError {
  /// Whether a batch is rejected if its push throws this error. The sharing then continues, because
  /// other calls may succeed.
  var rejectsBatch: Bool {
    switch self {
    case .cannotEncode, .notCodable, .schemaDiffers, .noRights, .refused: true
    default: false
    }
  }

  init(sharing space: String, _ error: any Error) {
    self =
      error as? SharedDatabaseError
      ?? .failed(space: space, code: "", reason: String(describing: error))
  }
}
