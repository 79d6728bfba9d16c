import EntiaCollections

extension NormalizedStorageType {
  /// Returns a plan that removes the oldest rows that nothing keeps, until a budget is reached.
  ///
  /// Rows are evicted oldest first, and only from tables with an `Indexes.Age` that has times. In
  /// such a table, rows of unknown age are evicted before all others. A row stays in three cases:
  /// the delete rules would deny its removal, the delete rules would also remove a kept row, or the
  /// removal would break a limit of a relationship.
  ///
  /// - Parameters:
  ///   - budget: The size to reach.
  ///   - roots: The entities that are kept. Entities that can be reached from them are kept, too.
  ///   - reach: The references to follow from kept entities.
  ///   - keepsHeld: Whether entities whose IDs are in an `Indexes.Set` or an `Indexes.OrderedID`
  ///     are kept, too.
  /// - Complexity: O(*k* + *m* log *n*) expected for *k* kept rows and *m* rows that are considered
  ///   for eviction; a budget in bytes adds O(*n*).
  public func plan(
    evictingDownTo budget: EvictionBudget, keeping roots: [CollectionRoot] = [],
    following reach: CollectionReach = .keys, keepingHeld keepsHeld: Bool = true
  ) -> EvictionPlan<Self> {
    let search = search(
      evictingDownTo: budget, keeping: roots, following: reach, keepingHeld: keepsHeld)
    let size = search.size
    search.run()
    let steps = search.steps
    let deletion = BatchTransaction<Self>(snapshot).plan { transaction in
      for step in steps { step.perform(in: transaction) }
      return []
    }
    return EvictionPlan(
      deletion: deletion, steps: steps, base: snapshot, size: size, remainingSize: search.size,
      isWithinBudget: search.size <= budget.limit)
  }

  /// Marks the kept rows, and returns the search that then chooses the rows to evict.
  func search(
    evictingDownTo budget: EvictionBudget, keeping roots: [CollectionRoot],
    following reach: CollectionReach = .keys, keepingHeld keepsHeld: Bool = true
  ) -> EvictionSearch<Contents> {
    let kept = Reachability(snapshot, following: reach)
    for root in roots { root.mark.mark(in: kept) }
    var held = HeldRoots(reach: kept)
    if keepsHeld { Contents.visitParts(&held) }
    kept.spread()
    return EvictionSearch(kept: kept, budget: budget)
  }
}

/// The removal of one row, with the rows that the delete rules remove with it.
package struct EvictionStep: Sendable {
  /// The first row is removed because of its age, the others because of the delete rules.
  let rows: [any EvictedRow]
  let size: Int
  /// Whether the removal does not depend on other planned removals: without them, it is also
  /// possible and removes the same rows.
  let isIndependent: Bool

  func perform<Storage: NormalizedStorageType>(in transaction: BatchTransaction<Storage>) {
    if transaction.base.box.layout.hasFreshness {
      for row in rows { row.invalidateAnswers(in: transaction.contents) }
    }
    rows.first?.remove(in: transaction)
  }
}

/// A row to evict, for code that is not generic over the entity type.
protocol EvictedRow: Sendable {
  associatedtype Entity: EntityType
  var id: EntityIdentifier<Entity> { get }
}

struct EvictedID<Entity: EntityType>: EvictedRow {
  let id: EntityIdentifier<Entity>
}

extension EvictedRow {
  /// Adds the row to the rows that `reach` contains.
  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    reach.rows(of: Entity.self).add(CollectionOfOne(id))
  }

  /// Marks the answers that contain the row as invalidated.
  func invalidateAnswers<Contents: StorageContents>(in contents: UnsafeMutablePointer<Contents>) {
    var invalidation = AnswerInvalidation(contents: contents, row: id)
    Contents.visitParts(&invalidation)
  }

  /// Removes the row, with the effects of the delete rules.
  func remove<Storage: NormalizedStorageType>(in transaction: BatchTransaction<Storage>) {
    guard let removed = transaction.contents.table(of: Entity.self)?.remove(id) else { return }
    transaction.rowsRemoved(CollectionOfOne(removed))
  }
}

private struct AnswerInvalidation<Contents: StorageContents, Entity: EntityType>: FreshnessVisitor {
  let contents: UnsafeMutablePointer<Contents>
  let row: EntityIdentifier<Entity>

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard Index.Entity.self == Entity.self else { return }
    func invalidate<Answers: AnswerIndex>(_ type: Answers.Type) {
      let part = contents.part(at: recast(path, as: PartPath<Contents, Answers>.self))
      part.pointee.invalidateAnswers(containing: recast(row, as: Answers.Entity.EntityID.self))
    }
    if let type = Index.self as? any AnswerIndex.Type { invalidate(type) }
  }
}
