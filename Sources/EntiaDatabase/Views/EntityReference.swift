/// What a key leads to.
@frozen
public enum EntityReference<Storage: NormalizedStorageType, Target: EntityType>: Equatable, Sendable
{
  /// The entity that the key names.
  case loaded(EntityView<Storage, Target>)
  /// The key names an entity that is not in the database.
  case missing(Target.EntityID)
  /// The key names nothing.
  case none

  /// The entity, or `nil` when it is missing or there is none.
  @inlinable
  public var view: EntityView<Storage, Target>? {
    if case .loaded(let view) = self { return view }
    return nil
  }

  /// The ID that the key names, or `nil` when it names nothing.
  @inlinable
  public var entityID: Target.EntityID? {
    switch self {
    case .loaded(let view): view.entityID
    case .missing(let id): id
    case .none: nil
    }
  }
}

extension EntityReference: CustomStringConvertible {
  /// The entity, the ID that is missing, or nothing.
  public var description: String {
    switch self {
    case .loaded(let view): "loaded(\(view))"
    case .missing(let id): "missing(\(id))"
    case .none: "none"
    }
  }
}
