extension StoreCore {
  func undo() -> Bool { moveStep(.back, verb: "Undo") }

  func redo() -> Bool { moveStep(.forward, verb: "Redo") }

  /// Undoes or redoes a step. The hooks run first, so that a refusal leaves the steps unchanged.
  /// The state's own hook has already processed a version that was the state before.
  private func moveStep(_ direction: StoreHistory.Direction, verb: String) -> Bool {
    performUndo { request in
      let start = committedUnderLock
      guard let step = history.next(direction) else { return }
      request.metadata = Self.metadata(verb, step.name)
      let target: State
      do {
        target = try state(after: step, from: start)
      } catch {
        request.outcome = .refused(error)
        return
      }
      var result = CommitResult<State>()
      // Steps may lead back to their start, and later commits may have made the same edit.
      if !equality.areSurelyEqual(start.value, target) {
        runHooks(
          middleware, on: target, after: start, request, isReduced: step.later == nil,
          &result)
      }
      // A step that changed nothing is removed: the way back would change nothing either.
      let origin = result.next == nil ? nil : start
      let moved = result.refusal == nil ? history.move(direction, from: origin) : nil
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

  /// Returns the metadata of the commit of an undo or a redo.
  static func metadata(_ verb: String, _ name: String?) -> CommitMetadata {
    CommitMetadata(name: name.map { "\(verb) \($0)" } ?? verb)
  }

  /// Returns the state after undoing or redoing a step, or `nil` if there is no step or it is
  /// refused.
  func preview(_ direction: StoreHistory.Direction) -> State? {
    guard let step = history.next(direction) else { return nil }
    if step.later == nil { return step.target.of(State.self).value }
    // Edits are replayed under the commit lock, so that a commit nested in them is detected. If
    // this thread holds the lock, a commit's closure reads the state after an undo: that is no
    // nested commit.
    var request = CommitRequest(recording: .unrecorded, at: "a preview of an undo")
    if commitLock.isHeldByThisThread { return replayedPreview(direction, request.origin) }
    return withCommitLock(&request) { replayedPreview(direction, $0.origin) }
  }

  /// Returns the state after undoing or redoing a step. The undo itself reports the problems.
  private func replayedPreview(
    _ direction: StoreHistory.Direction, _ origin: CommitOrigin
  ) -> State? {
    let problems = commitState.problems
    defer {
      // A `deinit` of an error may commit, so the errors are released after the assignment.
      let dropped = commitState.problems
      commitState.problems = problems
      withExtendedLifetime(dropped) {}
    }
    guard let step = history.next(direction) else { return nil }
    do {
      let start = committedUnderLock
      var state = try state(after: step, from: start)
      if step.later != nil, !equality.areSurelyEqual(start.value, state) {
        reduce(&state, after: start, origin)
      }
      return state
    } catch {
      return nil
    }
  }
}
