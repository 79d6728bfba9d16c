/// What a store is made of: the hub its state and observers meet in, and the turn its commits take.
///
/// Apart from `Store` so that lifetimes stay clear: derived values and the closures of observers
/// may hold the core, and its hub holds those closures; the store's own end then takes that circle
/// apart.
@usableFromInline
final class StoreCore<State: Sendable, Activity: Sendable>: StateSource {
  @usableFromInline let hub: StoreHub
  @usableFromInline let turn = CommitTurn()
  @usableFromInline let levels: CommitLevels
  @usableFromInline let equality: Equality<State>
  @usableFromInline let history: StoreHistory
  @usableFromInline let line = ChangeLine()
  let observation: StateObservation<State>
  @usableFromInline let isLogged: Bool
  let layers = LayerStack<State>()
  let feeds = RowFeeds()
  let databases = DatabaseParts<State>()
  let tasks = StoreTasks()
  let definitions: SharedDefinitions? = SharedDefinitions()
  let hooks: CommitHooks<State>

  init(
    initialState: State, undoDepth: Int, hooks: CommitHooks<State>,
    equality: Equality<State> = Equality()
  ) {
    self.hooks = hooks
    self.equality = equality
    let current = Snapshot(initialState, version: 0)
    history = StoreHistory(depth: undoDepth)
    levels = CommitLevels(current: current)
    hub = StoreHub(current, ProblemLog(logger: hooks.logger))
    observation = StateObservation(line)
    isLogged = hooks.logger != nil
    updatePlainness()
  }

  var problems: ProblemLog { hub.problems }

  @inlinable var current: Snapshot<State> { hub.current.of(State.self) }

  /// The state without optimistic layers, for the thread that has the turn.
  var committedInTurn: Snapshot<State> { layers.base.state ?? levels.current.of(State.self) }

  /// The state without optimistic layers, which commits edit.
  var committed: Snapshot<State> {
    while true {
      let (base, changes) = layers.base
      let state = base ?? current
      if layers.base.changes == changes { return state }
    }
  }

  /// Finds out whether commits need not ask anybody, in the turn of this thread.
  func updatePlainness() {
    levels.isPlain =
      hooks.middleware.isEmpty && (hooks.reduce == nil || levels.reducesNothing)
      && layers.layersIfAny == nil
  }
}
