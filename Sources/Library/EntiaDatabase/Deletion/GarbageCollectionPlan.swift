/// The entities that no root reaches, before they are removed.
///
/// No remaining entity references a removed one, so that no delete rule has to be applied.
public struct GarbageCollectionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The changes that the removal would make: `plan.unreached.books.removed` are the removed
  /// books.
  public let unreached: StorageChangeSet<Storage>
  /// The entities that would be removed, table by table in their order.
  public let removals: [EntityLabel]
  let base: Snapshot<Storage.Contents>
  /// Whether held IDs are roots.
  let keepsHeld: Bool
  /// Whether anything is in use by definition.
  let hasRoots: Bool

  /// Whether the plan removes nothing.
  public var isEmpty: Bool { removals.isEmpty }

  /// Whether two plans would remove the same entities from equal databases.
  public static func == (a: Self, b: Self) -> Bool {
    a.unreached == b.unreached && a.removals == b.removals
  }
}

extension GarbageCollectionPlan: CustomStringConvertible {
  /// The entities that would be removed, one on each line.
  public var description: String {
    if isEmpty { return "everything is reached" }
    return (["removes \(removals.count):"] + removals.map { "  \($0)" }).joined(separator: "\n")
  }
}
