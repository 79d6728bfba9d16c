extension StoreCore {
  func commit<Result>(
    _ name: String?, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread {
      if levels.isOpen { return try levels.join(body) }
      // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
      // `deinit`.
      return try transact(name, body)
    }
    turn.take()
    let result: Result
    do {
      result = try transact(name, body)
    } catch {
      turn.pass()
      throw error
    }
    turn.pass()
    deliver()
    return result
  }

  func send(_ activity: Activity) {
    if turn.isHeldByThisThread, levels.isOpen {
      levels.hold(activity)
    } else {
      contents.withLock { $0.board.post(.activity(activity)) }
      deliver()
    }
  }

  /// Runs a commit in the turn of this thread and swaps its state in.
  private func transact<Result>(
    _ name: String?, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = current
    let outcome = try levels.run(from: start, body)
    let activities = outcome.activities
    guard outcome.isChanged || !activities.isEmpty else { return outcome.result }
    let next =
      outcome.isChanged
      ? Snapshot(outcome.state, version: start.version + 1, commitName: name) : start
    // `start` outlives this, so the old state is not released under the lock.
    contents.withLock { contents in
      if outcome.isChanged {
        contents.current = next
        contents.board.post(.state(next, previous: start))
      }
      for activity in activities { contents.board.post(.activity(activity)) }
    }
    return outcome.result
  }
}
