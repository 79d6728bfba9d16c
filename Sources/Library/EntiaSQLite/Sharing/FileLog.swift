import Dispatch
import EntiaDatabase
import EntiaSharing
import EntiaStore

/// The log of a database file: the rows at the current version, and the batches that led to it.
final class FileLog<Storage: NormalizedStorageType>: SharedLog {
  private let file: DatabaseFile<Storage>
  /// Whether batches of this process are refused.
  private let isReadOnly: Bool
  /// The treatment of a row that cannot be read.
  private let policy: BrokenRowPolicy
  /// The queue of the calls, which wait for the disk and for other processes.
  private let queue = DispatchQueue(label: "entia.file-log")
  let executor: (any Executor)?
  private let seen: Mutex<Seen>
  /// The mark of this process as a follower of the file. The sole writer of the file logs its
  /// changes while the mark is set. `nil` if this process shares the file. Used only by calls on
  /// the queue.
  private let mark: Mark?

  private struct Mark: @unchecked Sendable {
    // Unchecked because only one queue uses the object.
    let mark: FollowerMark
  }

  /// The changes of the file that this process has already noticed.
  private struct Seen {
    /// The edits by other programs that the version of this process includes.
    var edits: RecordedEdits
    /// The result of `SQLiteConnection.dataVersion()` at the last `hasNewChanges()`.
    var hinted: Int64?
  }

  private let waiting = Mutex(Waiting())

  /// How long this process has waited to write, and whether it has reserved the lock.
  private struct Waiting {
    /// The number of consecutive pushes that failed because other processes wrote before them.
    var overtaken = 0
    /// Whether the lock of the file is held until the next push.
    var isReserved = false
    /// The number of calls that have reserved the lock.
    var reservedCalls = 0
  }

  /// Creates the log of a file.
  /// - Parameters:
  ///   - file: The file.
  ///   - isReadOnly: Whether batches of this process are refused.
  ///   - policy: The treatment of a row that cannot be read.
  init(
    _ file: DatabaseFile<Storage>, isReadOnly: Bool, onBrokenRow policy: BrokenRowPolicy = .skip
  ) {
    self.file = file
    self.isReadOnly = isReadOnly
    self.policy = policy
    // `loadedEdits` is read before `lastLoaded`, because a load sets the two in the opposite order.
    // The version of `lastLoaded` therefore includes these edits.
    seen = Mutex(Seen(edits: file.loadedEdits.withLock { $0 }))
    queue.setSpecific(key: queueOfLog, value: ObjectIdentifier(queue))
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      executor = QueueExecutor(queue: queue)
    } else {
      executor = nil
    }
    mark = isReadOnly ? Mark(mark: FollowerMark(file.path)) : nil
    mark?.mark.renew()
  }

  var space: String { file.path }
  var lastLoaded: SharedVersion<Storage>? { file.loaded.withLock { $0 } }

  func loadVersion() async throws -> SharedVersion<Storage> {
    try await run { [self] in
      // The mark is renewed before the load. From then on, a sole writer logs the changes of its
      // saves. The log therefore contains the changes of each save that this load does not include.
      mark?.mark.renew()
      _ = try beforePush { try file.load(onBrokenRow: policy) }
      let edits = file.loadedEdits.withLock { $0 }
      seen.withLock { $0.edits = edits }
      guard let version = lastLoaded else { throw SharedDatabaseError.notLoaded(space: space) }
      return version
    }
  }

  func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    let loaded = try await loadVersion()
    if loaded.position != base { return .behind(current: loaded.version) }
    var storage = loaded.storage
    do {
      try storage.apply(changes)
    } catch {
      throw SharedDatabaseError.refused(space: space, reasons: ["\(error)"])
    }
    return try await push(
      changes, from: loaded.storage, to: storage, client: client, mutation: mutation, base: base)
  }

  func push(
    _ changes: StorageChangeSet<Storage>, from old: Storage, to new: Storage, client: ClientID,
    mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    try await run { [self] in
      if isReadOnly {
        throw SharedDatabaseError.noRights(
          space: space,
          reason: """
            it is followed, and not shared: to change it, open it with access: .shared, and share \
            it with store.share(_:through:)
            """)
      }
      let origin = BatchOrigin(client: client, mutation: mutation)
      let (runsTriggers, counted) = try file.withTurn { open in
        // A connection that has not written yet is set to run triggers, even if there are none.
        (
          try open.connection.runsTriggers && open.connection.hasForeignTriggers,
          open.sums.countedEdits
        )
      }
      // A transaction of the push releases the reserved lock. Without a transaction, it is released
      // here.
      defer { endReservation() }
      let outcome = try file.push(
        changes, from: old, to: new, by: origin, since: base,
        // If triggers run, `isEdited` may return `true` after every change of the file, and no
        // batch would ever be written.
        unless: { runsTriggers ? false : try isEdited($0) })
      switch outcome {
      case .committed:
        let added = try file.withTurn { $0.sums.countedEdits } - counted
        seen.withLock { seen in
          seen.edits.versions += 1
          seen.edits.count? += added
        }
        waiting.withLock { $0.overtaken = 0 }
        // Triggers of other programs may have changed further rows, which then have to be loaded.
        if runsTriggers { seen.withLock { ($0.edits.changes, $0.hinted) = (nil, nil) } }
      case .behind: waiting.withLock { $0.overtaken += 1 }
      }
      return outcome
    }
  }

  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Storage> {
    try await run { [self] in
      try beforePush {
        try file.withReadTransaction { open in
          try page(of: open, since: position, limit: limit, combines)
        }
      }
    }
  }

  func lastMutation(of client: ClientID) async throws -> Int64 {
    try await run { [self] in
      try file.withReadTransaction { try $0.log.lastMutation(of: client) }
    }
  }

  func wake() -> AsyncStream<Int64> {
    let queue = queue
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watch = FileWatch(file.path, on: queue) { [weak self] in
        guard let self else { return continuation.finish() }
        do {
          if try hasNewChanges() { continuation.yield(0) }
        } catch {
          // The next call on the log reports the error.
          continuation.yield(0)
          if case DatabaseFileError.isClosed = error { continuation.finish() }
        }
      }
      continuation.onTermination = { _ in watch.cancel() }
    }
  }

  /// Does nothing, because the file stays open for other uses.
  func close() async {}

  /// Returns whether other connections have changed the file since the last call, or whether the
  /// file has moved.
  private func hasNewChanges() throws -> Bool {
    mark?.mark.renew()
    let (now, hasMoved) = try file.withTurn {
      (try $0.connection.dataVersion(), $0.connection.hasMoved)
    }
    if hasMoved { return true }
    return seen.withLock { seen in
      defer { seen.hinted = now }
      return seen.hinted != now
    }
  }

  /// Calls a closure on the queue. If this code already runs there, the closure is called at once.
  /// - Throws: `SharedDatabaseError`.
  private func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    if DispatchQueue.getSpecific(key: queueOfLog) == ObjectIdentifier(queue) {
      return try SharedDatabaseError.describing(file.path, body)
    }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [file] in
        continuation.resume(
          with: Swift.Result { try SharedDatabaseError.describing(file.path, body) })
      }
    }
  }
}

