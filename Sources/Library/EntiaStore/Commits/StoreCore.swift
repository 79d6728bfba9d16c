import EntiaDatabase

/// The implementation of a store: the broadcaster with its current version and its observers, and
/// the commits that replace this version.
///
/// The core is separate from `Store`, because the core can be in a reference cycle. The core
/// retains its broadcaster, and the broadcaster retains the closures of observers. These closures
/// and derived values may retain the core. The deinitialization of the store breaks the cycle.
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
  /// The change detectors of the observed databases, one for each distinct key path.
  let detectors = SharedObjects()
  let resolvers = KeyPathTable<any AnyObject & Sendable>()
  let databases = DatabaseParts<State>()
  /// The edits of drafts, and the edits of shared databases that have not been sent.
  let editors = SharedObjects()
  let tasks = StoreTasks()
  let definitions: SharedObjects? = SharedObjects()
  let tracking: ValueTracking? = ValueTracking()
  let hooks: CommitHooks<State>
  let commitObservers = Mutex<[CommitObserver]>([])

  init(
    initialState: State, undoDepth: Int, hooks: CommitHooks<State>,
    equality: Equality<State> = Equality(isThorough: true)
  ) {
    self.hooks = hooks
    self.equality = equality
    var reduced = initialState
    let hasDefaultReduction = DefaultReduction.isCalled(of: State.self) {
      hooks.reduce?(&reduced, initialState)
    }
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
  /// The value is copied under the lock; copying runs no user code. Retaining and releasing the
  /// version instead would take longer than finding a row.
  @inlinable var currentValue: State {
    let current = broadcaster.lockCurrent()
    defer { broadcaster.unlockCurrent() }
    return current._withUnsafeGuaranteedRef { $0.of(State.self).value }
  }

  /// The state that commits edit, without optimistic layers. Only the thread that holds the commit
  /// lock may read it.
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

/// The result of a commit's closure and hooks, before it is published.
@usableFromInline
struct CommitResult<State: Sendable> {
  /// The new version, or `nil` if the state is unchanged.
  @usableFromInline var next: StateVersion<State>?
  @usableFromInline var refusal: (any Error)?
  @usableFromInline var activities: [AnyErasedValue]

  @inlinable
  init(refusal: (any Error)? = nil, activities: [AnyErasedValue] = []) {
    self.refusal = refusal
    self.activities = activities
  }
}

/// The state of a store's commits, which only the thread that holds the commit lock accesses.
///
/// Sendable despite its `var` properties: the commit lock protects them. Accesses to the properties
/// are not checked for exclusivity, because each check costs a hundredth of a commit. A second
/// access on the thread that holds the lock can only come from the `deinit` of a user's value. A
/// replaced value must therefore be released after the access that replaces it.
@usableFromInline
final class CommitState<State: Sendable>: @unchecked Sendable {
  /// The published version, which the holder of the commit lock reads without another lock.
  @exclusivity(unchecked) @usableFromInline var current: StateVersion<State>
  /// Whether a middleware or the state's own hook runs at commits.
  @exclusivity(unchecked) @usableFromInline var hasHooks = false
  @exclusivity(unchecked) @usableFromInline var hasLayers = false
  /// The recorders of the commits, for inspections.
  @exclusivity(unchecked) var recorders: [CommitRecorder] = []
  @exclusivity(unchecked) @usableFromInline var isInspected = false
  /// Whether there are, or were, observers of commits.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// Whether there are, or were, observers that record each change of the committed state.
  @exclusivity(unchecked) @usableFromInline var isRecorded = false
  /// Whether the state below the layers was replaced since the observers of commits were last
  /// notified.
  @exclusivity(unchecked) @usableFromInline var hasNewBase = false
  /// Whether the last call of the state's `reduce(modifying:previous:)` called the default
  /// implementation, which does nothing.
  var hasDefaultReduction = false
  /// Whether events have been posted since the commit lock was acquired.
  @exclusivity(unchecked) @usableFromInline var mustDeliver = false
  /// The problems to report after the commit lock is released.
  @exclusivity(unchecked) @usableFromInline var problems: [StoreProblem] = []

  init(current: StateVersion<State>) { self.current = current }
}

extension StoreCore {
  func send(_ activity: Activity) {
    let sent = ErasedValue(activity)
    let isInside = commitLock.isHeldByThisThread
    if isInside, openCommit.isRunning { return openCommit.postpone(sent) }
    broadcaster.publish(sent)
    // If this thread holds the commit lock, the activity is delivered when the lock is released.
    if isInside { commitState.mustDeliver = true } else { broadcaster.deliver() }
  }

  func observeActivities(
    on target: DeliveryTarget, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    broadcaster.observe(on: target, observedRegion: .activities, dropsFirst: true) { event in
      if case .activity(let sent) = event { receive(sent.of(Activity.self)) }
      return nil
    }
  }
}

extension StoreCore {
  @usableFromInline
  func registerStateRead() { observation.registerStateRead() }

  @usableFromInline var isReadTracked: Bool { observation.isTracked }

  /// Registers with Observation that a tracked read of a part of the state follows.
  @usableFromInline
  func willTrack<Part>(_ path: any KeyPath<State, Part> & Sendable) { observation.willTrack(path) }

  /// Notifies Observation of a change; must be called without a lock and after the commit lock is
  /// released.
  @usableFromInline
  func notifyObservation(from before: StateVersion<State>, to after: StateVersion<State>) {
    observation.changed(from: before, to: after)
  }

  var observedRegion: ObservedRegion { .states }

  var isState: Bool { true }

  func value(at version: SourceVersion) -> StateVersion<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool, receive: @escaping ValueReceiver<State>
  ) -> StoreSubscription {
    broadcaster.observe(on: target, dropsFirst: dropsFirst) { [equality] event in
      guard case .state(let now, let before, _) = event else { return nil }
      let (current, previous) = (now.of(State.self), before?.of(State.self))
      // Several coalesced commits may have led back to an equal state.
      if let previous, current.version > previous.version + 1,
        equality.areSurelyEqual(previous.value, current.value)
      {
        return nil
      }
      receive(current, previous)
      return nil
    }
  }
}

