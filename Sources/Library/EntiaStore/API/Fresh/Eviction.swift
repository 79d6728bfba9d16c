public import EntiaDatabase

#if canImport(Darwin)
  import Dispatch
#endif

struct Eviction<State: Sendable, Activity: Sendable, Storage: NormalizedStorageType> {
  let core: StoreCore<State, Activity>
  let path: any WritableKeyPath<State, Storage> & Sendable
  let budget: EvictionBudget

  private var committed: Storage { core.committed.value[keyPath: path] }

  /// Returns the roots of an eviction: `roots`, and the rows that are currently read or edited in
  /// the store.
  ///
  /// Runs the code of queries, so it must be called without a lock.
  private func kept(with roots: [CollectionRoot], in storage: Storage) -> [CollectionRoot] {
    let readPath: any KeyPath<State, Storage> & Sendable = path
    let (visible, committed) = (core.current, core.committed)
    var kept = roots
    kept += core.broadcaster.readRows(
      in: visible, of: core.detector(at: readPath), tracked: core.observation.rows.keys,
      existing: core.definitions?.objects ?? [])
    let layers = core.layers.layers
    if !layers.isEmpty {
      kept.append(.rows(writtenIn: visible.value[keyPath: path], since: storage))
      kept.append(.rows(writtenIn: edited(by: layers, committed.value), since: storage))
    }
    for case let editor as StateEditor<State> in core.editors.objects {
      kept += editor.editedRows()
      guard let edit = editor.edit(committed.value) else { continue }
      kept.append(.rows(writtenIn: edit.new[keyPath: path], since: edit.old[keyPath: path]))
    }
    return kept
  }

  /// Returns the database after the edits of `layers`. The database notes the rows that the edits
  /// write. A comparison of databases would miss a row that an edit wrote with an equal value.
  private func edited(by layers: [LayerStack<State>.Layer], _ state: State) -> Storage {
    var state = state
    state[keyPath: path] = state[keyPath: path].notingWrites
    for layer in layers {
      let start = state
      do {
        try layer.apply(to: &state)
      } catch {
        // A layer whose edit throws is skipped, as in the visible state.
        state = start
      }
    }
    return state[keyPath: path]
  }

  func perform(keeping roots: [CollectionRoot]) {
    for _ in 0..<Self.attemptLimit {
      let storage = committed
      let plan = storage.plan(evictingDownTo: budget, keeping: kept(with: roots, in: storage))
      if plan.isEmpty { return }
      if case .stale = commit(plan.steps, at: storage) { continue }
      return
    }
    // In every attempt, another commit was made between the plan and the commit of the plan. The
    // last plan is therefore made inside its commit.
    let (path, budget) = (path, budget)
    let kept = kept(with: roots, in: committed)
    _ = commit { state in
      let plan = state[keyPath: path].plan(evictingDownTo: budget, keeping: kept)
      try state[keyPath: path].evict(plan.steps)
      return .evicted(state[keyPath: path])
    }
  }

  /// Evicts in small commits. A row of the plan is skipped if another commit has changed the
  /// database so that the row must be kept. A new plan is created at the end, or before a removal
  /// that depends on a skipped row. After several plans, the remaining rows wait for the next
  /// check.
  func performInSteps(keeping roots: @Sendable () -> [CollectionRoot]) async {
    // A row that was written during an earlier plan is kept by the next plans. Otherwise, a
    // frequently written row would end every plan at the same row, and the rows after it would
    // never be evicted.
    var written: [CollectionRoot] = []
    for _ in 0..<Self.attemptLimit where !Task.isCancelled {
      let storage = committed
      let run = EvictionRun(
        storage, downTo: budget, keeping: kept(with: roots() + written, in: storage))
      if await carryOut(run, keeping: roots) { return }
      written.append(.rows(writtenIn: committed, since: storage))
    }
  }

  /// Carries out the removals of a plan in commits of at most a millisecond.
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
      if steps.isEmpty { break }
      let start = ContinuousClock.now
      switch commit(steps, at: storage) {
      case .refused: return true
      case .stale: failures += 1
      case .evicted(let version):
        failures = 0
        run.noteRemoved(in: version)
        let duration = ContinuousClock.now - start
        if duration > .microseconds(500) { count = max(1, count / 2) }
        if duration < .microseconds(250) { count *= 2 }
      }
      await Task.yield()
    }
    // If rows were skipped, a new plan has to evict other rows instead.
    return !run.hasSkipped
  }

  /// The maximum number of plans that are made outside of a commit. A further plan is made if
  /// another commit has outdated the previous plan.
  private static var attemptLimit: Int { 4 }
  /// The maximum number of successive failed commits. A commit fails if the database has changed
  /// since the rows of the commit were checked.
  private static var staleLimit: Int { 64 }

  private enum Outcome: Sendable {
    case evicted(Storage)
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
  /// Carries out some steps of a plan that was created for this version.
  fileprivate mutating func evict(_ steps: [EvictionStep]) throws {
    try performBatchUpdates { (context) throws -> Void in context.evict(steps) }
  }
}

