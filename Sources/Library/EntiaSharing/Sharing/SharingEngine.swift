import EntiaDatabase
import EntiaStore
import Foundation

/// The lifetime of a sharing: its queue of local batches, its status and its waiters.
///
/// Commits append their batches to the queue, under the commit lock of the store. A worker in a
/// separate task removes these batches, pushes them, and applies the batches of other clients.
final class SharingEngine<Storage: NormalizedStorageType>: Sendable {
  typealias Status = DatabaseSharing<Storage>.Status
  typealias RejectionHandler = @Sendable (SharedBatch<Storage>, any Error) -> Void

  enum Phase {
    /// Commits are recorded and shared.
    case active
    /// Waiting batches are pushed, but commits are no longer recorded.
    case ending
    /// Nothing is pushed or applied.
    case ended
  }

  struct Waiter {
    let id: UUID
    /// The number of the last batch to wait for.
    let number: Int64
    /// Whether the caller waits only until the batches are in the outbox.
    let isStored: Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  struct Contents {
    var phase = Phase.active
    /// `nil` before `setPart(_:)`. Also `nil` after the end, to release the state of the store.
    var part: SharedPart<Storage>?
    /// The batches that the worker has not taken.
    var recorded: [LocalBatch<Storage>] = []
    var lastNumber: Int64 = 0
    /// All batches up to this number are confirmed or rejected.
    var finishedNumber: Int64 = 0
    /// Each batch up to this number is in the outbox, is confirmed, or is rejected.
    var storedNumber: Int64 = 0
    /// The number of waiting batches that the worker has taken.
    var taken = 0
    /// The number of known batches of other clients that are not yet applied.
    var unread = 0
    var version: Int64 = 0
    var mustRead = true
    var skippedRows: [SkippedRow] = []
    var failure: SharedDatabaseError?
    var failureTime = Date.distantPast
    /// Whether the worker is waiting to retry.
    var isPaused = false
    /// Whether a failure was not transient, so that there is no retry.
    var isStopped = false
    var delay = SharingTimer.firstDelay
    var waiters: [Waiter] = []
    var onRejection: RejectionHandler?
    /// Whether rejections are being reported. Until all are reported, the receivers are kept.
    var isReporting = false
    var reader: Task<Void, Never>?

    var status: Status {
      if let failure { return .offline(since: failureTime, error: failure) }
      let waiting = recorded.count + taken + unread
      return waiting == 0 ? .live : .behind(by: waiting)
    }

    /// Returns the number up to which all batches are finished or, if `isStored`, at least stored.
    func reached(isStored: Bool) -> Int64 {
      isStored ? max(storedNumber, finishedNumber) : finishedNumber
    }

    mutating func removeWaiters(where condition: (Waiter) -> Bool) -> [Waiter] {
      let removed = waiters.filter(condition)
      waiters.removeAll(where: condition)
      return removed
    }

    /// Ends the sharing. Returns the previous contents, to be released outside of the lock.
    mutating func finish() -> Contents {
      let former = self
      phase = .ended
      if !isReporting { releaseReceivers() }
      recorded = []
      taken = 0
      unread = 0
      waiters = []
      reader = nil
      return former
    }

    mutating func releaseReceivers() {
      part = nil
      onRejection = nil
    }
  }

  let space: String
  /// The published status, for observers. The worker updates it.
  let statuses = Store<Status, Never>(initialState: .live, undoDepth: 0)
  let outbox: Outbox<Storage>?
  private let timer: SharingTimer
  let contents: Mutex<Contents>
  private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(space: String, timer: SharingTimer, outbox: Outbox<Storage>? = nil) {
    self.space = space
    self.timer = timer
    self.outbox = outbox
    var contents = Contents()
    contents.lastNumber = outbox?.lastNumber ?? 0
    contents.storedNumber = contents.lastNumber
    contents.finishedNumber = (outbox?.restored.first?.number).map { $0 - 1 } ?? contents.lastNumber
    contents.taken = outbox?.restored.count ?? 0
    self.contents = Mutex(contents)
  }

  var status: Status { contents.withLock { $0.status } }

