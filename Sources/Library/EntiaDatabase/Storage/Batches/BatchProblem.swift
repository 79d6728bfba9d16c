/// A change of a batch that was ignored.
public enum BatchProblem: Hashable, Sendable, CustomStringConvertible {
  /// An update changed an entity's ID; the row was left unchanged.
  case changedID(EntityLabel, to: EntityLabel)
  /// The entity of a held ID is missing at the end of the batch; the ID was dropped.
  case heldWithoutEntity(EntityLabel, part: String)

  /// A sentence that names the entity and the reason.
  public var description: String {
    switch self {
    case .changedID(let entity, let new):
      TableError.changedID(entity, to: new).description
    case .heldWithoutEntity(let entity, let part):
      "\(part) cannot hold \(entity), which does not exist"
    }
  }
}
