// A commit runs through these functions in this order:
//
// 1. `commit` and `commitOrThrow` perform it, and report or throw a refusal.
// 2. `perform` acquires the commit lock. It stops the process if it is called by the closure or a
//    hook of a commit to the same store.
// 3. `transact` runs the closure, and the hooks if there are any.
// 4. `publish` replaces the current version, posts the change to the observers' queues, and records
//    the change in the history.
// 5. `unlock` releases the lock, and calls the observers: `StoreBroadcaster.deliver`.
//
// These functions are inlined into the caller, which specializes them for the state's type.
// Otherwise they would look up the type at run time, which takes several times as long as running
// the specialized code. The type is erased once, in `replaceCurrent`, and restored where an
// observer is called.

extension StoreCore {
  /// Performs a commit. If the commit is refused, the state is unchanged and the refusal is
  /// reported.
  @inlinable
  func commit<Result>(
    _ request: CommitRequest, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    var request = request
    let result = try perform(&request, body)
    if case .refused(let refusal) = request.outcome {
      reportRefusal(refusal, of: request.metadata)
    }
    return result
  }

  @inlinable
  func commitOrThrow<Result>(
    _ request: CommitRequest, _ body: (inout State) throws -> Result
  ) throws -> Result {
    var request = request
    let result = try perform(&request, body)
    if case .refused(let refusal) = request.outcome { throw refusal }
    return result
  }

  @inlinable
  func perform<Result>(
    _ request: inout CommitRequest, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if commitLock.isHeldByThisThread { return try performInside(&request, body) }
    return try withCommitLock(&request) { try transact(&$0, body) }
  }

  /// Performs a commit under a commit lock that this thread already holds.
  @usableFromInline
  func performInside<Result>(
    _ request: inout CommitRequest, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    openCommit.checkNoneIsRunning(before: request.origin)
    return try transact(&request, body)
  }

  /// Runs a closure under the commit lock, which this thread may already hold.
  ///
  /// Stops the process if the closure or the hooks of a commit to this store are running on this
  /// thread. If this thread holds the lock for another reason, the caller is the `deinit` of a
  /// value that a commit released. The commit that released the value then reports the changes of
  /// `body`.
  func underCommitLock<Result>(
    _ request: inout CommitRequest, _ body: (inout CommitRequest) throws -> Result
  ) rethrows -> Result {
    if commitLock.isHeldByThisThread {
      openCommit.checkNoneIsRunning(before: request.origin)
      return try body(&request)
    }
    return try withCommitLock(&request, body)
  }

  /// Runs a closure, which makes no commit, under the commit lock. This thread may already hold the
  /// lock.
  func holdingCommitLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    if commitLock.isHeldByThisThread { return try body() }
    commitLock.lock()
    defer { commitLock.unlock() }
    return try body()
  }

  /// Runs the closure of a commit and the hooks under the commit lock, and publishes the result.
  @inlinable
  func transact<Result>(
    _ request: inout CommitRequest, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = commitState.hasLayers ? committedUnderLock : commitState.current
    // A middleware that the closure adds is not called for this commit.
    let middleware = commitState.hasHooks ? self.middleware : nil
    let closure = try openCommit.run(request.origin, from: start, equality, body)
    var result = CommitResult<State>(activities: closure.activities)
    if closure.isChanged {
      if let middleware {
        runHooks(middleware, on: closure.state, after: start, request, &result)
      } else {
        result.next = StateVersion(
          closure.state, version: commitState.current.version + 1, metadata: request.metadata)
      }
    }
    publish(result, after: start, &request)
    return closure.result
  }

  /// Publishes the result of a commit, records the change in the history, and sets the outcome. A
  /// refused result is not published.
  @inlinable
  func publish(
    _ result: CommitResult<State>, after start: StateVersion<State>, _ request: inout CommitRequest
  ) {
    if let refusal = result.refusal {
      request.outcome = .refused(refusal)
      return
    }
    if commitState.hasLayers, result.next != nil || request.layer != nil {
      publishUnderLayers(result.next ?? start, result.activities, request)
    } else if let next = result.next {
      replaceCurrent(by: next, result.activities)
    } else if !result.activities.isEmpty {
      post(result.activities)
    }
    request.outcome = result.next == nil ? .unchanged : .changed
    if let next = result.next {
      record(next, after: start, request.recording)
      if commitState.isRecorded { recordChange(from: start, to: next) }
    }
  }

  /// Replaces the current version, and posts the change and the sent activities.
  @inlinable
  func replaceCurrent(by next: StateVersion<State>, _ activities: [AnyErasedValue]) {
    // The old version is retained until the lock of the broadcaster has been released.
    let old = commitState.current
    commitState.current = next
    if broadcaster.publish(next, after: old, activities) { commitState.mustDeliver = true }
  }

  /// Posts the activities of a commit that changed nothing.
  @usableFromInline
  func post(_ activities: [AnyErasedValue]) {
    for activity in activities { broadcaster.publish(activity) }
    commitState.mustDeliver = true
  }

  @inlinable
  func record(
    _ next: StateVersion<State>, after start: StateVersion<State>,
    _ recording: CommitRequest.Recording
  ) {
    switch recording {
    case .step(let coalescing):
      let joining = history.record(from: start, to: next, coalescing: coalescing)
      if joining != .none { joined(joining, from: start, to: next) }
    case .replayed(let edit): keep(edit, since: start)
    case .unrecorded: break
    }
  }

  /// Acquires the commit lock, which this thread must not hold, and runs `body`. Then reports the
  /// changes to Observation, to the observers and to the logger.
  ///
  /// The changes are also reported if `body` throws. `body` may have released a value whose
  /// `deinit` committed or sent activities.
  @inlinable
  func withCommitLock<Result>(
    _ request: inout CommitRequest, _ body: (inout CommitRequest) throws -> Result
  ) rethrows -> Result {
    if isLogged { request.start = .now }
    commitLock.lock()
    if commitState.isInspected { beginRecording() }
    let before = commitState.current
    defer { unlock(request, since: before) }
    do {
      return try body(&request)
    } catch {
      request.outcome = .failed(error)
      throw error
    }
  }

  @inlinable
  func unlock(_ request: CommitRequest, since before: StateVersion<State>) {
    let after = commitState.current
    let mustDeliver = commitState.mustDeliver
    if mustDeliver { commitState.mustDeliver = false }
    let problems = commitState.problems
    if !problems.isEmpty { commitState.problems = [] }
    let isObserved = commitState.isObserved && (before !== after || commitState.hasNewBase)
    if isObserved { commitState.hasNewBase = false }
    let recording = commitState.isInspected ? record(request, from: before, to: after) : nil
    commitLock.unlock()
    if isObserved { notifyCommitObservers() }
    if before.version != after.version, pendingChanges.isUsed {
      notifyObservation(from: before, to: after)
    }
    if mustDeliver { broadcaster.deliver() }
    if !problems.isEmpty { report(problems) }
    if isLogged { log(request, from: before, to: after) }
    if let recording { finish(recording) }
  }
}
