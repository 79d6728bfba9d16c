/// The implementation of a store: the hub with its state and observers, and the turn of its
/// commits.
///
/// Separate from `Store` to keep lifetimes clear. Derived values and closures of observers may
/// retain the core, and its hub retains those closures; the deinitialization of the store breaks
/// this cycle.
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
  /// The databases whose rows are followed, one feed for equal key paths.
  let feeds = WeakList<RowFeed>()
  let resolvers = KeyPathTable<any AnyObject & Sendable>()
  let databases = DatabaseParts<State>()
  let tasks = StoreTasks()
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  let hooks: CommitHooks<State>

  init(
    initialState: State, undoDepth: Int, hooks: CommitHooks<State>,
    equality: Equality<State> = Equality()
  ) {
    self.hooks = hooks
    self.equality = equality
    var reduced = initialState
    let reducesNothing = DefaultReduction.isNoted { hooks.reduce?(&reduced, initialState) }
    let current = Snapshot(reduced, version: 0)
    history = StoreHistory(depth: undoDepth)
    levels = CommitLevels(current: current)
    hub = StoreHub(current, ProblemLog(logger: hooks.logger))
    observation = StateObservation(line)
    isLogged = hooks.logger != nil
    levels.reducesNothing = reducesNothing
    updatePlainness()
  }

  var problems: ProblemLog { hub.problems }

  @inlinable var current: Snapshot<State> { hub.current.of(State.self) }

  /// The state without optimistic layers, for the thread that holds the turn.
  var committedInTurn: Snapshot<State> { layers.base.state ?? levels.current.of(State.self) }

  /// The state without optimistic layers, which commits edit.
  var committed: Snapshot<State> {
    while true {
      let (base, changes) = layers.base
      let state = base ?? current
      if layers.base.changes == changes { return state }
    }
  }

  /// Adds a middleware, for the commits that begin later. Returns a subscription that removes it.
  func add(_ middleware: StoreMiddleware<State>) -> StoreSubscription {
    changingHooks {
      hooks.add(middleware) { number in
        StoreSubscription { [weak self] in
          guard let self else { return }
          let former = changingHooks { hooks.remove(number) }
          // A closure that captured the store is released here, without the turn.
          withExtendedLifetime(former) {}
        }
      }
    }
  }

  private func changingHooks<Result>(_ change: () -> Result) -> Result {
    let isInside = turn.isHeldByThisThread
    if !isInside { turn.take() }
    let result = change()
    updatePlainness()
    if !isInside { turn.pass() }
    return result
  }

  /// Updates whether commits run without hooks and layers; the caller must hold the turn.
  func updatePlainness() {
    levels.isPlain =
      hooks.middleware.isEmpty && (hooks.reduce == nil || levels.reducesNothing)
      && layers.layersIfAny == nil
  }
}
