extension StoreCore {
  /// Performs a commit. If a middleware refuses it, the state is unchanged and the refusal is
  /// reported.
  ///
  /// Without `coalescing`, the commit is not an undo step.
  @inlinable
  func commit<Result>(
    _ mark: CommitMetadata, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    var fate = CommitOutcome()
    let result = try make(mark, coalescing, &fate, body)
    if let refusal = fate.refusal { reportRefusal(refusal, of: mark) }
    return result
  }

  /// Reports a refused commit to the problem handler; the logger has a separate entry for it.
  @usableFromInline
  func reportRefusal(_ refusal: any Error, of mark: CommitMetadata) {
    let problem = StoreProblem(commit: mark.name, refusal)
    // A value's `deinit` can commit while this thread holds the commit lock. Reports then wait until
    // the lock is released.
    if commitLock.isHeldByThisThread {
      // The outer commit is refused too, and reports the refusal.
      if !levels.isOpen { levels.problems.append(problem) }
    } else {
      problems.reportRefusal(problem)
    }
  }

  /// Performs a commit, and throws the refusal of a middleware.
  @inlinable
  func commitOrThrow<Result>(
    _ mark: CommitMetadata, undo coalescing: UndoCoalescing? = .never,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    var fate = CommitOutcome()
    let result = try make(mark, coalescing, &fate, body)
    if let refusal = fate.refusal { throw refusal }
    return result
  }

  func send(_ activity: Activity) {
    let sent = SentActivity(activity)
    let isInTurn = commitLock.isHeldByThisThread
    if isInTurn, levels.isOpen { return levels.hold(sent) }
    broadcaster.publish(sent)
    // While this thread holds the commit lock, the commit that is ending delivers the activity after the commit lock is released.
    if isInTurn { levels.mustDeliver = true } else { broadcaster.deliver() }
  }

  // Inlined into its caller, like the rest of a plain commit: code specialized for the state's type
  // takes a fraction of the time of a type lookup.
  @inlinable
  func make<Result>(
    _ mark: CommitMetadata, _ coalescing: UndoCoalescing?, _ fate: inout CommitOutcome,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if commitLock.isHeldByThisThread { return try makeInside(mark, coalescing, &fate, body) }
    if isLogged { return try makeLogged(mark, coalescing, &fate, body) }
    commitLock.lock()
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

  /// Performs a commit under a commit lock that this thread already holds.
  @usableFromInline
  func makeInside<Result>(
    _ mark: CommitMetadata, _ coalescing: UndoCoalescing?, _ fate: inout CommitOutcome,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    // Hooks refuse the outer commit; here a refusal only means that the commit cannot be replayed.
    if levels.isOpen {
      let result = try levels.join(equality, body)
      fate.refusal = levels.refusal
      return result
    }
    // The thread holds the commit lock but no closure is running: a value released by a failed commit
    // commits in its `deinit`.
    return try transact(mark, undo: coalescing, &fate, body)
  }

  /// Performs a commit that is logged.
  @usableFromInline
  func makeLogged<Result>(
    _ mark: CommitMetadata, _ coalescing: UndoCoalescing?, _ fate: inout CommitOutcome,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let began = ContinuousClock.now
    commitLock.lock()
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

  /// Releases the commit lock, and then notifies observers of the changes made in it. Returns the state at
  /// its end.
  ///
  /// This also follows a failed commit: a value that it released may have committed or sent
  /// activities in its `deinit`.
  @inlinable
  @discardableResult
  func end(since before: AnyStateVersion) -> AnyStateVersion {
    let after = levels.current
    let mustDeliver = levels.mustDeliver
    if mustDeliver { levels.mustDeliver = false }
    let problems = levels.problems
    if !problems.isEmpty { levels.problems = [] }
    commitLock.unlock()
    if before !== after, line.isUsed {
      tellObservation(before, after)
    }
    if mustDeliver { broadcaster.deliver() }
    if !problems.isEmpty { report(problems) }
    return after
  }

  @usableFromInline
  func report(_ problems: [StoreProblem]) {
    for problem in problems { self.problems.report(problem) }
  }

  /// Logs a commit; must be called without the commit lock.
  func log(
    _ mark: CommitMetadata, _ fate: CommitOutcome, since began: ContinuousClock.Instant?,
    from before: AnyStateVersion, to after: AnyStateVersion
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
