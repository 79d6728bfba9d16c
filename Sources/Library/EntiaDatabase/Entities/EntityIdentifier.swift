public import EntiaCollections

/// The ID of an entity, typed by the entity: always spelled `Author.EntityID`.
@frozen
public struct EntityIdentifier<Entity: EntityType>: Sendable {
  @usableFromInline let storage: Entity.EntityIDStorage

  /// Creates an ID from its raw value.
  /// - Complexity: O(1); for a string, O(*n*) in its length, since the string is hashed here
  ///   once.
  @inlinable
  @inline(__always)
  public init(_ raw: Entity.EntityIDRawType) { storage = Entity.EntityIDStorage(raw) }

  /// The raw value of the ID.
  @inlinable
  @inline(__always)
  public var raw: Entity.EntityIDRawType { storage.raw }
}

extension EntityIdentifier: TableKey {
  /// Whether two IDs have equal raw values. A NaN equals a NaN with the same bits.
  @inlinable
  @inline(__always)
  public static func == (a: Self, b: Self) -> Bool { haveSameValue(a.raw, b.raw) }

  /// Feeds the raw value into the hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

  /// Returns the hash for a `Dictionary` or `Set` with a seed. This requirement of `Hashable`
  /// makes an ID as cheap a key as its raw value.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int { storage.hashValue(seed: seed) }

  /// Returns 64 well-mixed bits with the process's seed.
  @inlinable
  @inline(__always)
  public func tableHash(seed: UInt64) -> UInt64 { storage.tableHash(seed: seed) }
}

extension EntityIdentifier: Comparable where Entity.EntityIDRawType: Comparable {
  /// Orders IDs by their raw values; NaN is last.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { precedesTotally(a.raw, b.raw) }
}

extension EntityIdentifier: CustomStringConvertible {
  /// The raw value's description.
  public var description: String { String(describing: raw) }
}

extension EntityIdentifier: CustomDebugStringConvertible {
  /// The entity's name and the raw value, as in `Author("a1")`.
  public var debugDescription: String { "\(Entity.entityName)(\(String(reflecting: raw)))" }
}
