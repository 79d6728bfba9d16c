public import EntiaCollections

/// Any `Hashable` key as the key of a table. A NaN equals a NaN with the same bits.
@frozen
@usableFromInline
package struct HashedKey<Key: Hashable & Sendable>: TableKey {
  @usableFromInline let key: Key

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
