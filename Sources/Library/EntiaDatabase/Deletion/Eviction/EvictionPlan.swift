/// The oldest rows that nothing keeps, before they are removed.
///
/// ```swift
/// let plan = feed.plan(
///   evictingDownTo: .rows(50_000), keeping: [.responses(newerThan: now - 3600), .entity(me)])
/// print(plan)
/// try feed.performBatchUpdates { try $0.remove(plan) }
/// ```
public struct EvictionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The removal of the rows, with the effects of the delete rules.
  let deletion: DeletionPlan<Storage>
  /// The removals, in an order in which no rule denies one of them.
  package let steps: [EvictionStep]
  let base: Snapshot<Storage.Contents>
  /// The size of the database, in the unit of the budget, before the eviction.
  public let size: Int
  /// The size after the eviction.
  public let remainingSize: Int
  /// Whether the budget holds after the eviction. It does not if too many rows are kept.
  public let isWithinBudget: Bool

  /// The entities that would be removed, in the order of their removal: those that are evicted for
  /// their age, and those that the delete rules remove with them.
  public var removals: [DeletionRemoval] { deletion.removals }
  /// The keys that would lose references to removed entities, by relationship.
  public var nullifications: [DeletionNullification] { deletion.nullifications }
  /// The changes that the removal would make, with the rows.
  public var changes: StorageChangeSet<Storage> { deletion.changes }
  /// Whether the plan removes nothing.
  public var isEmpty: Bool { removals.isEmpty }

  /// Whether two plans have the same effects on equal databases.
  public static func == (a: Self, b: Self) -> Bool { a.deletion == b.deletion }
}

extension EvictionPlan: CustomStringConvertible {
  /// The sizes, and all effects, one on each line.
  public var description: String {
    "evicts from \(size) to \(remainingSize)\(isWithinBudget ? "" : ", because the rest is kept")"
      + (isEmpty ? "" : "\n\(deletion)")
  }
}

extension BatchContext {
  /// Removes the entities that a plan lists, with the effects of its delete rules. The answers that
  /// contained one of them are invalidated.
  /// - Parameter plan: The plan to carry out.
  /// - Throws: `EvictionError.stale` when the database has changed since the plan was created;
  ///   nothing is removed then.
  /// - Complexity: That of the removal.
  public mutating func remove(_ plan: EvictionPlan<Storage>) throws(EvictionError) {
    let base = plan.base.box
    guard UnsafePointer(transaction.contents).hasIdenticalTables(base.address, base.layout),
      transaction.contents.pointee.hasIdenticalFreshness(base.address.pointee)
    else { throw .stale(storage: String(describing: Storage.self)) }
    _ = plan.deletion.perform(transaction)
  }
}

extension BatchContext {
  /// Carries out a part of a plan that was created for the current version.
  package mutating func evict(_ steps: some Sequence<EvictionStep>) {
    for step in steps { step.perform(in: transaction) }
  }
}

/// The reason why an eviction was refused.
public enum EvictionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was created for another version of the database.
  case stale(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the eviction was planned for another version of \(storage), in which other rows may be kept; "
        + "create a new plan"
    }
  }
}
