extension StoreCore {
  typealias Layer = LayerStack<State>.Layer

  /// Adds a layer on top and returns its ID. Rethrows the error of its closure.
  func addLayer(
    _ name: String?, _ edit: @escaping @Sendable (inout State) throws -> Void
  ) throws -> UInt64 {
    if commitLock.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    var request = CommitRequest(name: name)
    return try withCommitLock(&request) { request in
      let id = layers.newID()
      // Tested separately, because a replay skips edits that throw.
      let start = commitState.current
      let end = try state(after: edit, from: start)
      let layer = Layer(id: id, name: name, from: start.value, to: end, edit: edit)
      publish(committedUnderLock, under: layers.layers + [layer], [], request.metadata)
      return id
    }
  }

  /// Removes a layer. Returns `false` if it does not exist, or this thread already holds the commit
  /// lock.
  func removeLayer(_ id: UInt64, _ name: String?) -> Bool {
    if commitLock.isHeldByThisThread { return false }
    var request = CommitRequest(name: name)
    return withCommitLock(&request) { request in
      let all = layers.layers
      let others = all.filter { $0.id != id }
      if others.count == all.count { return false }
      publish(committedUnderLock, under: others, [], request.metadata)
      return true
    }
  }

  /// Commits an edit, by default that of the layer, and removes the layer.
  func confirmLayer(
    _ id: UInt64, _ name: String?, undo: UndoRecording,
    _ edit: (@Sendable (inout State) throws -> Void)?
  ) throws {
    if commitLock.isHeldByThisThread { throw StoreLayerError.insideCommit(layer: name) }
    var request = CommitRequest(name: name)
    try withCommitLock(&request) { request in
      guard let layer = layers.layers.first(where: { $0.id == id }) else {
        throw StoreLayerError.ended(layer: name)
      }
      let body: @Sendable (inout State) throws -> Void = { try layer.apply(edit, to: &$0) }
      request.recording =
        CommitRequest(request.metadata, undo: undo, replaying: body).recording
      request.layer = id
      try transact(&request, body)
    }
    if case .refused(let refusal) = request.outcome { throw refusal }
  }

  /// Publishes a committed state with the layers on top, without the layer that a commit confirms.
  @usableFromInline
  func publishUnderLayers(
    _ base: StateVersion<State>, _ activities: [AnySentActivity], _ request: CommitRequest
  ) {
    let others = layers.layers.filter { $0.id != request.layer }
    publish(base, under: others, activities, request.metadata)
  }

  /// Publishes a committed state with layers on top, under the commit lock.
  ///
  /// A layer that throws is skipped, and remains for the next time.
  private func publish(
    _ base: StateVersion<State>, under others: [Layer], _ activities: [AnySentActivity],
    _ metadata: CommitMetadata
  ) {
    let shown = commitState.current
    var state = base.value
    for layer in others {
      do {
        state = try self.state(
          after: { try layer.apply(to: &$0) }, from: StateVersion(state, version: shown.version))
      } catch {
        commitState.problems.append(StoreProblem(layer: layer.name, error))
      }
    }
    if !others.isEmpty, let refusal = reduce(&state, after: shown) {
      commitState.problems.append(StoreProblem(layer: nil, refusal))
    }
    // When the last layer is removed, the committed state can be read from the layers until it is
    // published.
    if !others.isEmpty { setLayers(others, over: base) }
    defer { if others.isEmpty { setLayers(others, over: base) } }
    if !equality.areSurelyEqual(shown.value, state) {
      let next = StateVersion(state, version: shown.version + 1, metadata: metadata)
      replaceCurrent(by: next, activities)
    } else {
      if equality.findsOtherTransientMembers(shown.value, state) {
        rewrite(shown.rewritten(as: state))
      }
      if !activities.isEmpty { post(activities) }
    }
  }

  private func setLayers(_ others: [Layer], over base: StateVersion<State>) {
    layers.set(others, over: base)
    commitState.hasLayers = !others.isEmpty
    commitState.hasNewBase = true
    updateHasHooks()
  }
}
