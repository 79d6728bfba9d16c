extension NormalizedStorageType {
  /// Returns the entities that a description asks for, in groups of one key of the entity that a
  /// relationship leads to.
  ///
  /// ```swift
  /// library.fetchGrouped(FetchDescriptor<Book>(), by: \Library.bookAuthor, \.country)
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - path: The relationship, whose holder the description is of.
  ///   - key: The field of the named entity.
  /// - Returns: The groups in the order in which their first entities come in the fetch; the key is
  ///   `nil` for entities whose key names nothing.
  /// - Complexity: As `fetch`, and a look-up for each entity.
  public func fetchGrouped<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [FetchGroup<Key?, Entity>] {
    groups(descriptor, by: relatedReader(path, key))
  }

  /// Returns how many of the entities that a description asks for have each key of the entity that a
  /// relationship leads to.
  ///
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - path: The relationship, whose holder the description is of.
  ///   - key: The field of the named entity.
  /// - Returns: Keys and counts, in the order in which the keys first come in the fetch; the key is
  ///   `nil` for entities whose key names nothing.
  /// - Complexity: As `fetch`, and a look-up for each entity; no entity is copied.
  public func fetchCounts<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [(key: Key?, count: Int)] {
    counts(descriptor, by: relatedReader(path, key))
  }

  /// Returns a closure that reads a field of the entity that a row's key names.
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
