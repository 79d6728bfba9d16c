/// An ID as the key of a table: any `Hashable` type will do.
///
/// Unchecked: a table's keys must be `Sendable`, but an ID need not be. The wrapper is stored in
/// `IdentifiedArray` and `OrderedIDs` alone. Their storage is internal, and they are `Sendable` only
/// when their IDs are.
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

  /// The standard hash is an outlined call; where code is specialized for the commonest IDs, these
  /// comparisons of types are decided by the compiler.
  @inlinable
  @inline(__always)
  var tableHash: UInt64 {
    if ID.self == Int.self {
      return HashMixing.hash(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self)))
    }
    if ID.self == String.self { return HashMixing.hash(unsafeBitCast(id, to: String.self)) }
    return HashMixing.hash(UInt64(truncatingIfNeeded: id.hashValue))
  }
}
