extension StoreCore {
  /// Reports problems to the logger and the problem handler.
  @usableFromInline
  func report(_ problems: [StoreProblem]) {
    for problem in problems { self.problems.report(problem) }
  }

  /// Reports a refused commit to the problem handler; the logger has a separate entry for it.
  @usableFromInline
  func reportRefusal(_ refusal: any Error, of metadata: CommitMetadata) {
    let problem = StoreProblem(commit: metadata.name, refusal)
    // A value's `deinit` can commit while this thread holds the commit lock. Reports then wait
    // until the lock is released.
    if commitLock.isHeldByThisThread {
      commitState.problems.append(problem)
    } else {
      problems.reportRefusal(problem)
    }
  }

  /// Logs a commit that has ended; must be called without the commit lock.
  @usableFromInline
  func log(
    _ request: CommitRequest, from before: StateVersion<State>, to after: StateVersion<State>
  ) {
    guard let logger = hooks.logger, let start = request.start else { return }
    let isChanged: Bool
    switch request.outcome {
    case nil, .failed: return
    case .refused(let refusal):
      return logger.log(.refused(name: request.metadata.name, error: refusal))
    case .unchanged: isChanged = false
    case .changed: isChanged = true
    }
    let duration = UndoTime.now.elapsed - start.elapsed
    logger.log(
      .committed(
        StoreCommit(
          request.metadata, duration: duration, isChanged: isChanged, from: before, to: after)))
  }
}
