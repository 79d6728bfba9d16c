/// A condition that every row of a fetch satisfies: a field has one of a list of values. Observers
/// of fetches are looked up by the value that the field has in a changed row, so that the observers
/// of other values are not checked.
///
/// `Sendable` is unchecked because the type stores a key path and a closure that reads it. The key
/// path comes from a `FetchDescriptor`, which is `Sendable`, and is never changed.
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

  /// Returns the hashes of the field's old and new values in all rows that differ or moved.
  /// - Parameters:
  ///   - old: The older version.
  ///   - storage: The new version.
  ///   - changes: Returns the difference of the two versions.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func hashes<Storage: NormalizedStorageType>(
    from old: StorageVersion, to storage: Storage, changes: () -> StorageChangeSet<Storage>
  ) -> Set<Int> {
    var result: Set<Int> = []
    DifferingRows(Storage.self, Entity.self).visitMoved(
      from: old, to: storage, changes: changes,
      visit: { if let hash = read($0.pointee) { result.insert(hash) } })
    return result
  }

  private static func hash(_ value: Any) -> Int? {
    (value as? any Hashable)?.hashValue
  }
}

extension FetchDescriptor {
  /// The equality condition by which observers of the fetch are looked up. It is `nil` if the
  /// predicate has no such condition, or if the fetch has a join, a sort by a related field, a page
  /// or a search.
  package var equalityFilter: EqualityFilter<Entity>? {
    guard related.isEmpty, relatedSorts.isEmpty, self.start == nil, search == nil, let compiled
    else { return nil }
    for (path, values, _) in FieldConditions(compiled.condition, slot: 0).values {
      if let route = EqualityFilter<Entity>(path: path, values: values) { return route }
    }
    return nil
  }
}
