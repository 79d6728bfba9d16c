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
/// plan.changes.books.removed        // the same as rows, typed
/// ```
///
/// The plan lists exactly the effects of the removal in the version that it was created for. `try
/// context.remove(plan)` carries it out in a batch, and has no other effects.
public struct DeletionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The entities that would be removed, in the order of their removal.
  public let removals: [DeletionRemoval]
  /// The keys that would lose references to removed entities, by relationship.
  public let nullifications: [DeletionNullification]
  /// The rules that the removal would violate. A batch would be refused for any of them, unless it
  /// also makes changes after which the rule is not violated.
  public let violations: [BatchViolation]
  /// The entities to remove that are not in the database.
  public let missing: [EntityLabel]
  /// The changes that the removal would make, with the rows.
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
  public var isAllowed: Bool { violations.isEmpty }
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
