public import EntiaDatabase

extension StorePart {
  /// Evicts the oldest rows of a database that nothing keeps, at once.
  ///
  /// ```swift
  /// store.evict(\.feed, downTo: .rows(10_000), keeping: [.entity(me)])
  /// ```
  ///
  /// Kept are the roots, the held IDs, what observers and live queries read now, rows that
  /// optimistic layers write or reference, and what all of these reach. The eviction is one commit
  /// that is not an undo step. If a rule refuses it, nothing is evicted, and the refusal is
  /// reported.
  ///
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - budget: The size to reach.
  ///   - roots: The entities that are kept, in addition.
  /// - Complexity: That of a plan and of the removal.
  public func evict<Storage: NormalizedStorageType>(
    _ path: any WritableKeyPath<State, Storage> & Sendable, downTo budget: EvictionBudget,
    keeping roots: [CollectionRoot] = []
  ) {
    Eviction(core: store.core, path: wholePath(to: path), budget: budget).perform(keeping: roots)
  }

  /// Evicts the oldest rows of a database that nothing keeps in the background, whenever it has
  /// outgrown a budget.
  ///
  /// ```swift
  /// let eviction = store.keepFresh(\.feed, .init(budget: .rows(50_000), interval: .seconds(30)))
  /// ```
  ///
  /// Rows are kept as by ``evict(_:downTo:keeping:)``. They are removed in small commits that are
  /// no undo steps. Undoing an earlier step restores only the rows that the undone edit changed.
  ///
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - policy: The budget, and when it is checked.
  /// - Returns: A subscription; the eviction ends when it is released, or with the store.
  public func keepFresh<Storage: NormalizedStorageType>(
    _ path: any WritableKeyPath<State, Storage> & Sendable, _ policy: FreshnessPolicy
  ) -> StoreSubscription {
    let path = wholePath(to: path)
    let task = Task.detached(priority: .utility) { [weak core = store.core] in
      while !Task.isCancelled {
        do {
          // The store is not retained while the task sleeps.
          guard let core else { return }
          await Eviction(core: core, path: path, budget: policy.budget)
            .performInSteps(keeping: policy.keeping)
        }
        do { try await Task.sleep(for: policy.interval) } catch { return }
      }
    }
    return StoreSubscription { task.cancel() }
  }
}

/// The budget of a database in a store, and when it is checked.
public struct FreshnessPolicy: Sendable {
  let budget: EvictionBudget
  let interval: Duration
  let keeping: @Sendable () -> [CollectionRoot]

  /// Creates a policy.
  /// - Parameters:
  ///   - budget: The size to reach.
  ///   - interval: The time between two checks.
  ///   - keeping: Returns the entities that are kept, at each check.
  public init(
    budget: EvictionBudget, interval: Duration = .seconds(60),
    keeping: @escaping @Sendable () -> [CollectionRoot] = { [] }
  ) {
    self.budget = budget
    self.interval = interval
    self.keeping = keeping
  }
}

/// The eviction of rows of a database in a store.
private struct Eviction<State: Sendable, Activity: Sendable, Storage: NormalizedStorageType> {
  typealias Plan = EvictionPlan<Storage>

  let core: StoreCore<State, Activity>
  let path: any WritableKeyPath<State, Storage> & Sendable
  let budget: EvictionBudget

  /// Returns the roots, and the rows that are read or edited in the store now.
  ///
  /// Runs the code of queries, so it must be called without a lock.
  private func kept(with roots: [CollectionRoot], in storage: Storage) -> [CollectionRoot] {
    let readPath: any KeyPath<State, Storage> & Sendable = path
    let visible = core.current
    let read = core.broadcaster.readRows(
      in: visible, of: core.detector(at: readPath), tracked: core.observation.rows.keys)
    if core.layers.layers.isEmpty { return roots + read }
    return roots + read + [.rows(writtenIn: visible.value[keyPath: path], since: storage)]
  }

