import EntiaDatabase

extension StoreCore {
  /// Stores the edit of a commit that is not an undo step; the caller must hold the commit lock.
  @usableFromInline
  func keep(_ edit: ReplayableEdit, since start: StateVersion<State>) {
    let end = committedUnderLock
    if history.hasSteps {
      // If only databases changed, their changes are found by comparing versions, and the edit is
      // not replayed.
      let isFound = databases.containAllChanges(from: start.value, to: end.value, by: equality)
      history.keep(isFound ? nil : edit, since: start)
    }
    history.removeParts(changedFrom: start, to: end)
  }

  /// Returns the state after undoing or redoing a step: the step's version, changed by the step's
  /// `later` commits. The caller must hold the commit lock.
  ///
  /// - Parameters:
  ///   - losingNone: Whether to throw an error if a delete rule removes a row, or if an edit cannot
  ///     be replayed.
  ///   - problems: Receives what is to be reported if the state is committed.
  func state(
    after step: StoreHistory.Steps.Step, from current: StateVersion<State>,
    losingNone: Bool = false, _ problems: inout [StoreProblem]
  ) throws -> State {
    let target = step.target.of(State.self).value
    guard let later = step.later else { return target }
    let versions = DatabaseParts<State>.Versions(
      origin: later.origin.of(State.self).value, target: target, current: current.value)
    return try replay(later.edits, versions, of: step.name, losingNone: losingNone, &problems)
  }

  /// Returns `versions.target`, changed by the commits between `versions.origin` and
  /// `versions.current`. Registered databases are merged, and edits are replayed on the rest.
  ///
  /// - Parameters:
  ///   - edits: The edits of the commits that changed more than registered databases.
  ///   - versions: The state before and after a step, and the state after the commits.
  ///   - step: The name of the step, for reports.
  ///   - losingNone: Whether to throw an error if a delete rule removes a row, or if an edit cannot
  ///     be replayed.
  ///   - problems: Receives what is to be reported if the state is committed.
  func replay(
    _ edits: [ReplayableEdit], _ versions: DatabaseParts<State>.Versions, of step: String?,
    losingNone: Bool = false, _ problems: inout [StoreProblem]
  ) throws -> State {
    let parts = databases.all
    var merged = versions.target
    for part in parts {
      let conflicts = try part.revert(versions, &merged)
      if losingNone, conflicts.contains(where: \.isLoss) {
        throw UndoConflict(conflicts: conflicts)
      }
      problems += Self.problems(conflicts, of: step)
    }
    var state = versions.target
    for edit in edits {
      do {
        try replay(edit, on: &state, merged, parts)
      } catch {
        if losingNone { throw error }
        problems.append(StoreProblem(replayed: edit.name, error))
      }
    }
    for part in parts { part.copy(merged, &state) }
    return state
  }

  /// Replays an edit. Throws the error of the edit; the state is then unchanged.
  ///
  /// The databases in `state` lack the commits that changed only databases, because these commits
  /// are not replayed. If an edit throws without their rows, it is replayed again with the
  /// databases in `merged`. This preserves its changes of other parts of the state.
  private func replay(
    _ edit: ReplayableEdit, on state: inout State, _ merged: State,
    _ parts: [DatabaseParts<State>.Part]
  ) throws {
    func replayed(on state: State) throws -> State {
      try self.state(
        after: { try edit.of(State.self)(&$0) },
        from: StateVersion(state, version: commitState.current.version),
        CommitOrigin(edit.name, at: "a commit that is replayed by an undo"))
    }
    do {
      state = try replayed(on: state)
    } catch let refusal {
      if parts.isEmpty { throw refusal }
      var other = state
      for part in parts { part.copy(merged, &other) }
      do { other = try replayed(on: other) } catch { throw refusal }
      for part in parts { part.copy(state, &other) }
      state = other
    }
  }

  /// Returns the state after an edit that is part of a commit, such as the edit of a layer. Throws
  /// the error of the edit.
  func state(
    after edit: (inout State) throws -> Void, from start: StateVersion<State>,
    _ origin: CommitOrigin
  ) throws -> State {
    try openCommit.run(origin, from: start, equality, edit).state
  }

  /// Returns the problem of the conflicts of an undo or a redo, if there are any: rows that were
  /// not reverted because they have changed since, and rows that delete rules removed.
  static func problems(_ conflicts: [RowConflict], of step: String?) -> [StoreProblem] {
    if conflicts.isEmpty { return [] }
    return [StoreProblem(undone: step, UndoConflict(conflicts: conflicts))]
  }

