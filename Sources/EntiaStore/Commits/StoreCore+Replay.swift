import EntiaDatabase

extension StoreCore {
  /// Performs an unrecorded commit: it is not an undo step, and undoing an earlier step keeps it.
  func makeUnrecorded<Result>(
    _ mark: CommitMetadata, _ fate: inout CommitOutcome,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    if commitLock.isHeldByThisThread {
      // A nested commit becomes part of the outer commit.
      if levels.isOpen { return try makeInside(mark, nil, &fate, body) }
      return try transactUnrecorded(mark, over: nil, &fate, body)
    }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    commitLock.lock()
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

  /// Runs an unrecorded commit under the commit lock.
  ///
  /// - Parameter others: The new layers, if they change.
  func transactUnrecorded<Result>(
    _ mark: CommitMetadata, over others: [LayerStack<State>.Layer]?, _ fate: inout CommitOutcome,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) rethrows -> Result {
    let start = committedInTurn
    let result = try transact(mark, undo: nil, over: others, &fate, body)
    if fate.isChanged { keep(ReplayableEdit(name: mark.name) { _ = try body(&$0) }, since: start) }
    return result
  }

  /// Stores an unrecorded commit; the caller must hold the commit lock.
  private func keep(_ edit: ReplayableEdit<State>, since start: StateVersion<State>) {
    let end = committedInTurn
    if history.hasSteps {
      // Changes of databases are found by comparing versions, so the edit need not be replayed.
      let isFound = databases.containAllChanges(from: start.value, to: end.value, by: equality)
      history.keep(isFound ? nil : edit, since: start)
    }
    history.forgetParts(changedIn: end)
  }

  /// Returns the state after undoing or redoing a step: the step's version with the later
  /// unrecorded commits. The caller must hold the commit lock.
  func destination(
    of step: StoreHistory.Steps.Step, from current: StateVersion<State>
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

  /// Replays edits on another version. Edits that throw are skipped and reported.
  func replay(_ edits: [AnyReplayableEdit], on start: StateVersion<State>) -> State {
    var state = start.value
    for edit in edits {
      do {
        let outcome = try levels.run(
          from: StateVersion(state, version: start.version), equality
        ) { try edit.of(State.self).edit(&$0) }
        if let refusal = outcome.refusal { throw refusal }
        state = outcome.state
      } catch {
        levels.problems.append(StoreProblem(replayed: edit.name, error))
      }
    }
    return state
  }

  /// Reports rows that were not reverted because they have changed since.
  func report(_ conflicts: [RowConflict], of step: String?) {
    if conflicts.isEmpty { return }
    levels.problems.append(StoreProblem(undone: step, UndoConflict(conflicts: conflicts)))
  }

  /// Moves the unrecorded commits after the last step before that step, because an edit has become
  /// part of the step. The caller must hold the commit lock.
  ///
  /// - Parameter start: The state before that edit.
  @usableFromInline
  func moveLaterCommits(before start: AnyStateVersion) {
    guard let step = history.next(.back) else { return }
    let start = start.of(State.self)
    do {
      let state = try destination(of: step, from: start)
      history.rebaseLast(to: StateVersion(state, version: start.version))
    } catch {
      // The databases refuse the step's version with those commits, so the edit becomes a separate
      // step.
      history.pushStep(from: start, name: step.name)
    }
  }
}
