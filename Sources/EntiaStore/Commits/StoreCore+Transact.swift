/// What became of a commit.
///
/// Not generic, like everything that each commit passes through.
@usableFromInline
struct CommitFate {
  @usableFromInline var isChanged: Bool
  /// Why a middleware refused it.
  @usableFromInline var refusal: (any Error)?

  @inlinable
  init(isChanged: Bool = false, refusal: (any Error)? = nil) {
    self.isChanged = isChanged
    self.refusal = refusal
  }
}

/// Where a commit leads when nobody has seen it yet.
struct CommitVerdict {
  /// `nil` for the state before.
  var next: AnySnapshot?
  var refusal: (any Error)?
  var activities: [AnySentActivity] = []
}

extension StoreCore {
  /// Runs a commit in the turn of this thread and swaps its state in.
  ///
  /// Without a coalescing it is no step that can be undone.
  @inlinable
  func transact<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    if !levels.isPlain { return try transact(mark, undo: coalescing, over: nil, &fate, body) }
    let start = levels.current
    let outcome = try levels.run(from: start.of(State.self), equality, body)
    if let refusal = outcome.refusal {
      fate = CommitFate(refusal: refusal)
      return outcome.result
    }
    if outcome.isChanged {
      let next = Snapshot(outcome.state, version: levels.current.version + 1, mark: mark)
      swap(in: next, outcome.activities)
      if let coalescing, history.record(from: start, to: next, coalescing: coalescing) {
        moveLaterCommits(before: start)
      }
    } else if !outcome.activities.isEmpty {
      post(outcome.activities)
    }
    fate = CommitFate(isChanged: outcome.isChanged)
    return outcome.result
  }

  /// Runs a commit of which hooks are asked, or over which layers lie.
  ///
  /// - Parameter others: The layers from now on, if they are others.
  @usableFromInline
  func transact<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing?,
    over others: [LayerStack<State>.Layer]?, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = committedInTurn
    let outcome = try levels.run(from: start, equality, body)
    var verdict = CommitVerdict()
    if let refusal = outcome.refusal {
      verdict.refusal = refusal
    } else if outcome.isChanged {
      verdict = judge(outcome.state, after: start, mark)
    }
    if verdict.refusal == nil {
      verdict.activities = outcome.activities + verdict.activities
      publish(verdict, after: start, mark, undo: coalescing, over: others)
    }
    fate = CommitFate(isChanged: verdict.next != nil, refusal: verdict.refusal)
    return outcome.result
  }

  /// Asks the hooks about a change, in the turn of this thread.
  ///
  /// - Parameter isReduced: Whether the state has gone through its own hook before.
  func judge(
    _ changed: State, after start: Snapshot<State>, _ mark: CommitMark, isReduced: Bool = false
  ) -> CommitVerdict {
    let version = levels.current.version + 1
    let isReduced = isReduced || hooks.reduce == nil || levels.reducesNothing
    if isReduced, hooks.middleware.isEmpty {
      return CommitVerdict(next: Snapshot(changed, version: version, mark: mark))
    }
    var verdict = CommitVerdict()
    var state = changed
    if !isReduced {
      let refusal = reduce(&state, after: start)
      updatePlainness()
      if let refusal { return CommitVerdict(refusal: refusal) }
    }
    if !hooks.middleware.isEmpty {
      let reduced = Snapshot(state, version: start.version, mark: mark)
      do {
        // A level of its own, so that what a middleware commits joins.
        let judged = try levels.run(from: reduced, equality) {
          try hooks.apply(start.value, &$0, mark)
        }
        if let refusal = judged.refusal { return CommitVerdict(refusal: refusal) }
        state = judged.state
        verdict.activities = judged.activities
      } catch {
        return CommitVerdict(refusal: error)
      }
    }
    if !equality.areSurelyEqual(start.value, state) {
      verdict.next = Snapshot(state, version: version, mark: mark)
    }
    return verdict
  }

  /// Calls the state's own hook; returns why the commit is refused when the hook commits too.
  func reduce(_ state: inout State, after start: Snapshot<State>) -> NestedCommitError? {
    guard let reduce = hooks.reduce else { return nil }
    // A level of its own, so that a commit inside is recognized.
    levels.open(from: start)
    levels.reducesNothing = DefaultReduction.isNoted { reduce(&state, start.value) }
    return levels.finish().refusal
  }

  /// Swaps in what a change leads to, with the layers on top, and posts what was sent with it.
  ///
  /// - Parameter others: The layers from now on, if they are others.
  func publish(
    _ verdict: CommitVerdict, after start: Snapshot<State>, _ mark: CommitMark,
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

  /// Swaps a version in, in the turn of this thread.
  @inlinable
  func swap(in next: AnySnapshot, _ activities: [AnySentActivity]) {
    // The old version is held until the lock has been given back.
    let old = levels.current
    levels.current = next
    if hub.publish(next, after: old, activities) { levels.mustDeliver = true }
  }

  /// Posts what was sent in a commit that changed nothing.
  @usableFromInline
  func post(_ activities: [AnySentActivity]) {
    for activity in activities { hub.publish(activity) }
    levels.mustDeliver = true
  }
}
