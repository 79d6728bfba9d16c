extension NormalizedStorageType {
  /// Returns the entities that a fetch descriptor selects, grouped by a field of the entity that a
  /// relationship references.
  ///
  /// ```swift
  /// library.fetchGrouped(FetchDescriptor<Book>(), by: \Library.bookAuthor, \.country)
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - path: The relationship; its holder is the entity type of the descriptor.
  ///   - key: The field of the referenced entity.
  /// - Returns: The groups, in the order in which their keys first appear in the fetch. The key
  ///   is `nil` for entities whose relationship references no entity of the database.
  /// - Complexity: That of `fetch`, plus one lookup for each entity.
  public func fetchGrouped<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [FetchGroup<Key?, Entity>] {
    groups(descriptor, by: relatedReader(path, key))
  }

  /// Returns the number of entities that a fetch descriptor selects, by a field of the entity that
  /// a relationship references.
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - path: The relationship; its holder is the entity type of the descriptor.
  ///   - key: The field of the referenced entity.
  /// - Returns: Keys and counts, in the order in which the keys first appear in the fetch. The
  ///   key is `nil` for entities whose relationship references no entity of the database.
  /// - Complexity: That of `fetch`, plus one lookup for each entity; no entity is copied.
  public func fetchCounts<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [(key: Key?, count: Int)] {
    counts(descriptor, by: relatedReader(path, key))
  }

  /// Returns a closure that reads a field of the entity that a row references.
  private func relatedReader<Root, Entity: EntityType, Target: EntityType, Key>(
    _ path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> (UnsafePointer<Entity>) -> Key? {
    guard let relationship = JoinPath(path).relationship(in: self),
      let table = snapshot.table(of: Target.self)
    else { return { _ in nil } }
    let reader = FieldReader(key)
    return { row in
      relationship.targetID(of: row.pointee).flatMap { table.row(of: $0) }
        .map { reader.read($0.row.assumingMemoryBound(to: Target.self).pointee) }
    }
  }
}
