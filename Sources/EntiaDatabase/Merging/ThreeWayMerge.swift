/// The rules for merging two versions that diverged from a common one.
///
/// ```swift
/// var merge = ThreeWayMerge<Library>(otherwise: .refuse)
/// merge.mergeFields(of: Book.self, \.title, \.year)    // edits of different fields are combined
/// merge.resolve(Author.self) { conflict in conflict.mine == nil ? .theirs : .mine }
/// let result = try mine.merging(theirs, base: before, by: merge)
/// library = result.storage
/// ```
public struct ThreeWayMerge<Storage: NormalizedStorageType>: Sendable {
  /// The resolution of a conflict that no rule resolves.
  public let otherwise: MergeChoice
  private var rules: [ObjectIdentifier: any Sendable] = [:]

  /// Creates a merge.
  /// - Parameter otherwise: The resolution of a conflict that no rule resolves.
  public init(otherwise: MergeChoice = .refuse) { self.otherwise = otherwise }

  /// Combines edits of different fields of one entity. Differences in other fields, or in one of
  /// these on both sides, are still a conflict.
  public mutating func mergeFields<Entity: EntityType, each Value: Equatable & Sendable>(
    of entity: Entity.Type, _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) {
    var rule = self.rule(of: entity)
    rule.fields = MergeField.list(repeat each fields)
    rules[ObjectIdentifier(entity)] = rule
  }

  /// Sets the resolution of conflicts of one entity type.
  public mutating func resolve<Entity: EntityType>(
    _ entity: Entity.Type,
    _ resolve: @escaping @Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>
  ) {
    var rule = self.rule(of: entity)
    rule.resolve = resolve
    rules[ObjectIdentifier(entity)] = rule
  }

  func rule<Entity: EntityType>(of entity: Entity.Type) -> MergeRule<Entity> {
    rules[ObjectIdentifier(entity)] as? MergeRule<Entity> ?? MergeRule()
  }

  func resolution<Entity: EntityType>(
    of conflict: MergeConflict<Entity>, _ rule: MergeRule<Entity>
  ) -> MergeResolution<Entity> {
    if let resolve = rule.resolve { return resolve(conflict) }
    switch otherwise {
    case .mine: return .mine
    case .theirs: return .theirs
    case .refuse: return .refuse
    }
  }
}

/// The side of a conflict that is taken.
public enum MergeChoice: Hashable, Sendable {
  /// The version that is merged into.
  case mine
  /// The version that is merged.
  case theirs
  /// Neither: the merge throws an error with all such conflicts.
  case refuse
}

/// A row that both versions changed in different ways; `nil` is absence.
public struct MergeConflict<Entity: EntityType>: Equatable, Sendable {
  /// The entity's ID.
  public let entityID: Entity.EntityID
  /// The row in the common version.
  public let base: Entity?
  /// The row in the version that is merged into.
  public let mine: Entity?
  /// The row in the version that is merged.
  public let theirs: Entity?
}

/// The resolution of a conflict.
public enum MergeResolution<Entity: EntityType>: Equatable, Sendable {
  /// The row, or its absence, is taken from the version that is merged into.
  case mine
  /// The row, or its absence, is taken from the version that is merged.
  case theirs
  /// The row becomes this one, which has the same ID.
  case entity(Entity)
  /// Neither: the merge throws an error with this conflict.
  case refuse
}

/// The rules for conflicts of one entity type.
struct MergeRule<Entity: EntityType>: Sendable {
  var fields: [MergeField<Entity>] = []
  var resolve: (@Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>)?
}