  var skippedRows: [SkippedRow] { contents.withLock { $0.skippedRows } }
  var waitingBatches: Int { contents.withLock { $0.recorded.count + $0.taken } }
  var recordedNumber: Int64 { contents.withLock { $0.lastNumber } }
  /// Each batch up to this number is in the outbox, is confirmed, or is rejected.
  var storedNumber: Int64 { contents.withLock { $0.reached(isStored: true) } }
  var waiterCount: Int { contents.withLock { $0.waiters.count } }
  var isEnded: Bool { contents.withLock { $0.phase == .ended } }

  /// Sets the shared part of the store. Must be called before `start(_:)`.
  func setPart(_ part: SharedPart<Storage>) { contents.withLock { $0.part = part } }

  /// Lets the store retain the sharing until commits are no longer recorded.
  func hold(_ sharing: DatabaseSharing<Storage>) {
    let part = contents.withLock { $0.phase == .active ? $0.part : nil }
    part?.observation.hold(sharing)
  }

  func setRejectionHandler(_ handler: RejectionHandler?) {
    contents.release { contents in
      defer { if contents.phase != .ended { contents.onRejection = handler } }
      return contents.onRejection
    }
  }

  /// Appends a commit; called under the commit lock.
  func record(_ old: Storage, _ new: Storage, _ name: String?) {
    contents.withLock { contents in
      guard contents.phase == .active, !contents.isStopped else { return }
      contents.lastNumber += 1
      contents.recorded.append(
        LocalBatch(number: contents.lastNumber, name: name, old: old, new: new))
    }
  }

  /// Wakes the worker after a commit if batches have been recorded.
  func noteCommit() {
    if contents.withLock({ !$0.recorded.isEmpty }) { signal() }
  }

  /// Records a hint that there may be new batches, and wakes the worker.
  func noteHint(_ version: Int64) {
    let mustRead = contents.withLock { contents in
      if version > 0, version <= contents.version { return false }
      contents.mustRead = true
      return true
    }
    if mustRead { signal() }
  }

  func signal() { signals.continuation.yield() }

  /// Waits until all batches that have been recorded so far are confirmed or rejected.
  func settled() async throws { try await wait(isStored: false) }

  /// Waits until each batch that has been recorded so far is in the outbox, is confirmed, or is
  /// rejected.
  func saved() async throws { try await wait(isStored: true) }

  private func wait(isStored: Bool) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = contents.withLock { contents -> Result<Void, any Error>? in
          if contents.isStopped, let failure = contents.failure { return .failure(failure) }
          let isFinished = contents.reached(isStored: isStored) >= contents.lastNumber
          if contents.phase == .ended {
            return isFinished ? .success(()) : .failure(SharedDatabaseError.isClosed(space: space))
          }
          if isFinished { return .success(()) }
          contents.waiters.append(
            Waiter(
              id: id, number: contents.lastNumber, isStored: isStored, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
        // A cancellation may have come before the waiter was added.
        if Task.isCancelled { cancelWaiter(id) }
      }
    } onCancel: {
      cancelWaiter(id)
    }
  }

  private func cancelWaiter(_ id: UUID) {
    let cancelled = contents.withLock { $0.removeWaiters { $0.id == id } }
    for waiter in cancelled { waiter.continuation.resume(throwing: CancellationError()) }
  }

  /// Ends the sharing after the waiting batches are confirmed or rejected.
  func end() {
    let part = contents.withLock { contents -> SharedPart<Storage>? in
      guard contents.phase == .active else { return nil }
      contents.phase = .ending
      return contents.part
    }
    part?.observation.end()
    signal()
  }

  func close() { finish(because: .isClosed(space: space)) }

