import EntiaCollections

extension IndexMismatch {
  /// Returns the differences between the entries of two versions of an index, in any order of the
  /// entries.
  static func between<Entity: EntityType, Key: Hashable & Sendable>(
    _ found: some Sequence<(HashedKey<Key>, [EntityIdentifier<Entity>])>,
    _ expected: some Sequence<(HashedKey<Key>, [EntityIdentifier<Entity>])>
  ) -> [Self] {
    var wanted: [HashedKey<Key>: Set<EntityIdentifier<Entity>>] = [:]
    for (key, ids) in expected { wanted[key] = Set(ids) }
    var result: [Self] = []
    for (key, ids) in found {
      for id in ids where wanted[key]?.remove(id) == nil {
        result.append(Self(entity: EntityLabel(id), key: String(describing: key.key)))
      }
    }
    for (key, ids) in expected {
      for id in ids where wanted[key]?.contains(id) == true {
        result.append(Self(entity: EntityLabel(id), key: String(describing: key.key)))
      }
    }
    return result
  }
}
