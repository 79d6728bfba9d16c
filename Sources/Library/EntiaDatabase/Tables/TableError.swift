/// The reason why a table refused a change.
public enum TableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No entity has the ID.
  case notFound(EntityLabel)
  /// An update changed the entity's ID.
  case changedID(EntityLabel, to: EntityLabel)

  /// A sentence that names the entity and the reason.
  public var description: String {
    switch self {
    case .notFound(let entity): "there is no \(entity)"
    case .changedID(let entity, let new):
      "an update of \(entity) changed its ID to \(new.id); the row was left unchanged"
    }
  }
}
