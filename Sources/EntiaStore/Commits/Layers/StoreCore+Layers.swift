extension StoreCore {
  typealias Layer = LayerStack<State>.Layer

  /// Adds a layer on top and returns its ID. Rethrows the error of its closure.
  func addLayer(
    _ name: String?, _ edit: @escaping @Sendable (inout State) throws -> Void
  ) throws -> UInt64 {
    if commitLock.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    commitLock.lock()
    let before = levels.current
    let id = layers.newID()
    do {
      let base = committed
      // Tested separately, because a replay skips edits that throw.
      let start = before.of(State.self)
      let end = try edited(start, by: edit)
      let layer = Layer(id: id, name: name, from: start.value, to: end, edit: edit)
      show(base, beneath: layers.layers + [layer], CommitMetadata(name: name), [])
    } catch {
      end(since: before)
      throw error
    }
    end(since: before)
    return id
  }

  /// Removes a layer. Returns `false` if it does not exist, or this thread already holds the commit lock.
  func removeLayer(_ id: UInt64, _ name: String?) -> Bool {
    if commitLock.isHeldByThisThread { return false }
    commitLock.lock()
    let before = levels.current
    let all = layers.layers
    let others = all.filter { $0.id != id }
    if others.count < all.count {
      show(committed, beneath: others, CommitMetadata(name: name), [])
    }
    end(since: before)
    return others.count < all.count
  }

  /// Commits an edit, by default that of the layer, and removes the layer.
  func confirmLayer(
    _ id: UInt64, _ name: String?, undo: UndoRecording,
    _ edit: (@Sendable (inout State) throws -> Void)?
  ) throws {
    if commitLock.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    let began = hooks.logger.map { _ in ContinuousClock.now }
    commitLock.lock()
    let before = levels.current
    let mark = CommitMetadata(name: name)
    var fate = CommitOutcome()
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

  /// Publishes a committed state with layers on top, under the commit lock.
  ///
  /// A layer that throws is skipped, and remains for the next time.
  func show(
    _ base: StateVersion<State>, beneath others: [Layer], _ mark: CommitMetadata,
    _ activities: [AnySentActivity]
  ) {
    let shown = levels.current.of(State.self)
    var state = base.value
    for layer in others {
      do {
        state = try edited(StateVersion(state, version: shown.version)) { try layer.make(on: &$0) }
      } catch {
        levels.problems.append(StoreProblem(layer: layer.name, error))
      }
    }
    if !others.isEmpty, let refusal = reduce(&state, after: shown) {
      levels.problems.append(StoreProblem(layer: nil, refusal))
    }
    // When the last layer is removed, the committed state can be read from the layers until it is
    // published.
    if !others.isEmpty { setLayers(others, over: base) }
    defer { if others.isEmpty { setLayers(others, over: base) } }
    if !equality.areSurelyEqual(shown.value, state) {
      let next = StateVersion(state, version: shown.version + 1, mark: mark)
      swap(in: next, activities)
    } else if !activities.isEmpty {
      post(activities)
    }
  }

  private func setLayers(_ others: [LayerStack<State>.Layer], over base: StateVersion<State>) {
    layers.set(others, over: base)
    updatePlainness()
  }

  /// Returns the state after an edit of a layer.
  private func edited(
    _ start: StateVersion<State>, by edit: (inout State) throws -> Void
  ) throws -> State {
    let outcome = try levels.run(from: start, equality, edit)
    if let refusal = outcome.refusal { throw refusal }
    return outcome.state
  }
}
