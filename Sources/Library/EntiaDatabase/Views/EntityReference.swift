/// The result of following a key.
@frozen
public enum EntityReference<Storage: NormalizedStorageType, Target: EntityType>: Equatable, Sendable
{
  /// The entity that the key references.
  case loaded(EntityView<Storage, Target>)
  /// The ID of an entity that is not in the database.
  case missing(Target.EntityID)
  /// The key is `nil`.
  case none

  /// The entity, or `nil` when it is missing or the key is `nil`.
  @inlinable
  public var view: EntityView<Storage, Target>? {
    if case .loaded(let view) = self { return view }
    return nil
  }

  /// The ID that the key references, or `nil` when the key is `nil`.
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
  /// The entity, the missing ID, or `none`.
  public var description: String {
    switch self {
    case .loaded(let view): "loaded(\(view))"
    case .missing(let id): "missing(\(id))"
    case .none: "none"
    }
  }
}
