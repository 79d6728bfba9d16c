/// What became of a commit.
struct Committed<Result> {
  let result: Result
  let isChanged: Bool
  /// Why a middleware refused it.
  let refusal: (any Error)?
}

extension StoreCore {
  /// Where a commit leads when nobody has seen it yet.
  struct Verdict {
    /// `nil` for the state before.
    var state: State?
    var refusal: (any Error)?
    var activities: [AnySentActivity] = []
  }

  /// Runs a commit in the turn of this thread and swaps its state in.
  ///
  /// Without a coalescing it is no step that can be undone.
  func transact<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing?,
    over others: [LayerStack<State>.Layer]? = nil, _ body: (inout State) throws -> Result
  ) rethrows -> Committed<Result> {
    let start = committedInTurn
    let outcome = try levels.run(from: start, equality, body)
    var verdict = Verdict()
    if outcome.isChanged { verdict = judge(outcome.state, after: start, mark) }
    if verdict.refusal == nil {
      verdict.activities = outcome.activities + verdict.activities
      publish(verdict, after: start, mark, undo: coalescing, over: others)
    }
    return Committed(
      result: outcome.result, isChanged: verdict.state != nil, refusal: verdict.refusal)
  }

  /// Asks the hooks about a change, in the turn of this thread.
  ///
  /// - Parameter isReduced: Whether the state has gone through its own hook before.
  func judge(
    _ changed: State, after start: Snapshot<State>, _ mark: CommitMark, isReduced: Bool = false
  ) -> Verdict {
    if hooks.reduce == nil, hooks.middleware.isEmpty { return Verdict(state: changed) }
    var verdict = Verdict()
    var state = changed
    if !isReduced { hooks.reduce?(&state, start.value) }
    if !hooks.middleware.isEmpty {
      let reduced = Snapshot(state, version: start.version, mark: mark)
      do {
        // A level of its own, so that what a middleware commits joins.
        let judged = try levels.run(from: reduced, equality) {
          try hooks.apply(start.value, &$0, mark)
        }
        state = judged.state
        verdict.activities = judged.activities
      } catch {
        return Verdict(refusal: error)
      }
    }
    if !equality.areSurelyEqual(start.value, state) { verdict.state = state }
    return verdict
  }

  /// Swaps in what a change leads to, with the layers on top, and posts what was sent with it.
  ///
  /// - Parameter others: The layers from now on, if they are others.
  func publish(
    _ verdict: Verdict, after start: Snapshot<State>, _ mark: CommitMark,
    undo coalescing: UndoCoalescing?, over others: [LayerStack<State>.Layer]? = nil
  ) {
    let shown = current
    let isChanged = verdict.state != nil
    let next = verdict.state.map { Snapshot($0, version: shown.version + 1, mark: mark) } ?? start
    if let others = others ?? (isChanged ? layers.layersIfAny : nil) {
      show(next, beneath: others, mark, verdict.activities)
    } else if isChanged || !verdict.activities.isEmpty {
      hub.publish(isChanged ? next : nil, after: shown, verdict.activities)
    }
    if isChanged, let coalescing {
      history.record(from: start, to: next, name: mark.name, coalescing: coalescing)
    }
  }
}
