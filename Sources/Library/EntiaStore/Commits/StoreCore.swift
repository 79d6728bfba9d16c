/// The implementation of a store: the broadcaster with its current version and its observers, and
/// the commits that replace this version.
///
/// Separate from `Store` to keep lifetimes clear. Derived values and closures of observers may
/// retain the core, and its broadcaster retains those closures; the deinitialization of the store
/// breaks this cycle.
@usableFromInline
final class StoreCore<State: Sendable, Activity: Sendable>: StateSource {
  @usableFromInline let broadcaster: StoreBroadcaster
  @usableFromInline let commitLock = CommitLock()
  @usableFromInline let commitState: CommitState<State>
  @usableFromInline let openCommit = OpenCommit()
  @usableFromInline let equality: Equality<State>
  @usableFromInline let history: StoreHistory
  @usableFromInline let pendingChanges = PendingChanges()
  let observation: StateObservation<State>
  @usableFromInline let isLogged: Bool
  let layers = LayerStack<State>()
  /// The change detectors of the observed databases, one for equal key paths.
  let detectors = WeakList<DatabaseChangeDetector>()
  /// The pools of resolvers of databases, by key path.
  let resolvers = KeyPathTable<any AnyObject & Sendable>()
  let databases = DatabaseParts<State>()
  let tasks = StoreTasks()
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  let hooks: CommitHooks<State>
  let commitObservers = Mutex<[CommitObserver]>([])

  init(
    initialState: State, undoDepth: Int, hooks: CommitHooks<State>,
    equality: Equality<State> = Equality()
  ) {
    self.hooks = hooks
    self.equality = equality
    var reduced = initialState
    let hasDefaultReduction = DefaultReduction.isCalled { hooks.reduce?(&reduced, initialState) }
    let current = StateVersion(reduced, version: 0)
    history = StoreHistory(depth: undoDepth)
    commitState = CommitState(current: current)
    broadcaster = StoreBroadcaster(current, ProblemLog(logger: hooks.logger))
    observation = StateObservation(pendingChanges)
    isLogged = hooks.logger != nil
    commitState.hasDefaultReduction = hasDefaultReduction
    updateHasHooks()
  }

  var problems: ProblemLog { broadcaster.problems }

  @inlinable var current: StateVersion<State> { broadcaster.current.of(State.self) }

  /// The current state.
  ///
  /// It is copied under the lock, which runs no user code: retaining and releasing the version
  /// would take longer than finding a row.
  @inlinable var currentValue: State {
    let current = broadcaster.lockCurrent()
    defer { broadcaster.unlockCurrent() }
    return current._withUnsafeGuaranteedRef { $0.of(State.self).value }
  }

  /// The state without optimistic layers, which commits edit; for the thread that holds the commit
  /// lock.
  @usableFromInline var committedUnderLock: StateVersion<State> {
    layers.base.state ?? commitState.current
  }

  /// The state without optimistic layers, for any thread.
  var committed: StateVersion<State> {
    while true {
      let (base, changes) = layers.base
      let state = base ?? current
      if layers.base.changes == changes { return state }
    }
  }
}
