import EntiaCollections
public import EntiaDatabase

extension LiveQuery {
  /// Follows the entities in groups of one key, in the order in which their first ones come.
  ///
  /// - Parameter key: The field that an entity's group has in common.
  /// - Returns: A value that always equals the result of `fetchGrouped`.
  /// - Complexity: O(*n*) in the number of results when the result has changed; nothing otherwise.
  public func grouped<Key: Hashable & Sendable>(
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> Derived<[QueryGroup<Key, Entity>]> {
    derived(
      .map { entities in
        var groups: [QueryGroup<Key, Entity>] = []
        var positions: [HashedKey<Key>: Int] = [:]
        for entity in entities {
          let key = entity[keyPath: key]
          if let position = positions[HashedKey(key)] {
            groups[position].entities.append(entity)
          } else {
            positions[HashedKey(key)] = groups.count
            groups.append(QueryGroup(key: key, entities: [entity]))
          }
        }
        return groups
      }.shared(id: GroupDefinition(key: key, isSectioned: false)))
  }

  /// Follows the entities cut into a new section wherever the key changes.
  ///
  /// Sort by the key first, or one key may have several sections.
  ///
  /// - Parameter key: The field that a section's entities have in common.
  /// - Returns: A value that always equals the result of `fetchSections`.
  /// - Complexity: O(*n*) in the number of results when the result has changed; nothing otherwise.
  public func sections<Key: Equatable & Sendable>(
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> Derived<[QueryGroup<Key, Entity>]> {
    derived(
      .map { entities in
        var sections: [QueryGroup<Key, Entity>] = []
        for entity in entities {
          let key = entity[keyPath: key]
          if let last = sections.indices.last, haveSameValue(sections[last].key, key) {
            sections[last].entities.append(entity)
          } else {
            sections.append(QueryGroup(key: key, entities: [entity]))
          }
        }
        return sections
      }.shared(id: GroupDefinition(key: key, isSectioned: true)))
  }
}

/// Entities of a live query that have one key.
public struct QueryGroup<Key: Equatable & Sendable, Entity: EntityType>: Equatable, Sendable {
  /// The key.
  public let key: Key
  /// The entities, in the order of the query.
  public internal(set) var entities: [Entity]

  /// Whether both have equal keys and equal entities in one order; a NaN equals one with its bits.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    haveSameValue(lhs.key, rhs.key) && haveSameElements(lhs.entities, rhs.entities)
  }
}

/// What groups of one query have in common that have the same key.
private struct GroupDefinition: Hashable, Sendable {
  let key: any AnyKeyPath & Sendable
  let isSectioned: Bool

  static func == (lhs: GroupDefinition, rhs: GroupDefinition) -> Bool {
    lhs.isSectioned == rhs.isSectioned && lhs.key == rhs.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isSectioned)
    hasher.combine(key)
  }
}
