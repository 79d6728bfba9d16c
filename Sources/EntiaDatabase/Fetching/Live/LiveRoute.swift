/// A field that must have one of some values in every row of a fetch, by which those who follow the
/// fetch can be found from a changed row instead of being asked about it.
///
/// Sendable although it holds a key path and closures: they come from a `FetchDescriptor`, which is
/// `Sendable`, and nothing of it is ever changed.
package struct LiveRoute<Entity: EntityType>: @unchecked Sendable {
  /// Which field it is.
  package let path: AnyKeyPath
  /// The hashes of the values.
  package let hashes: [Int]
  private let read: (Entity) -> Int?

  fileprivate init?(path: AnyKeyPath, values: [Any]) {
    guard let path = path as? PartialKeyPath<Entity> else { return nil }
    let type = Swift.type(of: path).valueType
    var hashes: [Int] = []
    for value in values {
      // Values of another type may be equal without having the same hash.
      guard Swift.type(of: value) == type, let hash = Self.hash(value) else { return nil }
      hashes.append(hash)
    }
    self.path = path
    self.hashes = hashes
    read = { Self.hash($0[keyPath: path]) }
  }

  /// The hashes of the field in all rows that differ, as they were and as they are.
  /// - Parameters:
  ///   - changes: how the rows differ.
  ///   - storage: the new version.
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
  /// The field by which those who follow the fetch can be found; `nil` when there is none.
  package var liveRoute: LiveRoute<Entity>? {
    guard related.isEmpty, relatedSorts.isEmpty, self.start == nil, let compiled else { return nil }
    for (path, values, _) in FieldConditions(compiled.condition, slot: 0).values {
      if let route = LiveRoute<Entity>(path: path, values: values) { return route }
    }
    return nil
  }
}
