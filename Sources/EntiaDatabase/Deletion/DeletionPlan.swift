/// What removing some entities would do, before it is done.
///
/// ```swift
/// let plan = library.plan(deleting: Author.EntityID("a1"))
/// print(plan)
/// // removes 3:
/// //   Author a1
/// //   Book b1, whose bookAuthor names Author a1
/// //   Book b2, whose bookAuthor names Author a1
/// // nullifies 1:
/// //   shelfBooks of Shelf 1 forgets Book b1, Book b2
/// plan.changes.books.removed        // the same as rows, typed
/// ```
///
/// It lists exactly what the removal would do to the version it was made for. A batch does it with
/// `try context.remove(plan)`, and nothing beyond it.
public struct DeletionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// What would be removed, in the order in which it would be.
  public let removals: [DeletionRemoval]
  /// Which keys would forget what is removed, by relationship.
  public let nullifications: [DeletionNullification]
  /// The rules that the removal would break; with any of them the batch would be refused unless it
  /// makes up for them.
  public let violations: [BatchViolation]
  /// What was asked to be removed and is not there.
  public let missing: [EntityLabel]
  /// How the removal would change the database, with the rows themselves.
  public let changes: StorageChangeSet<Storage>
  /// Removes the entities that were asked for, and what the delete rules remove with them.
  /// - Returns: The IDs of the entities that are missing.
  let perform: @Sendable (Workspace<Storage>) -> [EntityLabel]

  /// Whether two plans do the same to equal databases.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.removals == rhs.removals && lhs.nullifications == rhs.nullifications
      && lhs.violations == rhs.violations && lhs.missing == rhs.missing
      && lhs.changes == rhs.changes
  }

  /// Whether no rule would be broken.
  public var isAllowed: Bool { violations.isEmpty }
}

extension DeletionPlan: CustomStringConvertible {
  /// Everything that would happen, a line each.
  public var description: String {
    let sections: [(String, [String])] = [
      ("removes", removals.map(\.description)),
      ("nullifies", nullifications.map(\.description)),
      ("is refused", violations.map(\.description)),
      ("misses", missing.map(\.description)),
    ]
    let lines = sections.filter { !$0.1.isEmpty }.flatMap { title, lines in
      ["\(title) \(lines.count):"] + lines.map { "  \($0)" }
    }
    return lines.isEmpty ? "removes nothing" : lines.joined(separator: "\n")
  }
}
