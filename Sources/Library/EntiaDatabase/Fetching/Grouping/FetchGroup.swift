import EntiaCollections

/// The entities of a fetch, or of a live query, that share a key.
public struct FetchGroup<Key: Equatable & Sendable, Entity: EntityType>: Equatable, Sendable {
  /// The key.
  public let key: Key
  /// The entities, in the order of the fetch or query.
  public internal(set) var entities: [Entity]

  /// Whether two groups have equal keys, and equal entities in the same order. A NaN equals a NaN
  /// with the same bits.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    haveSameValue(lhs.key, rhs.key) && haveSameElements(lhs.entities, rhs.entities)
  }
}

/// Groups of entities, in the order in which their keys first appear.
package struct EntityGroups<Key: Hashable & Sendable, Entity: EntityType> {
  /// The groups.
  package private(set) var groups: [FetchGroup<Key, Entity>] = []
  private var positions: [HashedKey<Key>: Int] = [:]

  package init() {}

  /// Appends an entity to the group of its key.
  package mutating func append(_ entity: Entity, by key: Key) {
    if let position = positions[HashedKey(key)] {
      groups[position].entities.append(entity)
    } else {
      positions[HashedKey(key)] = groups.count
      groups.append(FetchGroup(key: key, entities: [entity]))
    }
  }
}

extension Array {
  /// Appends an entity to the last section if that section has the key, and to a new one otherwise.
  package mutating func append<Key, Entity>(_ entity: Entity, inSectionOf key: Key)
  where Element == FetchGroup<Key, Entity> {
    if let last = indices.last, haveSameValue(self[last].key, key) {
      self[last].entities.append(entity)
    } else {
      append(FetchGroup(key: key, entities: [entity]))
    }
  }
}

extension NormalizedStorageType {
  /// Returns the entities that a fetch descriptor selects, grouped by a key.
  ///
  /// ```swift
  /// library.fetchGrouped(FetchDescriptor<Book>(), by: \.authorID)
  /// ```
  ///
  /// - Returns: The groups, in the order in which their keys first appear in the fetch.
  /// - Complexity: That of `fetch`.
  public func fetchGrouped<Entity: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: any KeyPath<Entity, Key> & Sendable
  ) -> [FetchGroup<Key, Entity>] {
    let reader = FieldReader(key)
    return groups(descriptor) { reader.read($0.pointee) }
  }

  /// Returns the entities that a fetch descriptor selects, in its order, divided into sections. A
  /// new section begins wherever the key changes.
  ///
  /// Sort by the key first; otherwise one key may have several sections.
  ///
  /// ```swift
  /// library.fetchSections(
  ///   FetchDescriptor<Book>(sortBy: [SortDescriptor(\.year), SortDescriptor(\.title)]),
  ///   by: \.year)
  /// ```
  ///
  /// - Returns: The sections, in the order of the fetch.
  /// - Complexity: That of `fetch`.
  public func fetchSections<Entity: EntityType, Key: Equatable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: any KeyPath<Entity, Key> & Sendable
  ) -> [FetchGroup<Key, Entity>] {
    let reader = FieldReader(key)
    var sections: [FetchGroup<Key, Entity>] = []
    forEachRow(descriptor) { row in
      sections.append(row.pointee, inSectionOf: reader.read(row.pointee))
      return true
    }
    return sections
  }

  /// Counts the entities that a fetch descriptor selects, for each value of a key.
  /// - Returns: Keys and counts, in the order in which the keys first appear in the fetch.
  /// - Complexity: That of `fetch`; no entity is copied.
  public func fetchCounts<Entity: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: any KeyPath<Entity, Key> & Sendable
  ) -> [(key: Key, count: Int)] {
    let reader = FieldReader(key)
    return counts(descriptor) { reader.read($0.pointee) }
  }
}

extension NormalizedStorageType {
  /// Returns the entities that a fetch descriptor selects, grouped by a key.
  func groups<Entity: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: (UnsafePointer<Entity>) -> Key
  ) -> [FetchGroup<Key, Entity>] {
    var groups = EntityGroups<Key, Entity>()
    forEachRow(descriptor) { row in
      groups.append(row.pointee, by: key(row))
      return true
    }
    return groups.groups
  }

  /// Counts the entities that a fetch descriptor selects, for each value of a key.
  func counts<Entity: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: (UnsafePointer<Entity>) -> Key
  ) -> [(key: Key, count: Int)] {
    var counts: [(key: Key, count: Int)] = []
    var positions: [HashedKey<Key>: Int] = [:]
    forEachRow(descriptor) { row in
      let key = key(row)
      if let position = positions[HashedKey(key)] {
        counts[position].count += 1
      } else {
        positions[HashedKey(key)] = counts.count
        counts.append((key, 1))
      }
      return true
    }
    return counts
  }
}
