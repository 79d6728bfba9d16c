/// A condition that every row of a fetch satisfies: a field has one of a list of values. The
/// observers of the fetch can be looked up by the field of a changed row, instead of checking each
/// observer.
///
/// Sendable although it stores a key path and closures: they come from a `FetchDescriptor`, which
/// is `Sendable`, and are never changed.
package struct EqualityFilter<Entity: EntityType>: @unchecked Sendable {
  /// The key path of the field.
  package let path: AnyKeyPath
  /// The hashes of the values.
  package let hashes: [Int]
  private let read: (Entity) -> Int?

  fileprivate init?(path: AnyKeyPath, values: [Any]) {
    guard let path = path as? PartialKeyPath<Entity> else { return nil }
    let type = Swift.type(of: path).valueType
    var hashes: [Int] = []
    for value in values {
      // Values of different types may be equal without having the same hash.
      guard Swift.type(of: value) == type, let hash = Self.hash(value) else { return nil }
      hashes.append(hash)
    }
    self.path = path
    self.hashes = hashes
    read = { Self.hash($0[keyPath: path]) }
  }

  /// Returns the hashes of the field in all changed rows, of both the old and the new values.
  /// - Parameters:
  ///   - changes: The changes of the rows.
  ///   - storage: The new version.
  /// - Complexity: O(changes).
  package func hashes<Storage: NormalizedStorageType>(
    of changes: StorageChangeSet<Storage>, in storage: Storage
  ) -> Set<Int> {
    let changes = changes.changes(of: Entity.self)
    var result: Set<Int> = []
    func add(_ entity: Entity) { if let hash = read(entity) { result.insert(hash) } }
    for entity in changes.inserted { add(entity) }
    for entity in changes.removed { add(entity) }
    for update in changes.updated {
      add(update.old)
      add(update.new)
    }
    for move in changes.moved {
      if let entity = storage.row(of: move.entityID) { add(entity) }
    }
    return result
  }

  private static func hash(_ value: Any) -> Int? {
    (value as? any Hashable)?.hashValue
  }
}

extension FetchDescriptor {
  /// The field by which observers of the fetch can be looked up; `nil` when the fetch has none.
  package var equalityFilter: EqualityFilter<Entity>? {
    guard related.isEmpty, relatedSorts.isEmpty, self.start == nil, search == nil, let compiled
    else { return nil }
    for (path, values, _) in FieldConditions(compiled.condition, slot: 0).values {
      if let route = EqualityFilter<Entity>(path: path, values: values) { return route }
    }
    return nil
  }
}
