import EntiaCollections

extension StoreCore {
  typealias Part<Value> = any WritableKeyPath<State, Value> & Sendable

  /// Takes back the last step that changed a part, in that part alone.
  ///
  /// The part is taken back in every version after that step too: undoing later steps must not
  /// bring back what has been undone.
  func undo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    inTurn {
      let steps = history.steps.undoable.elements
      let start = committed
      guard let index = lastChange(of: part, in: steps, before: start.value) else { return nil }
      let undone = start.value[keyPath: part]
      let target = steps[index].target.of(State.self).value[keyPath: part]
      let name = steps[index].name
      let title = Self.title("Undo", name)
      var fate = CommitFate()
      transact(title, undo: nil, &fate) { $0[keyPath: part] = target }
      if fate.refusal != nil { return Journey(mark: title, fate: fate) }
      let kept = rewritten(steps, from: index, part, to: target)
      let step = StoreHistory.PartStep(
        name: name,
        isInPlace: { haveSameValue($0.of(State.self).value[keyPath: part], target) },
        redo: { Self.snapshot($0, part, as: undone) })
      history.setUndone(history.undone(part) + [step], of: part)
      let dropped = history.contents.withLock { $0.steps.rewrite(kept) }
      withExtendedLifetime(dropped) {}
      return Journey(mark: title, fate: fate)
    }
  }

  /// Does again what was last undone in a part alone.
  func redo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    inTurn {
      let start = committed
      let undone = history.undone(part)
      guard let step = undone.last else { return nil }
      let next = step.redo(start).of(State.self)
      let title = Self.title("Redo", step.name)
      var fate = CommitFate()
      transact(title, undo: nil, &fate) { $0 = next.value }
      if fate.refusal != nil { return Journey(mark: title, fate: fate) }
      history.setUndone(undone.dropLast(), of: part)
      let dropped = history.contents.withLock {
        $0.steps.record(from: start, name: step.name, coalescing: .never, at: nil)
      }
      withExtendedLifetime(dropped) {}
      return Journey(mark: title, fate: fate)
    }
  }

  /// Whether a step that can be undone changed a part.
  func canUndo<Value: Equatable & Sendable>(_ part: Part<Value>) -> Bool {
    lastChange(of: part, in: history.steps.undoable.elements, before: committed.value) != nil
  }

  /// The version with a part as it is in another one.
  private static func snapshot<Value: Sendable>(
    _ version: AnySnapshot, _ part: Part<Value>, as value: Value
  ) -> AnySnapshot {
    var state = version.of(State.self).value
    state[keyPath: part] = value
    return Snapshot(state, version: version.version)
  }

  private func lastChange<Value: Equatable & Sendable>(
    of part: Part<Value>, in steps: [StoreHistory.Steps.Step], before current: State
  ) -> Int? {
    let now = current[keyPath: part]
    return steps.lastIndex { !haveSameValue($0.target.of(State.self).value[keyPath: part], now) }
  }

  /// The steps with the part taken back in what lies after one of them, without those that did
  /// nothing else.
  private func rewritten<Value: Equatable & Sendable>(
    _ steps: [StoreHistory.Steps.Step], from index: Int, _ part: Part<Value>,
    to target: Value
  ) -> [StoreHistory.Steps.Step] {
    var kept = Array(steps[...index])
    for step in steps[(index + 1)...] {
      var rewritten = step
      rewritten.target = Self.snapshot(step.target, part, as: target)
      kept.append(rewritten)
    }
    var result: [StoreHistory.Steps.Step] = []
    for (position, step) in kept.enumerated() {
      let after =
        position + 1 < kept.count ? kept[position + 1].target.of(State.self).value : committed.value
      if position >= index, equality.areSurelyEqual(step.target.of(State.self).value, after) {
        continue
      }
      result.append(step)
    }
    return result
  }
}
