import EntiaDatabase

extension StoreCore {
  /// Makes a commit that is no step to be undone, and that undoing a step before it keeps.
  func makeUnrecorded<Result>(
    _ mark: CommitMark, _ fate: inout CommitFate,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    if turn.isHeldByThisThread {
      // Inside a commit it is part of that one.
      if levels.isOpen { return try makeInside(mark, nil, &fate, body) }
      return try transactUnrecorded(mark, over: nil, &fate, body)
    }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = levels.current
    let result: Result
    do {
      result = try transactUnrecorded(mark, over: nil, &fate, body)
    } catch {
      end(since: before)
      throw error
    }
    log(mark, fate, since: began, from: before, to: end(since: before))
    return result
  }

  /// Runs a commit that is no step in the turn of this thread.
  ///
  /// - Parameter others: The layers from now on, if they are others.
  func transactUnrecorded<Result>(
    _ mark: CommitMark, over others: [LayerStack<State>.Layer]?, _ fate: inout CommitFate,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let start = committedInTurn
    let result = try transact(mark, undo: nil, over: others, &fate, body)
    if fate.isChanged { keep(ReplayableEdit(name: mark.name) { _ = try body(&$0) }, since: start) }
    return result
  }

  /// Notes a commit that is no step; the caller has the turn.
  private func keep(_ edit: ReplayableEdit<State>, since start: Snapshot<State>) {
    let end = committedInTurn
    if history.hasSteps {
      // What changed in databases is found by comparing versions: nothing is replayed for it.
      let isFound = databases.containAllChanges(from: start.value, to: end.value, by: equality)
      history.keep(isFound ? nil : edit, since: start)
    }
    history.forgetParts(changedIn: end)
  }

  /// The state that undoing or redoing a step leads to: the step's version with the commits since that
  /// are no steps. The caller has the turn.
  func destination(
    of step: StoreHistory.Steps.Step, from current: Snapshot<State>
  ) throws -> State {
    let target = step.target.of(State.self)
    guard let later = step.later else { return target.value }
    var state = replay(later.edits, on: target)
    let versions = DatabaseParts<State>.Versions(
      origin: later.origin.of(State.self).value, target: target.value, current: current.value)
    for part in databases.all {
      report(try part.takeBack(versions, &state), of: step.name)
    }
    return state
  }

  /// Makes edits again on another version; those that throw are left out and reported.
  func replay(_ edits: [AnyReplayableEdit], on start: Snapshot<State>) -> State {
    var state = start.value
    for edit in edits {
      do {
        let outcome = try levels.run(
          from: Snapshot(state, version: start.version), equality
        ) { try edit.of(State.self).edit(&$0) }
        if let refusal = outcome.refusal { throw refusal }
        state = outcome.state
      } catch {
        levels.problems.append(StoreProblem(replayed: edit.name, error))
      }
    }
    return state
  }

  /// Reports rows that were not taken back, because they have changed since.
  func report(_ conflicts: [RowConflict], of step: String?) {
    if conflicts.isEmpty { return }
    levels.problems.append(StoreProblem(undone: step, UndoConflict(conflicts: conflicts)))
  }

  /// Moves the commits since the last step before it, because an edit has become part of the step; the
  /// caller has the turn.
  ///
  /// - Parameter start: The state before that edit.
  @usableFromInline
  func moveLaterCommits(before start: AnySnapshot) {
    guard let step = history.next(.back) else { return }
    let start = start.of(State.self)
    do {
      let state = try destination(of: step, from: start)
      history.rebaseLast(to: Snapshot(state, version: start.version))
    } catch {
      // The databases refuse the step's version with those commits: the edit is a step of its own.
      history.pushStep(from: start, name: step.name)
    }
  }
}
