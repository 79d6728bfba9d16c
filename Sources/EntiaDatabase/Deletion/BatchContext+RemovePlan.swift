extension BatchContext {
  /// Removes what a plan lists, as its delete rules have it, and nothing else.
  ///
  /// ```swift
  /// let plan = library.plan(deleting: Author.EntityID("a1"))
  /// if confirms(plan) {
  ///   try library.performBatchUpdates { try $0.remove(plan) }
  /// }
  /// ```
  ///
  /// Other rows may have changed since the plan was made, and rows that it lists may be gone. A rule
  /// that denies the removal refuses the batch at its end, as for every removal.
  ///
  /// - Parameter plan: What to remove.
  /// - Throws: `DeletionError.stale` when more rows would be removed or forgotten now than the plan
  ///   lists; nothing is removed then.
  /// - Complexity: Twice that of the removal.
  public mutating func remove(_ plan: DeletionPlan<Storage>) throws(DeletionError) {
    let present = Workspace<Storage>(workspace.version()).plan(plan.perform)
    let removals = Set(plan.removals.map(\.entity))
    let additions = present.removals.filter { !removals.contains($0.entity) }
    let nullifications = Set(plan.nullifications.flatMap(DeletionError.keys))
    let forgotten = present.nullifications.filter {
      !nullifications.isSuperset(of: DeletionError.keys($0))
    }
    guard additions.isEmpty, forgotten.isEmpty else {
      throw .stale(
        storage: String(describing: Storage.self), removals: additions, nullifications: forgotten)
    }
    _ = plan.perform(workspace)
  }
}

/// Why a planned deletion was not done.
public enum DeletionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// More would be removed or forgotten now than the plan lists.
  case stale(
    storage: String, removals: [DeletionRemoval], nullifications: [DeletionNullification])

  /// A sentence that names what the plan does not list.
  public var description: String {
    switch self {
    case .stale(let storage, let removals, let nullifications):
      let lines = removals.map { "removes \($0)" } + nullifications.map(\.description)
      let named = lines.prefix(5).joined(separator: "; ")
      let more = lines.count > 5 ? "; and \(lines.count - 5) more" : ""
      return "the deletion was planned for another version of \(storage) and does not list this: "
        + "\(named)\(more); plan it anew"
    }
  }

  /// The keys that forget entities, one for each relationship, holder and target.
  fileprivate static func keys(_ nullification: DeletionNullification) -> Set<[String]> {
    Set(
      nullification.targets.map {
        [nullification.relationship, "\(nullification.holder)", "\($0)"]
      })
  }
}
