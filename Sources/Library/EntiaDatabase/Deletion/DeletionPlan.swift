/// The effects of removing entities, before they are removed.
///
/// ```swift
/// let plan = library.plan(deleting: Author.EntityID("a1"))
/// print(plan)
/// // removes 3:
/// //   Author a1
/// //   Book b1, whose bookAuthor references Author a1
/// //   Book b2, whose bookAuthor references Author a1
/// // nullifies 1:
/// //   shelfBooks of Shelf 1 loses Book b1, Book b2
/// plan.changes.books.removed        // the removed books, as rows
/// ```
///
/// A plan is created for one version of the database. In this version, the removal has exactly the
/// effects that the plan lists. `try context.remove(plan)` carries out the removal in a batch, and
/// has no other effects.
public struct DeletionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The entities that would be removed, in the order of their removal.
  public let removals: [DeletionRemoval]
  /// The keys that would lose references to removed entities, by relationship.
  public let nullifications: [DeletionNullification]
  /// The rules that the removal would violate. A batch that carries out the plan is refused if it
  /// still violates one of these rules at its end.
  public let violations: [BatchViolation]
  /// The requested entities that are not in the database.
  package let missing: [EntityLabel]
  /// The changes that the removal would make, with the removed and the updated rows.
  public let changes: StorageChangeSet<Storage>
  /// Removes the requested entities, and the entities that the delete rules remove with them.
  /// - Returns: The IDs of the entities that are missing.
  let perform: @Sendable (BatchTransaction<Storage>) -> [EntityLabel]

  /// Whether two plans have the same effects on equal databases.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.removals == rhs.removals && lhs.nullifications == rhs.nullifications
      && lhs.violations == rhs.violations && lhs.missing == rhs.missing
      && lhs.changes == rhs.changes
  }

  /// Whether no rule would be violated.
  package var isAllowed: Bool { violations.isEmpty }
}

extension DeletionPlan: CustomStringConvertible {
  /// All effects, one on each line.
  public var description: String {
    let sections: [(String, [String])] = [
      ("removes", removals.map(\.description)),
      ("nullifies", nullifications.map(\.description)),
      ("is refused", violations.map(\.description)),
      ("missing", missing.map(\.description)),
    ]
    let lines = sections.filter { !$0.1.isEmpty }.flatMap { title, lines in
      ["\(title) \(lines.count):"] + lines.map { "  \($0)" }
    }
    return lines.isEmpty ? "removes nothing" : lines.joined(separator: "\n")
  }
}

extension BatchContext {
  /// Removes the entities that a plan lists, and no others, with the effects of the delete rules.
  ///
  /// ```swift
  /// let plan = library.plan(deleting: Author.EntityID("a1"))
  /// if confirms(plan) {
  ///   try library.performBatchUpdates { try $0.remove(plan) }
  /// }
  /// ```
  ///
  /// A plan can be carried out even if the database has changed since the plan was created, for
  /// example if rows that the plan lists have been removed. If a rule denies the removal, the batch
  /// is refused at its end, as for every removal.
  ///
  /// - Parameter plan: The plan to carry out.
  /// - Throws: `DeletionError.stale` if the removal would now remove entities or nullify keys that
  ///   the plan does not list. Nothing is removed then.
  /// - Complexity: Twice that of the removal.
  public mutating func remove(_ plan: DeletionPlan<Storage>) throws(DeletionError) {
    let present = BatchTransaction<Storage>(transaction.version()).plan(plan.perform)
    let removals = Set(plan.removals.map(\.entity))
    let additions = present.removals.filter { !removals.contains($0.entity) }
    let nullifications = Set(plan.nullifications.flatMap(DeletionError.keys))
    let lostKeys = present.nullifications.filter {
      !nullifications.isSuperset(of: DeletionError.keys($0))
    }
    guard additions.isEmpty, lostKeys.isEmpty else {
      throw .stale(
        storage: String(describing: Storage.self), removals: additions, nullifications: lostKeys)
    }
    _ = plan.perform(transaction)
  }
}

/// The reason why a planned deletion was refused.
public enum DeletionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The removal would now remove entities or nullify keys that the plan does not list.
  case stale(
    storage: String, removals: [DeletionRemoval], nullifications: [DeletionNullification])

  /// A sentence that names the effects that the plan does not list.
  public var description: String {
    switch self {
    case .stale(let storage, let removals, let nullifications):
      let lines = removals.map { "removes \($0)" } + nullifications.map(\.description)
      return "the deletion was planned for another version of \(storage) and does not list this: "
        + "\(lines.firstDescriptions); create a new plan"
    }
  }

  /// Returns each nullified reference as an array of its relationship, holder and target.
  static func keys(_ nullification: DeletionNullification) -> Set<[String]> {
    Set(
      nullification.targets.map {
        [nullification.relationship, "\(nullification.holder)", "\($0)"]
      })
  }
}

extension NormalizedStorageType {
  /// Returns the effects of removing entities, without removing them.
  /// - Parameter ids: The IDs of the entities. Entities that are not in the database are listed as
  ///   missing.
  /// - Complexity: That of the removal.
  public func plan<Entity: EntityType>(
    deleting ids: some Sequence<EntityIdentifier<Entity>>
  ) -> DeletionPlan<Self> {
    let ids = Array(ids)
    Contents.requireTable(of: Entity.self)
    return BatchTransaction<Self>(snapshot).plan { transaction in
      let table = transaction.contents.table(of: Entity.self)
      var removed: [Entity] = []
      var missing: [EntityLabel] = []
      var requested: Set<Entity.EntityID> = []
      for id in ids where requested.insert(id).inserted {
        if let entity = table?.remove(id) {
          removed.append(entity)
        } else {
          missing.append(EntityLabel(id))
        }
      }
      transaction.rowsRemoved(removed)
      return missing
    }
  }

  /// Returns the effects of removing an entity, without removing it.
  /// - Complexity: That of the removal.
  public func plan<Entity: EntityType>(
    deleting id: EntityIdentifier<Entity>
  ) -> DeletionPlan<Self> {
    plan(deleting: CollectionOfOne(id))
  }
}

extension BatchTransaction {
  /// Performs a removal in this transaction, and returns the effects of the removal. The
  /// transaction is never committed.
  func plan(
    _ perform: @escaping @Sendable (BatchTransaction<Storage>) -> [EntityLabel]
  ) -> DeletionPlan<Storage> {
    let record = DeletionRecord()
    self.record = record
    let missing = perform(self)
    return DeletionPlan(
      removals: record.removals, nullifications: record.nullifications,
      violations: violations() + constraintViolations(), missing: missing,
      changes: changes, perform: perform)
  }
}
