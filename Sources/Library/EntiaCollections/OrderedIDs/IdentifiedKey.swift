/// A wrapper that makes an ID of any `Hashable` type the key of a table.
///
/// Unchecked: a table's keys must be `Sendable`, but an ID need not be. The wrapper is stored only
/// in `IdentifiedArray` and `OrderedIDs`. Their storage is internal, and they are `Sendable` only
/// if their IDs are.
@frozen
@usableFromInline
struct IdentifiedKey<ID: Hashable>: TableKey, @unchecked Sendable {
  @usableFromInline let id: ID

  @inlinable
  @inline(__always)
  init(_ id: ID) { self.id = id }

  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id || (!isEqualToItself(ID.self) && haveSameKeyParts(lhs.id, rhs.id))
  }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Returns the hash bits of the ID. The standard hash is a call that is not inlined, so the most
  /// common types of IDs are hashed here. In specialized code, the comparisons of types are
  /// evaluated at compile time.
  @inlinable
  @inline(__always)
  func tableHash(seed: UInt64) -> UInt64 {
    if let hash = HashMixing.hashIfPlain(id, seed: seed) { return hash }
    if ID.self == String.self {
      return HashMixing.hash(unsafeBitCast(id, to: String.self), seed: seed)
    }
    return HashMixing.hash(UInt64(truncatingIfNeeded: id.hashValue), seed: seed)
  }
}