  /// Ends the sharing at once, and resumes the waiters.
  private func finish(because failure: SharedDatabaseError?) {
    let former = contents.withLock { $0.phase == .ended ? nil : $0.finish() }
    guard let former else { return }
    outbox?.close()
    former.part?.observation.end()
    former.reader?.cancel()
    signals.continuation.finish()
    for waiter in former.waiters {
      waiter.continuation.resume(with: failure.map { .failure($0) } ?? .success(()))
    }
    publishStatus()
  }
}

// For the worker.
extension SharingEngine {
  /// Runs a worker until the sharing ends.
  func start(_ worker: SharingWorker<Storage>) {
    let hints = worker.log.wake()
    let reader = Task { [weak self] in
      for await hint in hints { self?.noteHint(hint) }
      // The hints end when the log is closed. The worker's next call then throws `isClosed`.
      self?.noteHint(0)
    }
    contents.withLock { $0.reader = reader }
    worker.log.startTask { [self] in
      signal()
      for await _ in signals.stream {
        await runOnce(worker)
        if isEnded { break }
      }
    }
  }

  /// Runs the worker once. While a retry is pending, the worker only stores the recorded batches.
  func runOnce(_ worker: SharingWorker<Storage>) async {
    if contents.withLock({ $0.isStopped || $0.phase == .ended }) { return }
    if contents.withLock({ $0.isPaused }) {
      return await noteFailure { try await worker.storeRecorded() }
    }
    await noteFailure {
      try await worker.run()
      contents.withLock { contents in
        contents.failure = nil
        contents.delay = SharingTimer.firstDelay
      }
      publishStatus()
    }
    let isDone = contents.withLock { contents in
      contents.phase == .ending
        && (contents.isStopped || contents.finishedNumber == contents.lastNumber)
    }
    if isDone { finish(because: contents.withLock { $0.isStopped ? $0.failure : nil }) }
  }

  func takeRecorded() -> [LocalBatch<Storage>] {
    contents.withLock { contents in
      defer { contents.recorded = [] }
      contents.taken += contents.recorded.count
      return contents.recorded
    }
  }

  /// Records that each batch up to a number is in the outbox, is confirmed, or is rejected. Resumes
  /// the waiters.
  func noteStored(_ number: Int64) {
    let waiters = contents.withLock { contents -> [Waiter] in
      contents.storedNumber = max(contents.storedNumber, number)
      let reached = contents.reached(isStored: true)
      return contents.removeWaiters { $0.isStored && $0.number <= reached }
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Returns whether there may be new batches, and resets the hint.
  func takeHint() -> Bool {
    contents.withLock { contents in
      defer { contents.mustRead = false }
      return contents.mustRead
    }
  }

  /// The part of the store, or `nil` if commits are no longer shared.
  var activePart: SharedPart<Storage>? {
    contents.withLock { $0.phase == .active ? $0.part : nil }
  }

  func noteUnread(_ unread: Int64) {
    contents.withLock { $0.unread = Int(clamping: max(0, unread)) }
    publishStatus()
  }

  private func noteFailure(of body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      noteFailure(SharedDatabaseError(sharing: space, error))
    }
  }

  private func noteFailure(_ failure: SharedDatabaseError) {
    let now = Date()
    let (part, delay, waiters) = contents.withLock {
      contents -> (SharedPart<Storage>?, Duration?, [Waiter]) in
      guard contents.phase != .ended else { return (nil, nil, []) }
      let isNew = contents.failure != failure
      if contents.failure == nil { contents.failureTime = now }
      contents.failure = failure
      contents.mustRead = true
      let part = isNew ? contents.part : nil
      guard failure.isTransient else {
        contents.isStopped = true
        return (part, nil, contents.removeWaiters { _ in true })
      }
      contents.isPaused = true
      let delay = contents.delay
      contents.delay = SharingTimer.delay(after: delay)
      return (part, delay, [])
    }
    for waiter in waiters { waiter.continuation.resume(throwing: failure) }
    part?.observation.report(StoreProblem(sharing: space, isRetried: failure.isTransient, failure))
    publishStatus()
    // The closure retains `self`, and thereby the recorded batches, until the retry.
    if let delay { timer.after(delay) { self.resume() } }
  }

  private func resume() {
    contents.withLock { $0.isPaused = false }
    signal()
  }

  /// Publishes the status. It is computed in the commit, so the last commit has the newest status.
  private func publishStatus() { statuses.commit { $0 = status } }
}
