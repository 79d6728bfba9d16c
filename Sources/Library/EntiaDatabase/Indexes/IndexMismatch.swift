public import EntiaCollections

/// A difference between an index and the rows.
package struct IndexMismatch: Hashable, Sendable {
  /// The entity whose entry is wrong or missing, or that has an entry without a row.
  package let entity: EntityLabel
  /// The text of the key; empty for held IDs, whose entity is missing.
  package let key: String

  /// Creates the description of a difference.
  package init(entity: EntityLabel, key: String) {
    self.entity = entity
    self.key = key
  }
}

/// Any `Hashable` key as the key of a table. A NaN equals a NaN with the same bits.
@frozen
@usableFromInline
package struct HashedKey<Key: Hashable & Sendable>: TableKey {
  @usableFromInline package let key: Key

  @inlinable
  @inline(__always)
  package init(_ key: Key) { self.key = key }

  @inlinable
  @inline(__always)
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.key == rhs.key || (!isEqualToItself(Key.self) && haveSameKeyParts(lhs.key, rhs.key))
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  @inlinable
  package func tableHash(seed: UInt64) -> UInt64 {
    // In specialized code, the type casts are evaluated at compile time.
    if let key = key as? String { return HashMixing.hash(key, seed: seed) }
    if let key = key as? Int { return HashMixing.hash(UInt64(bitPattern: Int64(key)), seed: seed) }
    if let key = key as? any TableKey { return key.tableHash(seed: seed) }
    return PlainIDStorage(key).tableHash(seed: seed)
  }
}

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
