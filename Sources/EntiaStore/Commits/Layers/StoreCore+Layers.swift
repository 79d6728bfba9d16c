extension StoreCore {
  typealias Layer = LayerStack<State>.Layer

  /// Puts a layer on top and returns its ID, or throws what its closure throws.
  func addLayer(
    _ name: String?, _ edit: @escaping @Sendable (inout State) throws -> Void
  ) throws -> UInt64 {
    if turn.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    turn.take()
    let before = levels.current
    let id = layers.newID()
    do {
      let base = committed
      // Tried out on its own, because a replay passes over what throws.
      let start = before.of(State.self)
      let end = try edited(start, by: edit)
      let layer = Layer(id: id, name: name, from: start.value, to: end, edit: edit)
      show(base, beneath: layers.layers + [layer], CommitMark(name: name), [])
    } catch {
      end(since: before)
      throw error
    }
    end(since: before)
    return id
  }

  /// Takes a layer out; `false` when it is not there, or a commit of this thread has the turn.
  func removeLayer(_ id: UInt64, _ name: String?) -> Bool {
    if turn.isHeldByThisThread { return false }
    turn.take()
    let before = levels.current
    let all = layers.layers
    let others = all.filter { $0.id != id }
    if others.count < all.count {
      show(committed, beneath: others, CommitMark(name: name), [])
    }
    end(since: before)
    return others.count < all.count
  }

  /// Commits an edit in place of a layer, whose own edit it is where there is no other.
  func confirmLayer(
    _ id: UInt64, _ name: String?, undo: UndoRecording,
    _ edit: (@Sendable (inout State) throws -> Void)?
  ) throws {
    if turn.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    turn.take()
    let before = levels.current
    let mark = CommitMark(name: name)
    var fate = CommitFate()
    do {
      let all = layers.layers
      guard let layer = all.first(where: { $0.id == id }) else {
        throw StoreLayerError.ended(layer: name)
      }
      let others = all.filter { $0.id != id }
      let body: @Sendable (inout State) throws -> Void = { try layer.make(edit, on: &$0) }
      if undo == .step {
        try transact(mark, undo: .never, over: others, &fate, body)
      } else {
        try transactUnrecorded(mark, over: others, &fate, body)
      }
    } catch {
      end(since: before)
      throw error
    }
    log(mark, fate, since: began, from: before, to: end(since: before))
    if let refusal = fate.refusal { throw refusal }
  }

  /// Shows a committed state with layers on top, in the turn of this thread.
  ///
  /// A layer that throws is passed over, and stays for the next time.
  func show(
    _ base: Snapshot<State>, beneath others: [Layer], _ mark: CommitMark,
    _ activities: [AnySentActivity]
  ) {
    let shown = levels.current.of(State.self)
    var state = base.value
    for layer in others {
      do {
        state = try edited(Snapshot(state, version: shown.version)) { try layer.make(on: &$0) }
      } catch {
        levels.problems.append(StoreProblem(layer: layer.name, error))
      }
    }
    if !others.isEmpty, let refusal = reduce(&state, after: shown) {
      levels.problems.append(StoreProblem(layer: nil, refusal))
    }
    // With the last layer the committed state stays to be read from the layers until it is published.
    if !others.isEmpty { setLayers(others, over: base) }
    defer { if others.isEmpty { setLayers(others, over: base) } }
    if !equality.areSurelyEqual(shown.value, state) {
      let next = Snapshot(state, version: shown.version + 1, mark: mark)
      swap(in: next, activities)
    } else if !activities.isEmpty {
      post(activities)
    }
  }

  private func setLayers(_ others: [LayerStack<State>.Layer], over base: Snapshot<State>) {
    layers.set(others, over: base)
    updatePlainness()
  }

  /// The state that an edit of a layer makes of one.
  private func edited(
    _ start: Snapshot<State>, by edit: (inout State) throws -> Void
  ) throws -> State {
    let outcome = try levels.run(from: start, equality, edit)
    if let refusal = outcome.refusal { throw refusal }
    return outcome.state
  }
}