  /// Updates the last step after a commit has become part of it. The caller must hold the commit
  /// lock.
  ///
  /// If the step's edits have led back to its start, the step is removed, because its undo would
  /// change nothing.
  @usableFromInline
  func joined(
    _ joining: UndoJoining, from start: StateVersion<State>, to end: StateVersion<State>
  ) {
    if joining == .joinsBeyondCommits { moveLaterCommits(before: start) }
    guard let step = history.next(.back), step.later == nil,
      equality.areSurelyEqual(step.target.of(State.self).value, end.value)
    else { return }
    history.removeLast()
  }

  /// Moves the `later` commits of the last step to a position before the step. This is necessary
  /// because an edit after these commits has become part of the step. The caller must hold the
  /// commit lock.
  ///
  /// - Parameter start: The version before the edit.
  func moveLaterCommits(before start: StateVersion<State>) {
    guard let step = history.next(.back) else { return }
    var problems: [StoreProblem] = []
    do {
      let state = try state(after: step, from: start, losingNone: true, &problems)
      history.rebaseLast(to: StateVersion(state, version: start.version))
      commitState.problems += problems
    } catch {
      // The step cannot be undone while the `later` commits are kept: a database refuses the
      // resulting state, a delete rule removes rows of the step or of these commits, or one of the
      // commits needs the step. The edit therefore becomes a separate step.
      history.pushStep(from: start, name: step.name)
    }
  }
}

extension StoreCore {
  /// Replaces a database in the committed state by a version that already exists outside the store,
  /// for example in other processes.
  ///
  /// The commit is not an undo step. Undoing an earlier step keeps the replacement. Hooks run for
  /// the other parts of the state, but can neither refuse the commit nor change the database.
  ///
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - name: The name of the commit.
  ///   - author: The observer that replaces the database. It is not notified of this change.
  ///   - replacement: Returns the new version of the database, or `nil` for no change. It is called
  ///     with the committed version, under the commit lock.
  func replace<Storage: NormalizedStorageType>(
    _ path: any WritableKeyPath<State, Storage> & Sendable, named name: String?,
    by author: CommitObserver, _ replacement: (Storage) -> Storage?
  ) {
    var request = CommitRequest(name: name, at: "the replacement of a shared database")
    underCommitLock(&request) { request in
      let before = committedUnderLock.value[keyPath: path]
      guard let after = replacement(before) else { return }
      let start = committedUnderLock
      var state = start.value
      state[keyPath: path] = after
      let isEqual =
        after.changes(since: before).isEmpty || equality.areSurelyEqual(start.value, state)
      if isEqual { return replaceMemory(by: state, after: start, &request) }

      var activities: [AnyErasedValue] = []
      if commitState.hasHooks {
        var result = CommitResult<State>()
        runHooks(middleware, on: state, after: start, request, &result)
        if let refusal = result.refusal {
          commitState.problems.append(StoreProblem(replacing: name, refusal))
        } else {
          state = result.next?.value ?? start.value
          state[keyPath: path] = after
          activities = result.activities
        }
      }
      let next = StateVersion(
        state, version: commitState.current.version + 1, metadata: request.metadata)
      if commitState.hasLayers {
        publishUnderLayers(next, activities, request)
      } else {
        replaceCurrent(by: next, activities)
      }
      request.outcome = .changed
      let edit = ReplayableEdit(name: name) { (state: inout State) in
        let merge = ThreeWayMerge<Storage>(otherwise: .theirs)
        state[keyPath: path] =
          try state[keyPath: path].merging(after, base: before, by: merge).storage
      }
      keep(edit, since: start)
      recordChange(from: start, to: next, except: author)
    }
  }

  /// Replaces the committed state by an equal one under the commit lock, and posts nothing to
  /// observers. The new version keeps the number of the old version. The replacement only saves
  /// memory, because the database in `equal` shares memory with later versions of the database.
  private func replaceMemory(
    by equal: State, after start: StateVersion<State>, _ request: inout CommitRequest
  ) {
    let next = StateVersion(equal, version: start.version, metadata: start.metadata)
    if commitState.hasLayers {
      publishUnderLayers(next, [], request)
    } else {
      // The old version is retained until the lock of the broadcaster has been released.
      let old = commitState.current
      commitState.current = next
      broadcaster.replaceCurrent(by: next)
      withExtendedLifetime(old) {}
    }
    request.outcome = .unchanged
  }
}
