public import EntiaStore

/// Saves a part of a store's state into a file after each commit; see
/// ``EntiaStore/StoreComponentType/keep(_:in:replacing:)``.
///
/// The keeper retains the file and the state, but not the store. When the keeper or the store is
/// released, the pending commits are still saved, and then the file is released. If that save
/// fails, it is tried again for a minute. If the last attempt fails, the store's `onProblem(_:)`
/// reports it, and the file is released without the pending commits.
///
/// Several parts of one store can be kept in one file. Their keepers save together, in one
/// transaction, and have one status.
public final class DatabaseKeeper: Sendable {
  /// The state of the saves.
  public enum Status: Equatable, Sendable {
    /// All commits are on the disk.
    case saved
    /// A save is under way, or about to begin.
    /// - Parameter pending: The number of commits that are not on the disk.
    case saving(pending: Int)
    /// The last save failed. The commits remain in memory and are pending.
    case failed(DatabaseFileError)
  }

  private let part: KeptPart

  init(_ part: KeptPart) { self.part = part }

  deinit {
    saves.end(part)
  }

  var saves: SaveQueue { part.saves }

  /// The state of the saves. Tracked by Observation.
  public var status: Status {
    // Registers the read with Observation. The returned status may be newer than the status in
    // `statuses`, which changes only when a save begins or ends.
    _ = saves.statuses.state
    return saves.status
  }

  /// Waits until all commits so far are saved.
  ///
  /// If the last save failed, the call begins another attempt at once.
  /// - Throws: `DatabaseFileError`: the failure of the save, such as `isFull`, or `isClosed`. The
  ///   commits remain pending.
  public func saved() async throws {
    let failure = await withCheckedContinuation { continuation in
      saves.whenSaved { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// Blocks until all commits so far are saved, such as before the process ends.
  ///
  /// If the last save failed, the call begins another attempt at once.
  /// - Parameter timeout: The longest time to wait; `nil` for any time.
  /// - Throws: `DatabaseFileError`: the failure of the save, `timedOut`, or `isBusy` inside a save.
  ///   The commits remain pending.
  public func flush(timeout: Duration? = nil) throws { try saves.flush(timeout: timeout) }

  /// Calls a closure on the main actor with the current status and after each change of it.
  ///
  /// The closure is called when a save begins or ends. Commits in between do not change the status
  /// that the closure receives.
  /// - Parameters:
  ///   - dropsFirst: Whether to leave out the call with the current status.
  ///   - queue: The kind of delivery on the main actor.
  ///   - receive: Receives the status.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkStatus(
    dropsFirst: Bool = false, queue: MainActorQueue = .main,
    receive: @escaping @MainActor @Sendable (Changes<Status>) -> Void
  ) -> StoreSubscription {
    saves.statuses.sinkState(dropsFirst: dropsFirst, queue: queue, receive: receive)
  }

  /// Calls a closure on a queue with the current status, and again whenever the status changes.
  ///
  /// The closure is called when a save begins or ends. Commits in between do not change the status
  /// that the closure receives.
  /// - Parameters:
  ///   - dropsFirst: Whether to leave out the call with the current status.
  ///   - queue: The queue of the calls; with `passthrough` they are on the thread that saves.
  ///   - receive: Receives the status.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkStatus(
    dropsFirst: Bool = false, queue: DeliveryQueue,
    receive: @escaping @Sendable (Changes<Status>) -> Void
  ) -> StoreSubscription {
    saves.statuses.sinkState(dropsFirst: dropsFirst, queue: queue, receive: receive)
  }

  /// Stores the keeper in its store, so that the keeper needs no other reference.
  /// - Returns: The keeper itself.
  @discardableResult
  public func storeWhileSourceActive() -> DatabaseKeeper {
    saves.hold(self, of: part)
    return self
  }
}