extension StoreCore {
  /// Returns a live query of entities or of their number. An existing query with an equal
  /// descriptor and an equal key path is reused.
  func query<Result: LiveResult>(
    _ descriptor: FetchDescriptor<Result.Entity>,
    in path: any KeyPath<State, Result.Storage> & Sendable,
    _ rows: DifferingRows<Result.Storage, Result.Entity>
  ) -> LiveSource<State, Result> {
    // A query that cannot be compared with others is also stored under an identity of its own, so
    // that `definitions` contains all queries.
    let id = descriptor.definition.map { DefinitionID(path, $0) }
    return shared(id ?? DefinitionID(UniqueIdentity())) {
      LiveSource(broadcaster, detector(at: path), path, descriptor, rows: rows)
    }
  }

  /// Returns the existing source of a definition, or creates it.
  func shared<Source: AnyObject & Sendable>(_ id: DefinitionID, make: () -> Source) -> Source {
    definitions?.object(id, make: make) ?? make()
  }
}

extension StoreCore {
  @usableFromInline
  func report(_ problems: [StoreProblem]) {
    for problem in problems { self.problems.report(problem) }
  }

  /// Reports a refused commit to the problem handler, but not to the logger, which has a separate
  /// entry for refusals.
  @usableFromInline
  func reportRefusal(_ refusal: any Error, of metadata: CommitMetadata) {
    let problem = StoreProblem(commit: metadata.name, refusal)
    // A value's `deinit` can commit while this thread holds the commit lock. Reports then wait
    // until the lock is released.
    if commitLock.isHeldByThisThread {
      commitState.problems.append(problem)
    } else {
      problems.reportRefusal(problem)
    }
  }

  /// Logs a commit that has ended; must be called without the commit lock.
  @usableFromInline
  func log(
    _ request: CommitRequest, from before: StateVersion<State>, to after: StateVersion<State>
  ) {
    guard let logger = hooks.logger, let start = request.start else { return }
    let isChanged: Bool
    switch request.outcome {
    case nil, .failed: return
    case .refused(let refusal):
      return logger.log(.refused(name: request.metadata.name, error: refusal))
    case .unchanged: isChanged = false
    case .changed: isChanged = true
    }
    let duration = UndoTime.now.elapsed - start.elapsed
    logger.log(
      .committed(
        StoreCommit(
          request.metadata, duration: duration, isChanged: isChanged, from: before, to: after)))
  }
}

extension StoreCore {
  func resolvers<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> ResolverPool<Storage> {
    let pool = resolvers.value(at: path) { ResolverPool<Storage>() }
    // Equal key paths lead to values of one type, so the cast succeeds.
    return pool as? ResolverPool<Storage> ?? ResolverPool()
  }
}

extension StoreCore {
  func detector<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> DatabaseChangeDetector {
    detectors.object(DefinitionID(path)) {
      databases.add(path)
      return DatabaseChangeDetector(path)
    }
  }

  /// Registers with Observation that a read of a row follows.
  func registerRead<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) {
    let rows = observation.rows
    guard rows.isTracked else { return }
    _ = rows.registerRead(observedRows(of: CollectionOfOne(id), at: path))
  }

  /// Returns the row keys under which an observer of the rows with some IDs is registered.
  func observedRows<Storage: NormalizedStorageType, Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let detector = detector(at: path)
    return RowObserverIndex.ObservedRows(
      detectors: [detector], keys: ids.map { detector.key(of: $0) })
  }
}
