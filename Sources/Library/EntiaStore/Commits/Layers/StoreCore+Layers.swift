extension StoreCore {
  typealias Layer = LayerStack<State>.Layer

  /// Adds a layer on top and returns its ID. Rethrows the error of its closure.
  func addLayer(
    _ name: String?, replays: LayerReplays,
    _ edit: @escaping @Sendable (inout State) throws -> Void
  ) throws -> UInt64 {
    var request = CommitRequest(name: name, at: "a change of a layer")
    return try underCommitLock(&request) { request in
      let id = layers.newID()
      let shown = commitState.current
      let parts = databases.all
      var start = shown.value
      for part in parts { part.beginNoting(&start) }
      var end = try state(
        after: edit, from: StateVersion(start, version: shown.version), request.origin)
      let layer = Layer(id: id, name: name, replays: replays, from: start, to: end, edit: edit)
      let all = layers.layers + [layer]
      if hasOwnHook || commitState.current !== shown {
        // The hook has already processed `shown`, and must process the edits of all layers at once.
        // Another version is current if the edit sent an activity whose `deinit` committed.
        publish(committedUnderLock, under: all, [], request.metadata)
      } else {
        let isChanged = !equality.areSurelyEqual(start, end)
        let added = parts.map { $0.endNoting(start, shown.value, &end) }
        let written = isChanged ? layers.written(adding: added) : nil
        publish(end, committedUnderLock, all, written, [], request.metadata)
      }
      return id
    }
  }

  /// Removes a layer. Returns `false` if it does not exist.
  func removeLayer(_ id: UInt64, _ name: String?) -> Bool {
    var request = CommitRequest(name: name, at: "a change of a layer")
    return underCommitLock(&request) { request in
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
    var request = CommitRequest(name: name, at: "a change of a layer")
    try underCommitLock(&request) { request in
      guard let layer = layers.layers.first(where: { $0.id == id }) else {
        throw StoreLayerError.ended(layer: name)
      }
      request.recording =
        CommitRequest(request.metadata, undo: undo, at: request.place) { [databases] in
          try layer.apply(edit, to: &$0, replacing: databases.all)
        }.recording
      request.layer = id
      try transact(&request) { try layer.apply(edit, to: &$0) }
    }
    if case .refused(let refusal) = request.outcome { throw refusal }
  }

  /// Publishes a committed state with the layers on top. If the commit confirms a layer, this layer
  /// is left out.
  @usableFromInline
  func publishUnderLayers(
    _ base: StateVersion<State>, _ activities: [AnyErasedValue], _ request: CommitRequest
  ) {
    let all = layers.layers
    if request.layer == nil, let written = layers.written,
      let state = stateFollowing(base, written)
    {
      return publish(state, base, all, written, activities, request.metadata)
    }
    let others = all.filter { $0.id != request.layer }
    publish(base, under: others, activities, request.metadata)
  }

  /// Returns the visible state after a commit, without applying the edits of the layers again.
  /// Returns `nil` if the edits have to be applied again. There are three such cases: the commit
  /// changed more than databases, its changes may depend on rows that the layers wrote, or the
  /// state has a hook of its own.
  private func stateFollowing(_ base: StateVersion<State>, _ written: RowsOfLayers) -> State? {
    let former = committedUnderLock
    guard !hasOwnHook, databases.containAllChanges(from: former.value, to: base.value, by: equality)
    else { return nil }
    var state = commitState.current.value
    let versions = DatabaseParts<State>.Versions(
      origin: base.value, target: former.value, current: state)
    for (index, part) in databases.all.enumerated() {
      // A database that was registered after the layers' edits has no noted rows.
      let rows = index < written.count ? written[index] : nil
      if !part.addIndependentChange(versions, rows, &state) { return nil }
    }
    return state
  }

  /// Publishes a committed state with layers on top, under the commit lock.
  ///
  /// A layer whose edit throws is left out of the visible state, until a later call applies its
  /// edit successfully.
  private func publish(
    _ base: StateVersion<State>, under others: [Layer], _ activities: [AnyErasedValue],
    _ metadata: CommitMetadata
  ) {
    let shown = commitState.current
    let parts = others.isEmpty ? [] : databases.all
    var state = base.value
    for part in parts { part.beginNoting(&state) }
    let start = state
    var areApplied = true
    for layer in others {
      do {
        let before = state
        state = try self.state(
          after: { try layer.apply(to: &$0) }, from: StateVersion(state, version: shown.version),
          CommitOrigin(layer.name, at: "the edit of a layer"))
        // An edit that changed nothing may depend on rows that it only read. `written` lacks these
        // rows, so the edits must be applied again after every commit.
        if equality.areSurelyEqual(before, state) { areApplied = false }
      } catch {
        areApplied = false
        commitState.problems.append(StoreProblem(layer: layer.name, error))
      }
    }
    let written = parts.map { $0.endNoting(start, base.value, &state) }
    if !others.isEmpty {
      reduce(&state, after: shown, CommitOrigin(metadata.name, at: "the edit of a layer"))
    }
    publish(state, base, others, areApplied ? written : nil, activities, metadata)
  }

  /// Publishes `base` as the committed state and `state` as the visible state, under the commit
  /// lock.
  private func publish(
    _ state: State, _ base: StateVersion<State>, _ others: [Layer],
    _ written: RowsOfLayers?, _ activities: [AnyErasedValue], _ metadata: CommitMetadata
  ) {
    let shown = commitState.current
    // If no layers are left, the stack keeps its previous base until `state` is published. Any
    // thread can therefore read the committed state at any time.
    if !others.isEmpty { setLayers(others, over: base, written) }
    defer { if others.isEmpty { setLayers(others, over: base, written) } }
    if !equality.areSurelyEqual(shown.value, state) {
      let next = StateVersion(state, version: shown.version + 1, metadata: metadata)
      replaceCurrent(by: next, activities)
    } else if !activities.isEmpty {
      post(activities)
    }
  }

  private func setLayers(
    _ others: [Layer], over base: StateVersion<State>, _ written: RowsOfLayers?
  ) {
    layers.set(others, over: base, written: written)
    commitState.hasLayers = !others.isEmpty
    commitState.hasNewBase = true
    updateHasHooks()
  }
}

/// The reason why a layer was not confirmed.
public enum StoreLayerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The layer has already been confirmed or rolled back.
  case ended(layer: String?)

  /// A description of the layer and the reason.
  public var description: String {
    switch self {
    case .ended(let name): "\(Self.label(name)) has been confirmed or rolled back before"
    }
  }

  private static func label(_ name: String?) -> String {
    name.map { "the layer \($0)" } ?? "the layer"
  }
}
