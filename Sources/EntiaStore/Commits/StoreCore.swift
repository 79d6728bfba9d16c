/// The implementation of a store: the broadcaster with its state and observers, and the lock of its
/// commits.
///
/// Separate from `Store` to keep lifetimes clear. Derived values and closures of observers may
/// retain the core, and its broadcaster retains those closures; the deinitialization of the store breaks
/// this cycle.
@usableFromInline
final class StoreCore<State: Sendable, Activity: Sendable>: StateSource {
  @usableFromInline let broadcaster: StoreBroadcaster
  @usableFromInline let commitLock = CommitLock()
  @usableFromInline let levels: NestedCommits
  @usableFromInline let equality: Equality<State>
  @usableFromInline let history: StoreHistory
  @usableFromInline let line = PendingChanges()
  let observation: StateObservation<State>
  @usableFromInline let isLogged: Bool
  let layers = LayerStack<State>()
  /// The databases whose rows are followed, one detector for equal key paths.
  let detectors = WeakList<DatabaseChangeDetector>()
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
    let current = StateVersion(reduced, version: 0)
    history = StoreHistory(depth: undoDepth)
    levels = NestedCommits(current: current)
    broadcaster = StoreBroadcaster(current, ProblemLog(logger: hooks.logger))
    observation = StateObservation(line)
    isLogged = hooks.logger != nil
    levels.reducesNothing = reducesNothing
    updatePlainness()
  }

  var problems: ProblemLog { broadcaster.problems }

  @inlinable var current: StateVersion<State> { broadcaster.current.of(State.self) }

  /// The state without optimistic layers, for the thread that holds the commit lock.
  var committedInTurn: StateVersion<State> { layers.base.state ?? levels.current.of(State.self) }

  /// The state without optimistic layers, which commits edit.
  var committed: StateVersion<State> {
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
          // A closure that captured the store is released here, without the commit lock.
          withExtendedLifetime(former) {}
        }
      }
    }
  }

  private func changingHooks<Result>(_ change: () -> Result) -> Result {
    let isInside = commitLock.isHeldByThisThread
    if !isInside { commitLock.lock() }
    let result = change()
    updatePlainness()
    if !isInside { commitLock.unlock() }
    return result
  }

  /// Updates whether commits run without hooks and layers; the caller must hold the commit lock.
  func updatePlainness() {
    levels.isPlain =
      hooks.middleware.isEmpty && (hooks.reduce == nil || levels.reducesNothing)
      && layers.layersIfAny == nil
  }
}
