/// The outcome of a commit.
///
/// Not generic, like all code that every commit runs.
@usableFromInline
struct CommitOutcome {
  @usableFromInline var isChanged: Bool
  /// The refusal of a middleware.
  @usableFromInline var refusal: (any Error)?

  @inlinable
  init(isChanged: Bool = false, refusal: (any Error)? = nil) {
    self.isChanged = isChanged
    self.refusal = refusal
  }
}

/// The result of a commit that has not been published.
struct HookResult {
  /// The new version, or `nil` if the state is unchanged.
  var next: AnyStateVersion?
  var refusal: (any Error)?
  var activities: [AnySentActivity] = []
}

extension StoreCore {
  /// Runs a commit under the commit lock and publishes its state.
  ///
  /// Without `coalescing`, the commit is not an undo step.
  @inlinable
  func transact<Result>(
    _ mark: CommitMetadata, undo coalescing: UndoCoalescing?, _ fate: inout CommitOutcome,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if !levels.isPlain { return try transact(mark, undo: coalescing, over: nil, &fate, body) }
    let start = levels.current
    let outcome = try levels.run(from: start.of(State.self), equality, body)
    if let refusal = outcome.refusal {
      fate = CommitOutcome(refusal: refusal)
      return outcome.result
    }
    if outcome.isChanged {
      let next = StateVersion(outcome.state, version: levels.current.version + 1, mark: mark)
      swap(in: next, outcome.activities)
      if let coalescing, history.record(from: start, to: next, coalescing: coalescing) {
        moveLaterCommits(before: start)
      }
    } else if !outcome.activities.isEmpty {
      post(outcome.activities)
    }
    fate = CommitOutcome(isChanged: outcome.isChanged)
    return outcome.result
  }

  /// Runs a commit with hooks or layers.
  ///
  /// - Parameter others: The new layers, if they change.
  @usableFromInline
  func transact<Result>(
    _ mark: CommitMetadata, undo coalescing: UndoCoalescing?,
    over others: [LayerStack<State>.Layer]?, _ fate: inout CommitOutcome,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = committedInTurn
    // A middleware that is added inside of the commit is not called for it.
    let middleware = hooks.middleware
    let outcome = try levels.run(from: start, equality, body)
    var verdict = HookResult()
    if let refusal = outcome.refusal {
      verdict.refusal = refusal
    } else if outcome.isChanged {
      verdict = judge(outcome.state, after: start, mark, by: middleware)
    }
    if verdict.refusal == nil {
      verdict.activities = outcome.activities + verdict.activities
      publish(verdict, after: start, mark, undo: coalescing, over: others)
    }
    fate = CommitOutcome(isChanged: verdict.next != nil, refusal: verdict.refusal)
    return outcome.result
  }

  /// Runs the hooks on a change, under the commit lock.
  ///
  /// - Parameters:
  ///   - middleware: The middleware to call; by default all there is.
  ///   - isReduced: Whether the state has gone through its own hook before.
  func judge(
    _ changed: State, after start: StateVersion<State>, _ mark: CommitMetadata,
    by middleware: [StoreMiddleware<State>]? = nil, isReduced: Bool = false
  ) -> HookResult {
    let middleware = middleware ?? hooks.middleware
    let version = levels.current.version + 1
    let isReduced = isReduced || hooks.reduce == nil || levels.reducesNothing
    if isReduced, middleware.isEmpty {
      return HookResult(next: StateVersion(changed, version: version, mark: mark))
    }
    var verdict = HookResult()
    var state = changed
    if !isReduced {
      let refusal = reduce(&state, after: start)
      updatePlainness()
      if let refusal { return HookResult(refusal: refusal) }
    }
    if !middleware.isEmpty {
      let reduced = StateVersion(state, version: start.version, mark: mark)
      do {
        // A separate level, so that a commit in a middleware joins.
        let judged = try levels.run(from: reduced, equality) {
          for middleware in middleware { try middleware.check(start.value, &$0, mark) }
        }
        if let refusal = judged.refusal { return HookResult(refusal: refusal) }
        state = judged.state
        verdict.activities = judged.activities
      } catch {
        return HookResult(refusal: error)
      }
    }
    if !equality.areSurelyEqual(start.value, state) {
      verdict.next = StateVersion(state, version: version, mark: mark)
    }
    return verdict
  }

  /// Calls the state's own hook. Returns a refusal if the hook commits.
  func reduce(_ state: inout State, after start: StateVersion<State>) -> NestedCommitError? {
    guard let reduce = hooks.reduce else { return nil }
    // A separate level, so that a nested commit is detected.
    levels.open(from: start)
    levels.reducesNothing = DefaultReduction.isNoted { reduce(&state, start.value) }
    return levels.finish().refusal
  }

  /// Publishes the result of a change, with the layers on top, and posts the sent activities.
  ///
  /// - Parameter others: The new layers, if they change.
  func publish(
    _ verdict: HookResult, after start: StateVersion<State>, _ mark: CommitMetadata,
    undo coalescing: UndoCoalescing?, over others: [LayerStack<State>.Layer]? = nil
  ) {
    if let others = others ?? (verdict.next == nil ? nil : layers.layersIfAny) {
      show(verdict.next?.of(State.self) ?? start, beneath: others, mark, verdict.activities)
    } else if let next = verdict.next {
      swap(in: next, verdict.activities)
    } else if !verdict.activities.isEmpty {
      post(verdict.activities)
    }
    if let next = verdict.next, let coalescing,
      history.record(from: start, to: next, coalescing: coalescing)
    {
      moveLaterCommits(before: start)
    }
  }

  /// Replaces the current version, under the commit lock.
  @inlinable
  func swap(in next: AnyStateVersion, _ activities: [AnySentActivity]) {
    // The old version is retained until the lock has been released.
    let old = levels.current
    levels.current = next
    if broadcaster.publish(next, after: old, activities) { levels.mustDeliver = true }
  }

  /// Posts the activities of a commit that changed nothing.
  @usableFromInline
  func post(_ activities: [AnySentActivity]) {
    for activity in activities { broadcaster.publish(activity) }
    levels.mustDeliver = true
  }
}
