/// What became of a commit.
struct Committed<Result> {
  let result: Result
  let isChanged: Bool
  /// Why a middleware refused it.
  let refusal: (any Error)?
}

extension StoreCore {
  /// Where a commit leads when nobody has seen it yet.
  struct Verdict {
    /// `nil` for the state before.
    var state: State?
    var refusal: (any Error)?
    var activities: [AnySentActivity] = []
  }

  /// Runs a commit in the turn of this thread and swaps its state in.
  ///
  /// Without a coalescing it is no step that can be undone.
  func transact<Result>(
    _ name: String?, undo coalescing: UndoCoalescing?,
    _ body: (inout State) throws -> Result
  ) rethrows -> Committed<Result> {
    let start = current
    let outcome = try levels.run(from: start, equality, body)
    var verdict = Verdict()
    if outcome.isChanged { verdict = judge(outcome.state, after: start, name) }
    if verdict.refusal == nil { verdict.activities = outcome.activities + verdict.activities }
    publish(verdict, after: start, name, undo: coalescing)
    return Committed(
      result: outcome.result, isChanged: verdict.state != nil, refusal: verdict.refusal)
  }

  /// Asks the hooks about a change, in the turn of this thread.
  ///
  /// - Parameter isReduced: Whether the state has gone through its own hook before.
  func judge(
    _ changed: State, after start: Snapshot<State>, _ name: String?, isReduced: Bool = false
  ) -> Verdict {
    if hooks.reduce == nil, hooks.middleware.isEmpty { return Verdict(state: changed) }
    var verdict = Verdict()
    var state = changed
    if !isReduced { hooks.reduce?(&state, start.value) }
    if !hooks.middleware.isEmpty {
      let reduced = Snapshot(state, version: start.version, commitName: name)
      do {
        // A level of its own, so that what a middleware commits joins.
        let judged = try levels.run(from: reduced, equality) {
          try hooks.apply(start.value, &$0, name)
        }
        state = judged.state
        verdict.activities = judged.activities
      } catch {
        return Verdict(refusal: error)
      }
    }
    if !equality.areSurelyEqual(start.value, state) { verdict.state = state }
    return verdict
  }

  /// Swaps in what a change leads to, and posts what was sent with it.
  func publish(
    _ verdict: Verdict, after start: Snapshot<State>, _ name: String?,
    undo coalescing: UndoCoalescing?
  ) {
    guard let state = verdict.state else {
      if !verdict.activities.isEmpty { hub.publish(nil, after: start, verdict.activities) }
      return
    }
    let next = Snapshot(state, version: start.version + 1, commitName: name)
    hub.publish(next, after: start, verdict.activities)
    if let coalescing {
      history.record(from: start, to: next, name: name, coalescing: coalescing)
    }
  }

  /// Tells the logger of a commit; called without a turn.
  func log<Result>(
    _ name: String?, _ committed: Committed<Result>, since began: ContinuousClock.Instant
  ) {
    guard let logger = hooks.logger else { return }
    if let refusal = committed.refusal {
      logger.log(.refused(name: name, error: refusal))
    } else {
      logger.log(
        .committed(
          name: name, duration: ContinuousClock.now - began, isChanged: committed.isChanged))
    }
  }
}
