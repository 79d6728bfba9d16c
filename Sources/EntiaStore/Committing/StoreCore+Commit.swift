extension StoreCore {
  /// Makes a commit; one that a middleware refuses leaves the state as it was.
  ///
  /// Without a coalescing it is no step that can be undone.
  func commit<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    var fate = CommitFate()
    return try make(mark, coalescing, &fate, body)
  }

  /// Makes a commit, and throws why a middleware refused it.
  func commitOrThrow<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    var fate = CommitFate()
    let result = try make(mark, coalescing, &fate, body)
    if let refusal = fate.refusal { throw refusal }
    return result
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

  private func make<Result>(
    _ mark: CommitMark, _ coalescing: UndoCoalescing?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread {
      if levels.isOpen {
        // The outer commit is the one to be refused.
        return try levels.join(equality, body)
      }
      // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
      // `deinit`.
      return try transact(mark, undo: coalescing, &fate, body)
    }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = current
    let result: Result
    do {
      result = try transact(mark, undo: coalescing, &fate, body)
    } catch {
      end(since: before)
      throw error
    }
    log(mark, fate, since: began, end(since: before))
    return result
  }

  /// Passes the turn on, and tells everybody what happened in it.
  ///
  /// Also after a commit that failed: a value it dropped may have committed or sent in its `deinit`.
  @discardableResult
  func end(since before: Snapshot<State>) -> (before: Snapshot<State>, after: Snapshot<State>) {
    let after = current
    let problems = levels.problems
    if !problems.isEmpty { levels.problems = [] }
    turn.pass()
    if before !== after { observation.changed(from: before, to: after) }
    hub.deliver()
    for problem in problems { self.problems.report(problem) }
    return (before, after)
  }

  /// Tells the logger of a commit; called without a turn.
  func log(
    _ mark: CommitMark, _ fate: CommitFate, since began: ContinuousClock.Instant?,
    _ states: (before: Snapshot<State>, after: Snapshot<State>)
  ) {
    guard let logger = hooks.logger, let began else { return }
    if let refusal = fate.refusal {
      logger.log(.refused(name: mark.name, error: refusal))
    } else {
      logger.log(
        .committed(
          StoreCommit(
            mark, duration: ContinuousClock.now - began, isChanged: fate.isChanged,
            from: states.before, to: states.after)))
    }
  }
}
