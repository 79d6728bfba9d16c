/// What a store is made of: the hub its state and observers meet in, and the turn its commits take.
///
/// Apart from `Store` so that lifetimes stay clear: derived values and the closures of observers
/// may hold the core, and its hub holds those closures; the store's own end then takes that circle
/// apart.
final class StoreCore<State: Sendable, Activity: Sendable>: StateSource {
  let hub: StoreHub
  let turn = CommitTurn()
  let levels = CommitLevels()
  let layers = LayerStack<State>()
  let equality = Equality<State>()
  let feeds = RowFeeds()
  let tasks = StoreTasks()
  let observation = StateObservation<State>()
  let definitions: SharedDefinitions? = SharedDefinitions()
  let hooks: CommitHooks<State>
  let history: StoreHistory

  init(initialState: State, undoDepth: Int, hooks: CommitHooks<State>) {
    self.hooks = hooks
    history = StoreHistory(depth: undoDepth)
    hub = StoreHub(Snapshot(initialState, version: 0), ProblemLog(logger: hooks.logger))
  }

  var problems: ProblemLog { hub.problems }

  var current: Snapshot<State> { hub.current.of(State.self) }

  /// The state without optimistic layers, for the thread that has the turn.
  var committedInTurn: Snapshot<State> { layers.base.state ?? current }

  /// The state without optimistic layers, which commits edit.
  var committed: Snapshot<State> {
    while true {
      let (base, changes) = layers.base
      let state = base ?? current
      if layers.base.changes == changes { return state }
    }
  }
}
