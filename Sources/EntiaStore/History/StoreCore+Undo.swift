extension StoreCore {
  func undo() -> Bool {
    travel("Undo") { $0.undo(from: $1) }
  }

  func redo() -> Bool {
    travel("Redo") { $0.redo(from: $1) }
  }

  /// Runs a closure in the turn of this thread, and tells the observers of what it did; `nil` when
  /// a commit of this thread has the turn.
  func inTurn<Result>(_ body: () -> Result) -> Result? {
    if turn.isHeldByThisThread { return nil }
    turn.take()
    let result = body()
    turn.pass()
    hub.deliver()
    return result
  }

  /// The name of the commit that an undo or a redo is.
  static func title(_ verb: String, _ name: String?) -> String {
    name.map { "\(verb) \($0)" } ?? verb
  }

  private func travel(
    _ verb: String,
    _ move: (inout StoreHistory.Steps, AnySnapshot) -> StoreHistory.Steps.Step?
  ) -> Bool {
    let hasMoved = inTurn {
      guard let step = history.move(from: current, move) else { return false }
      let parts = history.contents.withLock { $0.parts }
      transact(Self.title(verb, step.name), undo: nil) { $0 = step.target.of(State.self).value }
      history.forgetParts(parts, changedIn: step.target)
      return true
    }
    return hasMoved ?? false
  }
}
