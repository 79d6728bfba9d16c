extension StoreCore {
  func undo() -> Bool { travel(.back, verb: "Undo") }

  func redo() -> Bool { travel(.forward, verb: "Redo") }

  /// The result of a closure under the commit lock: the commit's name, and whether it changed the state or was
  /// refused.
  struct Journey {
    let mark: CommitMetadata
    let fate: CommitOutcome
  }

  /// Runs a closure under the commit lock, and then notifies the observers. Returns `false` if it
  /// did nothing, was refused, or this thread already holds the commit lock.
  func inTurn(_ body: () -> Journey?) -> Bool {
    if commitLock.isHeldByThisThread { return false }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    commitLock.lock()
    let before = levels.current
    let journey = body()
    let after = end(since: before)
    guard let journey else { return false }
    log(journey.mark, journey.fate, since: began, from: before, to: after)
    guard let refusal = journey.fate.refusal else { return true }
    reportRefusal(refusal, of: journey.mark)
    return false
  }

  /// Returns the name of the commit of an undo or a redo.
  static func title(_ verb: String, _ name: String?) -> CommitMetadata {
    CommitMetadata(name: name.map { "\(verb) \($0)" } ?? verb)
  }

  /// Undoes or redoes a step. The hooks run first, so that a refusal leaves the steps unchanged. A
  /// version that has been the state before has already been processed by the state's own hook.
  private func travel(_ direction: StoreHistory.Direction, verb: String) -> Bool {
    inTurn {
      let start = committedInTurn
      guard let step = history.next(direction) else { return nil }
      let mark = Self.title(verb, step.name)
      let target: State
      do {
        target = try destination(of: step, from: start)
      } catch {
        return Journey(mark: mark, fate: CommitOutcome(refusal: error))
      }
      // Steps may lead back to their start, and later commits may have made the same edit.
      let verdict =
        equality.areSurelyEqual(start.value, target)
        ? HookResult() : judge(target, after: start, mark, isReduced: step.later == nil)
      let fate = CommitOutcome(isChanged: verdict.next != nil, refusal: verdict.refusal)
      if fate.refusal != nil { return Journey(mark: mark, fate: fate) }
      let dropped = history.move(direction, from: start)
      publish(verdict, after: start, mark, undo: nil)
      history.forgetParts(changedIn: committedInTurn)
      withExtendedLifetime(dropped) {}
      return Journey(mark: mark, fate: fate)
    }
  }

  /// Returns the state after undoing or redoing a step, or `nil` if there is no step or it is
  /// refused.
  func preview(_ direction: StoreHistory.Direction) -> State? {
    guard let step = history.next(direction) else { return nil }
    if step.later == nil { return step.target.of(State.self).value }
    // Edits are replayed under the commit lock, so that a commit nested in them is detected.
    let isInside = commitLock.isHeldByThisThread
    if !isInside { commitLock.lock() }
    let before = levels.current
    let problems = levels.problems
    var state: State?
    do {
      if let step = history.next(direction) {
        state = try destination(of: step, from: committedInTurn)
      }
    } catch {
      // The undo itself reports the error.
    }
    levels.problems = problems
    if !isInside { end(since: before) }
    return state
  }
}
