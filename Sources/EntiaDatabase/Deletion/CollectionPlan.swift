/// What counts as in use beside the roots.
public enum CollectionReach: Hashable, Sendable {
  /// What a key of something in use names.
  case keys
  /// That, and whatever would be removed with something in use because it names it: its holders
  /// through relationships whose rule is `cascade`, such as the comments of a post.
  case keysAndDependents
}

/// What no root reaches: what removing the unused would remove, before it is done.
///
/// Nothing that stays names what is removed, so that no delete rule has anything to say.
public struct CollectionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// How the removal would change the database: `plan.unreached.books.removed` are its books.
  public let unreached: StorageChangeSet<Storage>
  /// What would be removed, table by table in their order.
  public let removals: [EntityLabel]
  let base: Snapshot<Storage.Contents>

  /// Whether there is nothing to remove.
  public var isEmpty: Bool { removals.isEmpty }

  /// Whether two plans would remove the same from equal databases.
  public static func == (a: Self, b: Self) -> Bool {
    a.unreached == b.unreached && a.removals == b.removals
  }
}

extension CollectionPlan: CustomStringConvertible {
  /// What would be removed, a line each.
  public var description: String {
    if isEmpty { return "everything is reached" }
    return (["removes \(removals.count):"] + removals.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// Why a collection was not done.
public enum CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was made for another version of the database.
  case stale(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the collection was planned for another version of \(storage), in which other rows may be "
        + "reached; plan it anew"
    }
  }
}
