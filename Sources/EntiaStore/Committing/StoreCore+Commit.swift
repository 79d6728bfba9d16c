extension StoreCore {
  func commit<Result>(
    _ name: String?, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread {
      if levels.isOpen { return try levels.join(equality, body) }
      // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
      // `deinit`.
      return try transact(name, body).result
    }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = current
    let committed: Committed<Result>
    do {
      committed = try transact(name, body)
    } catch {
      end(since: before)
      throw error
    }
    end(since: before)
    if let began { log(name, committed, since: began) }
    return committed.result
  }

  func send(_ activity: Activity) {
    let sent = SentActivity(activity)
    if turn.isHeldByThisThread, levels.isOpen {
      levels.hold(sent)
    } else {
      hub.publish(sent)
      // In this thread's turn the commit that is ending delivers, after the turn.
      if !turn.isHeldByThisThread { hub.deliver() }
    }
  }

  /// Passes the turn on, and tells everybody what happened in it.
  ///
  /// Also after a commit that failed: a value it dropped may have committed or sent in its `deinit`.
  private func end(since before: Snapshot<State>) {
    let after = current
    turn.pass()
    if before !== after { observation.changed(from: before.value, to: after.value) }
    hub.deliver()
  }

  private struct Committed<Result> {
    let result: Result
    let isChanged: Bool
    let refusal: (any Error)?
  }

  /// Runs a commit in the turn of this thread and swaps its state in.
  private func transact<Result>(
    _ name: String?, _ body: (inout State) throws -> Result
  ) rethrows -> Committed<Result> {
    let start = current
    let outcome = try levels.run(from: start, equality, body)
    guard outcome.isChanged else {
      if !outcome.activities.isEmpty { hub.publish(nil, after: start, outcome.activities) }
      return Committed(result: outcome.result, isChanged: false, refusal: nil)
    }
    var activities = outcome.activities
    let (state, refusal) = judge(outcome.state, after: start, name, &activities)
    guard let state else {
      if refusal == nil, !activities.isEmpty { hub.publish(nil, after: start, activities) }
      return Committed(result: outcome.result, isChanged: false, refusal: refusal)
    }
    hub.publish(
      Snapshot(state, version: start.version + 1, commitName: name), after: start, activities)
    return Committed(result: outcome.result, isChanged: true, refusal: nil)
  }

  /// Gives the state that a commit leads to, or `nil` for the one before.
  private func judge(
    _ changed: State, after start: Snapshot<State>, _ name: String?,
    _ activities: inout [AnySentActivity]
  ) -> (state: State?, refusal: (any Error)?) {
    if hooks.reduce == nil, hooks.middleware.isEmpty { return (changed, nil) }
    var state = changed
    hooks.reduce?(&state, start.value)
    if !hooks.middleware.isEmpty {
      let reduced = Snapshot(state, version: start.version, commitName: name)
      do {
        // A level of its own, so that what a middleware commits joins.
        let judged = try levels.run(from: reduced, equality) {
          try hooks.apply(start.value, &$0, name)
        }
        state = judged.state
        activities += judged.activities
      } catch {
        return (nil, error)
      }
    }
    return (equality.areSurelyEqual(start.value, state) ? nil : state, nil)
  }

  private func log<Result>(
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
