import EntiaCollections

extension StoreCore {
  func undo() -> Bool { moveStep(.back, verb: "Undo") }

  func redo() -> Bool { moveStep(.forward, verb: "Redo") }

  /// Undoes or redoes a step. The hooks run first, so that a refusal leaves the steps unchanged.
  /// The state's own hook does not run if an earlier version is restored unchanged, because the
  /// hook has already processed that version.
  private func moveStep(_ direction: StoreHistory.Direction, verb: String) -> Bool {
    performUndo { request in
      let start = committedUnderLock
      guard let step = history.next(direction) else { return }
      request.metadata = Self.metadata(verb, step.name)
      let target: State
      var problems: [StoreProblem] = []
      do {
        target = try state(after: step, from: start, &problems)
      } catch {
        request.outcome = .refused(error)
        return
      }
      var result = CommitResult<State>()
      // `target` may equal the current state. The edits of the step may cancel each other out, or
      // later commits may have made the same change as the undo or the redo.
      if !equality.areSurelyEqual(start.value, target) {
        runHooks(
          middleware, on: target, after: start, request, isReduced: step.later == nil,
          &result)
      }
      // If the undo or the redo changes nothing, `move` removes the step without recording the
      // opposite step, because the opposite step would change nothing either.
      let origin = result.next == nil ? nil : start
      let moved = result.refusal == nil ? history.move(direction, from: origin) : nil
      if result.refusal == nil { commitState.problems += problems }
      publish(result, after: start, &request)
      if moved != nil { history.removeParts(changedIn: committedUnderLock) }
      withExtendedLifetime(moved) {}
    }
  }

  /// Performs a commit that undoes or redoes a step.
  ///
  /// - Parameter body: A closure that runs under the commit lock. It sets the commit's metadata and
  ///   outcome, or no outcome if there is no step.
  /// - Returns: Whether a step was undone or redone; `false` if there was none or it was refused.
  func performUndo(_ body: (inout CommitRequest) -> Void) -> Bool {
    var request = CommitRequest(recording: .unrecorded, at: "an undo or a redo")
    underCommitLock(&request, body)
    switch request.outcome {
    case nil, .failed: return false
    case .unchanged, .changed: return true
    case .refused(let refusal):
      reportRefusal(refusal, of: request.metadata)
      return false
    }
  }

  static func metadata(_ verb: String, _ name: String?) -> CommitMetadata {
    CommitMetadata(name: name.map { "\(verb) \($0)" } ?? verb)
  }

  /// Returns the state after undoing or redoing a step, or `nil` if there is no step or it is
  /// refused.
  func preview(_ direction: StoreHistory.Direction) -> State? {
    guard let step = history.next(direction) else { return nil }
    if step.later == nil { return step.target.of(State.self).value }
    // Edits are replayed under the commit lock, so that a commit in a replayed edit is detected.
    // If this thread already holds the lock, the closure of a commit has called this method. The
    // lock is then not acquired again, because that would be reported as a nested commit.
    var request = CommitRequest(recording: .unrecorded, at: "a preview of an undo")
    if commitLock.isHeldByThisThread { return replayedPreview(direction, request.origin) }
    return withCommitLock(&request) { replayedPreview(direction, $0.origin) }
  }

  /// Returns the state after undoing or redoing a step.
  private func replayedPreview(
    _ direction: StoreHistory.Direction, _ origin: CommitOrigin
  ) -> State? {
    guard let step = history.next(direction) else { return nil }
    // The undo itself reports the problems.
    var problems: [StoreProblem] = []
    do {
      let start = committedUnderLock
      var state = try state(after: step, from: start, &problems)
      if step.later != nil, !equality.areSurelyEqual(start.value, state) {
        reduce(&state, after: start, origin)
      }
      return state
    } catch {
      return nil
    }
  }
}

extension StoreCore {
  typealias Part<Value> = any WritableKeyPath<State, Value> & Sendable

