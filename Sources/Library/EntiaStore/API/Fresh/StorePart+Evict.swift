public import EntiaDatabase

extension StorePart {
  /// Evicts the oldest rows of a database that nothing keeps, at once.
  ///
  /// ```swift
  /// store.evict(\.feed, downTo: .rows(10_000), keeping: [.entity(me)])
  /// ```
  ///
  /// Kept are the roots, the held IDs, what existing queries, handles and derived entities read,
  /// observed or not, and what all of these reach. So are rows with edits that are not committed
  /// or not sent, and what these rows reference: of optimistic layers, drafts, and waiting batches
  /// of a shared database.
  ///
  /// The eviction is one commit that is not an undo step. If a rule refuses it, nothing is evicted,
  /// and the refusal is reported. In a shared database it is a batch like any other, and removes
  /// the rows for all.
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
  /// Rows are kept as by ``evict(_:downTo:keeping:)``. They are removed in commits of at most a
  /// millisecond that are no undo steps. Only a row with which the delete rules remove many others
  /// takes longer. Undo brings no evicted row back: undoing an earlier edit of such a row reports a
  /// conflict, and the row stays evicted.
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
  ///   - budgetUnderPressure: The size to reach at once when the system is short of memory; `nil`
  ///     to do nothing then. Only Apple platforms report that.
  ///   - keeping: Returns the entities that are kept, at each check.
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
