extension StoreCore {
  func undo() -> Bool { travel(.back, verb: "Undo") }

  func redo() -> Bool { travel(.forward, verb: "Redo") }

  /// What a closure did in a turn: whether something moved, and what a middleware refused.
  struct Journey {
    let mark: CommitMark
    let fate: CommitFate
  }

  /// Runs a closure in the turn of this thread, and tells the observers of what it did; `false`
  /// when it did nothing, was refused, or a commit of this thread has the turn.
  func inTurn(_ body: () -> Journey?) -> Bool {
    if turn.isHeldByThisThread { return false }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = levels.current
    let journey = body()
    let after = end(since: before)
    guard let journey else { return false }
    log(journey.mark, journey.fate, since: began, from: before, to: after)
    guard let refusal = journey.fate.refusal else { return true }
    reportRefusal(refusal, of: journey.mark)
    return false
  }

  /// The name of the commit that an undo or a redo is.
  static func title(_ verb: String, _ name: String?) -> CommitMark {
    CommitMark(name: name.map { "\(verb) \($0)" } ?? verb)
  }

  /// Goes a step back or forward. The hooks are asked first, so that a refusal leaves the steps as
  /// they were; a version that was the state before has gone through its own hook then.
  private func travel(_ direction: StoreHistory.Direction, verb: String) -> Bool {
    inTurn {
      let start = committedInTurn
      guard let step = history.next(direction) else { return nil }
      let mark = Self.title(verb, step.name)
      let target: State
      do {
        target = try destination(of: step, from: start)
      } catch {
        return Journey(mark: mark, fate: CommitFate(refusal: error))
      }
      // Steps may lead back to where they began, and later commits may have made the same edit.
      let verdict =
        equality.areSurelyEqual(start.value, target)
        ? CommitVerdict() : judge(target, after: start, mark, isReduced: step.later == nil)
      let fate = CommitFate(isChanged: verdict.next != nil, refusal: verdict.refusal)
      if fate.refusal != nil { return Journey(mark: mark, fate: fate) }
      let dropped = history.move(direction, from: start)
      publish(verdict, after: start, mark, undo: nil)
      history.forgetParts(changedIn: committedInTurn)
      withExtendedLifetime(dropped) {}
      return Journey(mark: mark, fate: fate)
    }
  }

  /// The state that a step back or forward leads to; `nil` when there is none, or it is refused.
  func preview(_ direction: StoreHistory.Direction) -> State? {
    guard let step = history.next(direction) else { return nil }
    if step.later == nil { return step.target.of(State.self).value }
    // Edits are replayed in the turn, so that a commit inside of them is recognized.
    let isInside = turn.isHeldByThisThread
    if !isInside { turn.take() }
    let before = levels.current
    let problems = levels.problems
    var state: State?
    do {
      if let step = history.next(direction) {
        state = try destination(of: step, from: committedInTurn)
      }
    } catch {
      // Undoing it reports why.
    }
    levels.problems = problems
    if !isInside { end(since: before) }
    return state
  }
}
