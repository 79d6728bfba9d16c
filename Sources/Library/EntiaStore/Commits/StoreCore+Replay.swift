import EntiaDatabase

extension StoreCore {
  /// Stores the edit of a commit that is not an undo step; the caller must hold the commit lock.
  @usableFromInline
  func keep(_ edit: AnyReplayableEdit, since start: StateVersion<State>) {
    let end = committedUnderLock
    if history.hasSteps {
      // Changes of databases are found by comparing versions, so the edit need not be replayed.
      let isFound = databases.containAllChanges(from: start.value, to: end.value, by: equality)
      history.keep(isFound ? nil : edit, since: start)
    }
    history.removeParts(changedIn: end)
  }

  /// Returns the state after undoing or redoing a step: the step's version with the later
  /// unrecorded commits. The caller must hold the commit lock.
  func state(
    after step: StoreHistory.Steps.Step, from current: StateVersion<State>
  ) throws -> State {
    let target = step.target.of(State.self)
    guard let later = step.later else { return target.value }
    var state = replay(later.edits, on: target)
    let versions = DatabaseParts<State>.Versions(
      origin: later.origin.of(State.self).value, target: target.value, current: current.value)
    for part in databases.all {
      report(try part.revert(versions, &state), of: step.name)
    }
    return state
  }

  /// Replays edits on another version. Edits that throw are skipped and reported.
  func replay(_ edits: [AnyReplayableEdit], on start: StateVersion<State>) -> State {
    var state = start.value
    for edit in edits {
      do {
        state = try self.state(
          after: { try edit.of(State.self).edit(&$0) },
          from: StateVersion(state, version: start.version),
          CommitOrigin(edit.name, at: "a commit that is replayed by an undo"))
      } catch {
        commitState.problems.append(StoreProblem(replayed: edit.name, error))
      }
    }
    return state
  }

  /// Returns the state after an edit that is part of a commit, such as the edit of a layer. Throws
  /// the error of the edit.
  func state(
    after edit: (inout State) throws -> Void, from start: StateVersion<State>,
    _ origin: CommitOrigin
  ) throws -> State {
    try openCommit.run(origin, from: start, equality, edit).state
  }

  /// Reports rows that were not reverted because they have changed since.
  func report(_ conflicts: [RowConflict], of step: String?) {
    if conflicts.isEmpty { return }
    commitState.problems.append(StoreProblem(undone: step, UndoConflict(conflicts: conflicts)))
  }

  /// Completes the step that a commit has become part of. The caller must hold the commit lock.
  ///
  /// A step whose edits have led back to its start is removed: its undo would change nothing.
  @usableFromInline
  func joined(
    _ joining: StoreHistory.Joining, from start: StateVersion<State>, to end: StateVersion<State>
  ) {
    if joining == .joinsBeyondCommits { moveLaterCommits(before: start) }
    guard let step = history.next(.back), step.later == nil,
      equality.areSurelyEqual(step.target.of(State.self).value, end.value)
    else { return }
    history.removeLast()
  }

  /// Moves the unrecorded commits that follow the last step in front of it, because an edit has
  /// become part of the step. The caller must hold the commit lock.
  ///
  /// - Parameter start: The state before that edit.
  func moveLaterCommits(before start: StateVersion<State>) {
    guard let step = history.next(.back) else { return }
    do {
      let state = try state(after: step, from: start)
      history.rebaseLast(to: StateVersion(state, version: start.version))
    } catch {
      // The databases do not accept the step's version with those commits, so the edit becomes a
      // separate step.
      history.pushStep(from: start, name: step.name)
    }
  }
}
