import EntiaCollections
import EntiaDatabase

extension LiveQuery {
  /// Returns a derived value of the entities grouped by a key, in order of each group's first
  /// entity.
  ///
  /// - Parameter key: The common field of a group's entities.
  /// - Returns: A value that always equals the result of `fetchGrouped`.
  /// - Complexity: O(*n*), where *n* is the number of results, if the result has changed; otherwise
  ///   nothing.
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

  /// Returns a derived value of the entities divided into sections, where a new section begins at
  /// each change of the key.
  ///
  /// Sort by the key first; otherwise one key may have several sections.
  ///
  /// - Parameter key: The common field of a section's entities.
  /// - Returns: A value that always equals the result of `fetchSections`.
  /// - Complexity: O(*n*), where *n* is the number of results, if the result has changed; otherwise
  ///   nothing.
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

/// The identity of a grouping, shared by equal groupings of one query.
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