  /// Evicts in one commit.
  func perform(keeping roots: [CollectionRoot]) {
    for _ in 0..<Self.attemptLimit {
      let storage = core.committed.value[keyPath: path]
      let plan = storage.plan(evictingDownTo: budget, keeping: kept(with: roots, in: storage))
      if plan.isEmpty { return }
      if case .stale = commit(plan.steps[...], at: storage) { continue }
      return
    }
    // Other commits come between each plan and its commit, so the last plan is part of its commit.
    let (path, budget) = (path, budget)
    let kept = kept(with: roots, in: core.committed.value[keyPath: path])
    _ = commit { state in
      let plan = state[keyPath: path].plan(evictingDownTo: budget, keeping: kept)
      try state[keyPath: path].evict(plan.steps[...])
      return .evicted(state[keyPath: path])
    }
  }

  /// Evicts in small commits. A plan is created again if another commit has changed the database.
  func performInSteps(keeping roots: @Sendable () -> [CollectionRoot]) async {
    var failures = 0
    while !Task.isCancelled {
      let storage = core.committed.value[keyPath: path]
      let plan = storage.plan(evictingDownTo: budget, keeping: kept(with: roots(), in: storage))
      switch await carryOut(plan.steps[...], at: storage) {
      case .evicted, .refused: return
      case .stale: failures += 1
      }
      if failures == Self.attemptLimit { return perform(keeping: roots()) }
    }
  }

  /// Carries out steps in commits of at most a millisecond.
  private func carryOut(_ steps: ArraySlice<EvictionStep>, at storage: Storage) async -> Outcome {
    var (steps, storage) = (steps, storage)
    var count = 16
    while !steps.isEmpty, !Task.isCancelled {
      let start = ContinuousClock.now
      let outcome = commit(steps.prefix(count), at: storage)
      guard case .evicted(let next) = outcome else { return outcome }
      storage = next
      steps = steps.dropFirst(count)
      let duration = ContinuousClock.now - start
      if duration > .microseconds(500) { count = max(1, count / 2) }
      if duration < .microseconds(250) { count *= 2 }
      await Task.yield()
    }
    return .evicted(storage)
  }

  /// The number of plans that other commits may outdate.
  private static var attemptLimit: Int { 4 }

  private enum Outcome: Sendable {
    case evicted(Storage)
    /// The database has changed since the plan.
    case stale
    case refused
  }

  private func commit(_ steps: ArraySlice<EvictionStep>, at expected: Storage) -> Outcome {
    let path = path
    return commit { state in
      guard state[keyPath: path].snapshot.isIdentical(to: expected.snapshot) else { return .stale }
      try state[keyPath: path].evict(steps)
      return .evicted(state[keyPath: path])
    }
  }

  /// Plans under the commit lock, for the roots that are known before.
  private func performUnderLock(keeping roots: [CollectionRoot]) {
    let (path, budget) = (path, budget)
    let readPath: any KeyPath<State, Storage> & Sendable = path
    let visible = core.current
    var kept =
      roots
      + core.broadcaster.readRows(
        in: visible, of: core.detector(at: readPath), tracked: core.observation.rows.keys)
    if !core.layers.layers.isEmpty {
      kept.append(
        .rows(
          writtenIn: visible.value[keyPath: path], since: core.committed.value[keyPath: path]))
    }
    _ = commit { [kept] state -> Outcome in
      let plan = state[keyPath: path].plan(evictingDownTo: budget, keeping: kept)
      try state[keyPath: path].evict(plan.steps[...])
      return .evicted(state[keyPath: path])
    }
  }

  private func commit(_ body: @escaping @Sendable (inout State) throws -> Outcome) -> Outcome {
    core.databases.add(path)
    let name = "Eviction"
    let request = CommitRequest(
      CommitMetadata(name: name), undo: .none, at: "an eviction", replaying: body)
    do {
      return try core.commitOrThrow(request, body)
    } catch {
      core.report([StoreProblem(commit: name, error)])
      return .refused
    }
  }
}

extension NormalizedStorageType {
  /// Carries out a part of a plan that was created for this version.
  fileprivate mutating func evict(_ steps: ArraySlice<EvictionStep>) throws {
    try performBatchUpdates { (context) throws -> Void in context.evict(steps) }
  }
}
