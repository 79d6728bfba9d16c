/// The reason why a collection was refused.
public enum CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was created for another version of the database.
  case stale(storage: String)
  /// The plan has no root: it would remove every row.
  case noRoots(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the collection was planned for another version of \(storage), in which other rows may be "
        + "reached; create a new plan"
    case .noRoots(let storage):
      "the collection has no root and would remove every row of \(storage); name the tables or the "
        + "entities that are in use"
    }
  }
}
