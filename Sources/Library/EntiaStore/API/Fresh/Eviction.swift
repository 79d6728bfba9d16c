import EntiaDatabase

/// The eviction of rows of a database in a store.
struct Eviction<State: Sendable, Activity: Sendable, Storage: NormalizedStorageType> {
  let core: StoreCore<State, Activity>
  let path: any WritableKeyPath<State, Storage> & Sendable
  let budget: EvictionBudget

  private var committed: Storage { core.committed.value[keyPath: path] }

  /// Returns the roots, and the rows that are read or edited in the store now.
  ///
  /// Runs the code of queries, so it must be called without a lock.
  private func kept(with roots: [CollectionRoot], in storage: Storage) -> [CollectionRoot] {
    let readPath: any KeyPath<State, Storage> & Sendable = path
    let (visible, committed) = (core.current, core.committed)
    var kept = roots
    kept += core.broadcaster.readRows(
      in: visible, of: core.detector(at: readPath), tracked: core.observation.rows.keys,
      existing: core.definitions?.sources ?? [])
    if !core.layers.layers.isEmpty {
      kept.append(.rows(writtenIn: visible.value[keyPath: path], since: storage))
    }
    for editor in core.editors.all {
      kept += editor.editedRows()
      guard let edit = editor.edit(committed.value) else { continue }
      kept.append(.rows(writtenIn: edit.new[keyPath: path], since: edit.old[keyPath: path]))
    }
    return kept
  }

  /// Evicts in one commit.
  func perform(keeping roots: [CollectionRoot]) {
    for _ in 0..<Self.attemptLimit {
      let storage = committed
      let plan = storage.plan(evictingDownTo: budget, keeping: kept(with: roots, in: storage))
      if plan.isEmpty { return }
      if case .stale = commit(plan.steps, at: storage) { continue }
      return
    }
    // Other commits come between each plan and its commit, so the last plan is part of its commit.
    let (path, budget) = (path, budget)
    let kept = kept(with: roots, in: committed)
    _ = commit { state in
      let plan = state[keyPath: path].plan(evictingDownTo: budget, keeping: kept)
      try state[keyPath: path].evict(plan.steps)
      return .evicted(state[keyPath: path])
    }
  }

  /// Evicts in small commits. A plan is created again if another commit keeps one of its rows.
  /// After several plans, the rest remains for the next check.
  func performInSteps(keeping roots: @Sendable () -> [CollectionRoot]) async {
    for _ in 0..<Self.attemptLimit where !Task.isCancelled {
      let storage = committed
      let run = EvictionRun(
        storage, downTo: budget, keeping: kept(with: roots(), in: storage))
      if await carryOut(run, keeping: roots) { return }
    }
  }

  /// Carries out removals in commits of at most a millisecond.
  /// - Returns: Whether the eviction has ended; `false` if another plan is necessary.
  private func carryOut(
    _ run: EvictionRun<Storage>, keeping roots: @Sendable () -> [CollectionRoot]
  ) async -> Bool {
    var count = 16
    var failures = 0
    while !run.isEmpty, !Task.isCancelled {
      let storage = committed
      let next = run.next(count, in: storage) { kept(with: roots(), in: storage) }
      guard let steps = next, failures < Self.staleLimit else { return false }
      if steps.isEmpty { return true }
      let start = ContinuousClock.now
      switch commit(steps, at: storage) {
      case .refused: return true
      case .stale: failures += 1
      case .evicted(let version):
        failures = 0
        run.noteRemoved(steps.count, in: version)
        let duration = ContinuousClock.now - start
        if duration > .microseconds(500) { count = max(1, count / 2) }
        if duration < .microseconds(250) { count *= 2 }
      }
      await Task.yield()
    }
    return true
  }

  /// The number of plans that other commits may outdate.
  private static var attemptLimit: Int { 4 }
  /// The number of times that other commits may come between a check of rows and their commit.
  private static var staleLimit: Int { 64 }

  private enum Outcome: Sendable {
    case evicted(Storage)
    /// The database has changed since it was checked.
    case stale
    case refused
  }

  private func commit(_ steps: [EvictionStep], at expected: Storage) -> Outcome {
    let path = path
    return commit { state in
      guard state[keyPath: path].snapshot.isIdentical(to: expected.snapshot) else { return .stale }
      try state[keyPath: path].evict(steps)
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
  fileprivate mutating func evict(_ steps: [EvictionStep]) throws {
    try performBatchUpdates { (context) throws -> Void in context.evict(steps) }
  }
}