/// Calls a function whenever the system reports that memory is short, until `cancel()` is called.
/// Only Apple platforms send such reports.
final class MemoryPressure: @unchecked Sendable {
  #if canImport(Darwin)
    // Unchecked because of the source, which Dispatch synchronizes.
    private let source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.warning, .critical], queue: .global(qos: .utility))

    init(_ body: @escaping @Sendable () -> Void) {
      source.setEventHandler { body() }
      source.activate()
    }

    func cancel() { source.cancel() }
  #else
    init(_ body: @escaping @Sendable () -> Void) {}

    func cancel() {}
  #endif
}

extension StorePart {
  /// Immediately evicts the oldest rows of a database, except those that must be kept.
  ///
  /// ```swift
  /// store.evict(\.feed, downTo: .rows(10_000), keeping: [.entity(me)])
  /// ```
  ///
  /// The following rows are kept, and all rows that can be reached from these rows:
  /// - the rows of `roots` and of the held IDs;
  /// - the rows that existing queries, handles and derived entities read, even without observers;
  /// - the rows with edits that are not yet committed or not yet sent, and the rows that these
  ///   edits reference. Such edits are in optimistic layers, in drafts, and in waiting batches of a
  ///   shared database.
  ///
  /// The eviction is one commit, which is not an undo step. If a rule refuses it, nothing is
  /// evicted, and the refusal is reported. In a shared database, the commit is a batch like any
  /// other, which removes the rows in all processes.
  ///
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - budget: The size to reach.
  ///   - roots: Further entities to keep.
  /// - Complexity: That of a plan and of the removal.
  public func evict<Storage: NormalizedStorageType>(
    _ path: any WritableKeyPath<State, Storage> & Sendable, downTo budget: EvictionBudget,
    keeping roots: [CollectionRoot] = []
  ) {
    Eviction(core: store.core, path: wholePath(to: path), budget: budget).perform(keeping: roots)
  }

  /// Evicts the oldest rows of a database, except those that must be kept. The eviction happens in
  /// the background, whenever the database exceeds a budget.
  ///
  /// ```swift
  /// let eviction = store.keepFresh(\.feed, .init(budget: .rows(50_000), interval: .seconds(30)))
  /// ```
  ///
  /// The rows that ``evict(_:downTo:keeping:)`` keeps are never evicted. Other rows are removed in
  /// commits of at most a millisecond, which are not undo steps. A commit takes longer only if the
  /// delete rules remove many rows together with one row. Undo does not restore an evicted row:
  /// undoing an earlier edit of the row reports a conflict.
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
    guard let budget = policy.budgetUnderPressure else {
      return StoreSubscription { task.cancel() }
    }
    let pressure = MemoryPressure { [weak core = store.core] in
      guard let core else { return }
      Eviction(core: core, path: path, budget: budget).perform(keeping: policy.keeping())
    }
    return StoreSubscription {
      task.cancel()
      pressure.cancel()
    }
  }
}

/// The budget of a database in a store, and when it is checked.
public struct FreshnessPolicy: Sendable {
  let budget: EvictionBudget
  let interval: Duration
  let budgetUnderPressure: EvictionBudget?
  let keeping: @Sendable () -> [CollectionRoot]

  /// Creates a policy.
  /// - Parameters:
  ///   - budget: The size to reach.
  ///   - interval: The time between two checks.
  ///   - budgetUnderPressure: The size to reach immediately when the system reports that memory is
  ///     short, or `nil` to ignore such reports. Only Apple platforms send them.
  ///   - keeping: A closure that returns the entities to keep. It is called at each check.
  public init(
    budget: EvictionBudget, interval: Duration = .seconds(60),
    underPressure budgetUnderPressure: EvictionBudget? = nil,
    keeping: @escaping @Sendable () -> [CollectionRoot] = { [] }
  ) {
    self.budget = budget
    self.interval = interval
    self.budgetUnderPressure = budgetUnderPressure
    self.keeping = keeping
  }
}
