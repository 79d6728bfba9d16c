extension StoreCore {
  /// Makes a commit; one that a middleware refuses leaves the state as it was, and is reported.
  ///
  /// Without a coalescing it is no step that can be undone.
  @inlinable
  func commit<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    var fate = CommitFate()
    let result = try make(mark, coalescing, &fate, body)
    if let refusal = fate.refusal { reportRefusal(refusal, of: mark) }
    return result
  }

  /// Reports a refused commit to the problem handler; the logger has an entry of its own for it.
  @usableFromInline
  func reportRefusal(_ refusal: any Error, of mark: CommitMark) {
    let problem = StoreProblem(commit: mark.name, refusal)
    // In a turn of this thread, which a value's `deinit` can commit in, reports wait for its end.
    if turn.isHeldByThisThread {
      // The commit around it is refused too, and reports it.
      if !levels.isOpen { levels.problems.append(problem) }
    } else {
      problems.reportRefusal(problem)
    }
  }

  /// Makes a commit, and throws why a middleware refused it.
  @inlinable
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
    let isInTurn = turn.isHeldByThisThread
    if isInTurn, levels.isOpen { return levels.hold(sent) }
    hub.publish(sent)
    // In this thread's turn the commit that is ending delivers, after the turn.
    if isInTurn { levels.mustDeliver = true } else { hub.deliver() }
  }

  // Compiled into its caller, like all that follows of a plain commit: what knows the state's type
  // takes a fraction of what looking it up takes.
  @inlinable
  func make<Result>(
    _ mark: CommitMark, _ coalescing: UndoCoalescing?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread { return try makeInside(mark, coalescing, &fate, body) }
    if isLogged { return try makeLogged(mark, coalescing, &fate, body) }
    turn.take()
    let before = levels.current
    let result: Result
    do {
      result = try transact(mark, undo: coalescing, &fate, body)
    } catch {
      end(since: before)
      throw error
    }
    end(since: before)
    return result
  }

  /// Makes a commit in a turn that this thread has already.
  @usableFromInline
  func makeInside<Result>(
    _ mark: CommitMark, _ coalescing: UndoCoalescing?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    // A hook refuses the outer commit; only what cannot be replayed is known here.
    if levels.isOpen {
      let result = try levels.join(equality, body)
      fate.refusal = levels.refusal
      return result
    }
    // The turn is ours but no closure runs: a value dropped by a failed commit commits in its
    // `deinit`.
    return try transact(mark, undo: coalescing, &fate, body)
  }

  /// Makes a commit that a logger is told of.
  @usableFromInline
  func makeLogged<Result>(
    _ mark: CommitMark, _ coalescing: UndoCoalescing?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let began = ContinuousClock.now
    turn.take()
    let before = levels.current
    let result: Result
    do {
      result = try transact(mark, undo: coalescing, &fate, body)
    } catch {
      end(since: before)
      throw error
    }
    log(mark, fate, since: began, from: before, to: end(since: before))
    return result
  }

  /// Passes the turn on, and tells everybody what happened in it; gives the state it ended with.
  ///
  /// Also after a commit that failed: a value it dropped may have committed or sent in its `deinit`.
  @inlinable
  @discardableResult
  func end(since before: AnySnapshot) -> AnySnapshot {
    let after = levels.current
    let mustDeliver = levels.mustDeliver
    if mustDeliver { levels.mustDeliver = false }
    let problems = levels.problems
    if !problems.isEmpty { levels.problems = [] }
    turn.pass()
    if before !== after, line.isUsed {
      tellObservation(before, after)
    }
    if mustDeliver { hub.deliver() }
    if !problems.isEmpty { report(problems) }
    return after
  }

  @usableFromInline
  func report(_ problems: [StoreProblem]) {
    for problem in problems { self.problems.report(problem) }
  }

  /// Tells the logger of a commit; called without a turn.
  func log(
    _ mark: CommitMark, _ fate: CommitFate, since began: ContinuousClock.Instant?,
    from before: AnySnapshot, to after: AnySnapshot
  ) {
    guard let logger = hooks.logger, let began else { return }
    if let refusal = fate.refusal {
      logger.log(.refused(name: mark.name, error: refusal))
    } else {
      logger.log(
        .committed(
          StoreCommit(
            mark, duration: ContinuousClock.now - began, isChanged: fate.isChanged,
            from: before.of(State.self), to: after.of(State.self))))
    }
  }
}
