public import EntiaCollections

/// Any `Hashable` key as the key of a table.
@frozen
@usableFromInline
struct HashedKey<Key: Hashable & Sendable>: TableKey {
  @usableFromInline let key: Key

  @inlinable
  @inline(__always)
  init(_ key: Key) { self.key = key }

  @inlinable
  @inline(__always)
  static func == (a: Self, b: Self) -> Bool { a.key == b.key }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  @inlinable
  var tableHash: UInt64 {
    // The type tests are settled when the code is specialized.
    if let key = key as? String { return HashMixing.hash(key) }
    if let key = key as? any TableKey { return key.tableHash }
    return PlainIDStorage(key).tableHash
  }
}
