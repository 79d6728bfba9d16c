/// The reason why a collection was refused.
public enum CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was created for another version of the database.
  case stale(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the collection was planned for another version of \(storage), in which other rows may be "
        + "reached; create a new plan"
    }
  }
}
