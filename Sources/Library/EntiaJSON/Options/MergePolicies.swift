public import EntiaDatabase

/// The merge policies of an import, by entity type. A policy merges an imported entity with the
/// existing entity that has its ID.
///
/// ```swift
/// try blog.importJSON(
///   page, of: Post.self, merging: .keeping(\.isRead), MergePolicy<Author>.fillingMissing(\.bio))
/// ```
///
/// An entity type without a policy here uses its own, if it is a `MergingEntityType`. Otherwise
/// ``TypedImportOptions/onConflict`` applies. If it is `nil`, an import with policies replaces such
/// an entity by the newer one.
public struct MergePolicies: Sendable {
  private var policies: [ObjectIdentifier: any Sendable] = [:]

  /// Creates policies.
  /// - Parameter policies: The policies, at most one for each entity type.
  public init<each Entity: EntityType>(_ policies: repeat MergePolicy<each Entity>) {
    for policy in repeat each policies { set(policy) }
  }

  fileprivate mutating func set<Entity: EntityType>(_ policy: MergePolicy<Entity>) {
    self[Entity.self] = policy
  }

  /// The policy of an entity type, or `nil` if it has none here.
  public subscript<Entity: EntityType>(_ type: Entity.Type) -> MergePolicy<Entity>? {
    get { policies[ObjectIdentifier(type)] as? MergePolicy<Entity> }
    set { policies[ObjectIdentifier(type)] = newValue }
  }

  /// Returns the policy of an entity type, or else the type's own.
  @usableFromInline
  func policy<Entity: EntityType>(of type: Entity.Type) -> MergePolicy<Entity>? {
    if let policy = self[type] { return policy }
    func own<Same: MergingEntityType>(_ type: Same.Type) -> Any { Same.mergePolicy }
    guard let type = type as? any MergingEntityType.Type else { return nil }
    return own(type) as? MergePolicy<Entity>
  }
}

extension TypedImportOptions {
  /// The treatment of conflicts of entities without a policy.
  var conflictPolicy: ConflictPolicy { onConflict ?? (receivedAt == nil ? .error : .replace) }

  /// Returns the options with additional policies, which replace those of the same types.
  @usableFromInline
  func merging<each Entity: EntityType>(_ policies: repeat MergePolicy<each Entity>) -> Self {
    var options = self
    options.onConflict = onConflict ?? .replace
    for policy in repeat each policies { options.merging.set(policy) }
    return options
  }
}

/// The treatment of a row that occurs again with different values of the same member. Occurrences
/// whose common members are equal are combined under every policy.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// The import fails, and nothing is imported.
  case error
  /// The later content replaces the earlier one, and members that it lacks are removed.
  case replace
  /// The earlier content is kept; the later occurrence counts as unchanged.
  case keep
  /// The later value of each member is used.
  case merge
}