/// The key under which the queue of each log stores the identity of that queue.
private let queueOfLog = DispatchSpecificKey<ObjectIdentifier>()

/// Runs tasks on a queue.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

// Fairness between processes.
extension FileLog {
  /// The number of consecutive pushes that may fail because other processes wrote before them.
  private static var overtakenLimit: Int { 3 }
  /// Returns the time in milliseconds after which the reserved lock is released if this process
  /// makes no further call. The time grows with `overtaken`, the number of pushes that failed
  /// because other processes wrote before them.
  private static func reservedPause(after overtaken: Int) -> Int {
    250 << min(max(overtaken - overtakenLimit, 0), 3)
  }

  /// Runs a body that reads the version on which the next push is based. Called on the queue.
  ///
  /// If other processes wrote before each of the last `overtakenLimit` pushes, this method first
  /// keeps other processes from writing. They can write again after the next push, or when this
  /// process has made no call for a while. Without this method, a process that prepares its batches
  /// slowly might never write, because another process writes without a pause.
  private func beforePush<Result>(_ body: () throws -> Result) throws -> Result {
    guard waiting.withLock({ $0.overtaken >= Self.overtakenLimit }) else { return try body() }
    do {
      try file.session.hold()
      waiting.withLock { $0.isReserved = true }
    } catch DatabaseFileError.isLocked {
      // The next reading tries again.
    }
    defer {
      let (calls, pause) = waiting.withLock { waiting in
        waiting.reservedCalls += 1
        return (waiting.reservedCalls, Self.reservedPause(after: waiting.overtaken))
      }
      queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
        guard let self, waiting.withLock({ $0.reservedCalls == calls }) else { return }
        endReservation()
      }
    }
    return try body()
  }

  /// Lets other processes write.
  private func endReservation() {
    let wasReserved = waiting.withLock { waiting in
      defer { waiting.isReserved = false }
      return waiting.isReserved
    }
    if wasReserved { file.session.endHolding() }
  }
}

// Reading.
extension FileLog {
  /// Returns the batches after a version, in a transaction that reads.
  private func page(
    of file: OpenFile<Storage>, since position: LogPosition, limit: Int, _ combines: Bool
  ) throws -> BatchPage<Storage> {
    let current = try file.log.position()
    if try isEdited(file) || position.version > current.version {
      return .trimmed(current: current.version)
    }
    if position.version == current.version, position.origin == current.origin {
      return .batches([], current: current.version)
    }
    var decoding = ChangeDecoding(try file.partsOfLog())
    var origins: [BatchOrigin] = []
    var isComplete = true
    try file.log.forEachVersion(after: position.version - 1, limit: limit + 1) {
      version, origin, changes in
      if version == position.version {
        isComplete = position.origin == nil || position.origin == origin
        return isComplete
      }
      guard let changes, version == position.version + Int64(origins.count) + 1 else {
        isComplete = false
        return false
      }
      origins.append(origin)
      try decoding.add(changes, of: version)
      return true
    }
    guard isComplete, !origins.isEmpty else { return .trimmed(current: current.version) }
    let first = position.version + 1
    let decoded = try decoding.changes(
      of: first...position.version + Int64(origins.count), combining: combines)
    let batches = decoded.map { batch in
      LoggedBatch(
        version: batch.last,
        origins: origins[Int(batch.first - first)...Int(batch.last - first)],
        changes: batch.changes)
    }
    return .batches(batches, current: current.version)
  }

  /// Returns whether another program may have edited rows since the last load. The log does not
  /// have such edits, so the result is `true` until they are loaded.
  private func isEdited(_ file: OpenFile<Storage>) throws -> Bool {
    let changes = try file.connection.dataVersion()
    let former = seen.withLock { $0.edits }
    if former.changes == changes { return false }
    guard let count = try file.edits(), count == former.count else { return true }
    let versions = try file.log.versionsInAll()
    // A sole writer that has not yet noticed this follower saves rows without adding a version. A
    // change of the file without a new version may be such a save.
    if former.changes != nil, versions == former.versions { return true }
    seen.withLock { ($0.edits.changes, $0.edits.versions) = (changes, versions) }
    return false
  }
}
