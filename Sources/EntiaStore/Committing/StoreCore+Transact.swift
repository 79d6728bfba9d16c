/// What became of a commit.
///
/// Not generic, like everything that each commit passes through.
struct CommitFate {
  var isChanged = false
  /// Why a middleware refused it.
  var refusal: (any Error)?
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
  func transact<Result>(
    _ mark: CommitMark, undo coalescing: UndoCoalescing?,
    over others: [LayerStack<State>.Layer]? = nil, _ fate: inout CommitFate,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let start = committedInTurn
    let outcome = try levels.run(from: start, equality, body)
    var verdict = CommitVerdict()
    if outcome.isChanged { verdict = judge(outcome.state, after: start, mark) }
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
    let version = current.version + 1
    let isReduced = isReduced || hooks.reduce == nil || levels.reducesNothing
    if isReduced, hooks.middleware.isEmpty {
      return CommitVerdict(next: Snapshot(changed, version: version, mark: mark))
    }
    var verdict = CommitVerdict()
    var state = changed
    if !isReduced {
      levels.reducesNothing = DefaultReduction.isNoted { hooks.reduce?(&state, start.value) }
    }
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
        return CommitVerdict(refusal: error)
      }
    }
    if !equality.areSurelyEqual(start.value, state) {
      verdict.next = Snapshot(state, version: version, mark: mark)
    }
    return verdict
  }

  /// Swaps in what a change leads to, with the layers on top, and posts what was sent with it.
  ///
  /// - Parameter others: The layers from now on, if they are others.
  func publish(
    _ verdict: CommitVerdict, after start: Snapshot<State>, _ mark: CommitMark,
    undo coalescing: UndoCoalescing?, over others: [LayerStack<State>.Layer]? = nil
  ) {
    let shown = current
    let isChanged = verdict.next != nil
    if let others = others ?? (isChanged ? layers.layersIfAny : nil) {
      show(verdict.next?.of(State.self) ?? start, beneath: others, mark, verdict.activities)
    } else if isChanged || !verdict.activities.isEmpty {
      hub.publish(verdict.next, after: shown, verdict.activities)
    }
    if let next = verdict.next, let coalescing {
      history.record(from: start, to: next, name: mark.name, coalescing: coalescing)
    }
  }
}
