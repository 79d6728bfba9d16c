extension StoreCore {
  func commit<Result>(
    _ name: String?, undo coalescing: UndoCoalescing = .never,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread {
      if levels.isOpen { return try levels.join(equality, body) }
      // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
      // `deinit`.
      return try transact(name, undo: coalescing, body)
    }
    turn.take()
    let result: Result
    do {
      result = try transact(name, undo: coalescing, body)
    } catch {
      turn.pass()
      // A value dropped by the failed commit may have committed or sent in its `deinit`.
      hub.deliver()
      throw error
    }
    turn.pass()
    hub.deliver()
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

  /// Runs a commit in the turn of this thread and swaps its state in; without a coalescing it is no
  /// step that can be undone.
  @discardableResult
  func transact<Result>(
    _ name: String?, undo coalescing: UndoCoalescing?,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = current
    let outcome = try levels.run(from: start, equality, body)
    if outcome.isChanged {
      let next = Snapshot(outcome.state, version: start.version + 1, commitName: name)
      hub.publish(next, after: start, outcome.activities)
      if let coalescing {
        history.record(from: start, to: next, name: name, coalescing: coalescing)
      }
    } else if !outcome.activities.isEmpty {
      hub.publish(nil, after: start, outcome.activities)
    }
    return outcome.result
  }
}