  /// Undoes the last step that changed a part, in that part alone.
  ///
  /// Each later step stores the state that its undo restores. The change is removed from these
  /// states, too. Otherwise, undoing a later step would bring the change back.
  func undo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    performUndo { request in
      databases.add(ifDatabase: part)
      let recorded = RecordedSteps(
        steps: history.steps.undoable.elements, end: committedUnderLock)
      let undone = recorded.end.value[keyPath: part]
      let equality = Equality<Value>(isThorough: true)
      guard let index = recorded.lastChange(of: part, by: equality) else { return }
      let name = recorded.steps[index].name
      request.metadata = Self.metadata("Undo", name)
      let kept: [StoreHistory.Steps.Step]
      let target: Value
      var problems: [StoreProblem] = []
      do {
        (kept, target) = try revert(
          part, in: recorded, at: index, by: equality, request.origin, &problems)
      } catch {
        request.outcome = .refused(error)
        return
      }
      transact(&request) { $0[keyPath: part] = target }
      if case .refused = request.outcome { return }
      commitState.problems += problems
      // If the undo changed nothing, there is no undo to redo.
      if case .changed = request.outcome {
        let step = partStep(named: name, of: part, from: undone, to: target, by: equality)
        history.setUndone(history.undone(part) + [step], of: part)
      }
      history.removeParts(changedIn: committedUnderLock)
      let steps = withoutEmptySteps(kept, from: index)
      history.contents.release { $0.steps.rewrite(steps) }
    }
  }

  /// Redoes the last undo of a part, in that part alone.
  func redo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    performUndo { request in
      let start = committedUnderLock
      let undone = history.undone(part)
      guard let step = undone.last else { return }
      request.metadata = Self.metadata("Redo", step.name)
      let next: AnyStateVersion
      do {
        next = try step.redo(start)
      } catch {
        request.outcome = .refused(error)
        return
      }
      transact(&request) { $0 = next.of(State.self).value }
      if case .refused = request.outcome { return }
      history.setUndone(undone.dropLast(), of: part)
      history.removeParts(changedIn: committedUnderLock)
      if case .changed = request.outcome {
        let recorded = history.contents.withLock {
          $0.steps.record(from: start, name: step.name, coalescing: .never, at: nil)
        }
        withExtendedLifetime(recorded) {}
        if recorded.joining != .none {
          joined(recorded.joining, from: start, to: committedUnderLock)
        }
      }
    }
  }

  func canUndo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    let recorded = RecordedSteps(steps: history.steps.undoable.elements, end: committed)
    return recorded.lastChange(of: part, by: Equality(isThorough: true)) != nil
  }

  /// Creates the record of an undo that replaced `undone`, the value of a part, by `restored`.
  private func partStep<Value: Equatable & Sendable>(
    named name: String?, of part: Part<Value>, from undone: Value, to restored: Value,
    by equality: Equality<Value>
  ) -> StoreHistory.PartStep {
    let databases = databases
    /// Returns whether the part in the state equals the old value, apart from ages and answers that
    /// registered databases have received.
    @Sendable func isInPlace(_ state: State, since old: Value) -> Bool {
      if equality.areSurelyEqual(state[keyPath: part], old) { return true }
      if !haveSameValue(state[keyPath: part], old) { return false }
      var received = state
      received[keyPath: part] = old
      for database in databases.all { database.copy(state, &received) }
      return equality.areSurelyEqual(received[keyPath: part], state[keyPath: part])
    }
    return StoreHistory.PartStep(
      name: name,
      isUnchanged: {
        equality.areSurelyEqual(
          $0.of(State.self).value[keyPath: part], $1.of(State.self).value[keyPath: part])
      },
      isInPlace: { isInPlace($0.of(State.self).value, since: restored) },
      staysInPlace: {
        // The former version differs by one commit only; `restored` may differ by all receptions
        // since the undo.
        isInPlace($1.of(State.self).value, since: $0.of(State.self).value[keyPath: part])
      },
      redo: { [databases] in
        let current = $0.of(State.self).value
        var redone = current
        redone[keyPath: part] = undone
        if !equality.areSurelyEqual(current[keyPath: part], restored) {
          var origin = current
          origin[keyPath: part] = restored
          let versions = DatabaseParts<State>.Versions(
            origin: origin, target: redone, current: current)
          // The rows are those of `origin`, so there are no conflicts.
          for database in databases.all { _ = try database.revert(versions, &redone) }
        }
        return StateVersion(redone, version: $0.version)
      })
  }

  /// Returns a copy of a version with the given value of a part. The state's own hook has processed
  /// the copy, as it processes the state of a commit that sets the part.
  private func reduced<Value: Sendable>(
    _ version: AnyStateVersion, _ part: Part<Value>, as value: Value, by equality: Equality<Value>,
    _ origin: CommitOrigin
  ) -> AnyStateVersion {
    let former = version.of(State.self)
    if equality.areSurelyEqual(former.value[keyPath: part], value) { return version }
    var state = former.value
    state[keyPath: part] = value
    reduce(&state, after: former, origin)
    return StateVersion(state, version: version.version)
  }

  /// Reverts one step in a part. Returns the steps without the reverted change as `steps`, and the
  /// resulting value of the part as `value`. `problems` receives what is to be reported if this is
  /// committed.
  ///
  /// The steps after the reverted one do not change the part, but unrecorded commits may.
  private func revert<Value: Sendable>(
    _ part: Part<Value>, in recorded: RecordedSteps<State>, at index: Int,
    by equality: Equality<Value>, _ origin: CommitOrigin, _ problems: inout [StoreProblem]
  ) throws -> (steps: [StoreHistory.Steps.Step], value: Value) {
    var steps = recorded.steps
    var value = steps[index].target.of(State.self).value[keyPath: part]
    for position in steps.indices[index...] {
      if position > index {
        steps[position].target = reduced(
          steps[position].target, part, as: value, by: equality, origin)
      }
      guard let later = steps[position].later else { continue }
      let reverted = reduced(later.origin, part, as: value, by: equality, origin)
      steps[position].later?.origin = reverted
      let (before, after) = (recorded.result(of: position), recorded.next(position))
      if equality.areSurelyEqual(before.value[keyPath: part], after.value[keyPath: part]) {
        continue
      }
      let versions = DatabaseParts<State>.Versions(
        origin: before.value, target: reverted.of(State.self).value, current: after.value)
      if let database = databases.part(at: part) {
        var state = after.value
        problems += Self.problems(try database.revert(versions, &state), of: steps[index].name)
        value = state[keyPath: part]
      } else {
        value = try replay(later.edits, versions, of: steps[index].name, &problems)[keyPath: part]
      }
    }
    return (steps, value)
  }

  /// Returns the steps that still change the state. The steps after `index` are checked only if the
  /// state has a hook of its own, because only such a hook can make them empty.
  private func withoutEmptySteps(
    _ steps: [StoreHistory.Steps.Step], from index: Int
  ) -> [StoreHistory.Steps.Step] {
    let recorded = RecordedSteps<State>(steps: steps, end: committedUnderLock)
    let checked = hasOwnHook ? index..<steps.count : index..<(index + 1)
    var result: [StoreHistory.Steps.Step] = []
    for (position, step) in steps.enumerated() {
      let before = step.target.of(State.self).value
      if checked.contains(position),
        equality.areSurelyEqual(before, recorded.result(of: position).value)
      {
        if let last = result.indices.last { result[last].inherit(from: step) }
      } else {
        result.append(step)
      }
    }
    return result
  }
}

/// The steps that can be undone, with the versions between them.
private struct RecordedSteps<State: Sendable> {
  let steps: [StoreHistory.Steps.Step]
  let end: StateVersion<State>

  func result(of index: Int) -> StateVersion<State> {
    steps[index].later?.origin.of(State.self) ?? next(index)
  }

  func next(_ index: Int) -> StateVersion<State> {
    index + 1 < steps.count ? steps[index + 1].target.of(State.self) : end
  }

  func lastChange<Value>(of part: KeyPath<State, Value>, by equality: Equality<Value>) -> Int? {
    steps.indices.last { index in
      !equality.areSurelyEqual(
        steps[index].target.of(State.self).value[keyPath: part],
        result(of: index).value[keyPath: part])
    }
  }
}
