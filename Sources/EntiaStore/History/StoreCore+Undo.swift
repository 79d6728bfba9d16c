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
    return journey.fate.refusal == nil
  }

  /// The name of the commit that an undo or a redo is.
  static func title(_ verb: String, _ name: String?) -> CommitMark {
    CommitMark(name: name.map { "\(verb) \($0)" } ?? verb)
  }

  /// Goes a step back or forward. The hooks are asked first, so that a refusal leaves the steps as
  /// they were; the state has gone through its own hook when it was made.
  private func travel(_ direction: StoreHistory.Direction, verb: String) -> Bool {
    inTurn {
      let start = committedInTurn
      guard let step = history.next(direction) else { return nil }
      let mark = Self.title(verb, step.name)
      let target = step.target.of(State.self).value
      let verdict = judge(target, after: start, mark, isReduced: true)
      let fate = CommitFate(isChanged: verdict.next != nil, refusal: verdict.refusal)
      if fate.refusal != nil { return Journey(mark: mark, fate: fate) }
      let dropped = history.move(direction, from: start)
      publish(verdict, after: start, mark, undo: nil)
      history.forgetParts(changedIn: committedInTurn)
      withExtendedLifetime(dropped) {}
      return Journey(mark: mark, fate: fate)
    }
  }
}
