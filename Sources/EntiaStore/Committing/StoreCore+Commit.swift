extension StoreCore {
  /// Makes a commit; one that a middleware refuses leaves the state as it was.
  ///
  /// Without a coalescing it is no step that can be undone.
  func commit<Result>(
    _ name: String?, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try make(name, coalescing, body).result
  }

  /// Makes a commit, and throws why a middleware refused it.
  func commitOrThrow<Result>(
    _ name: String?, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    let committed = try make(name, coalescing, body)
    if let refusal = committed.refusal { throw refusal }
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

  private func make<Result>(
    _ name: String?, _ coalescing: UndoCoalescing?,
    _ body: (inout State) throws -> Result
  ) rethrows -> Committed<Result> {
    if turn.isHeldByThisThread {
      if levels.isOpen {
        // The outer commit is the one to be refused.
        return Committed(result: try levels.join(equality, body), isChanged: true, refusal: nil)
      }
      // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
      // `deinit`.
      return try transact(name, undo: coalescing, body)
    }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = current
    let committed: Committed<Result>
    do {
      committed = try transact(name, undo: coalescing, body)
    } catch {
      end(since: before)
      throw error
    }
    end(since: before)
    if let began { log(name, committed, since: began) }
    return committed
  }

  /// Passes the turn on, and tells everybody what happened in it.
  ///
  /// Also after a commit that failed: a value it dropped may have committed or sent in its `deinit`.
  func end(since before: Snapshot<State>) {
    let after = current
    turn.pass()
    if before !== after { observation.changed(from: before.value, to: after.value) }
    hub.deliver()
  }
}
