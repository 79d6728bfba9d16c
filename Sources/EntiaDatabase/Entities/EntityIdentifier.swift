public import EntiaCollections

/// The ID of an entity, typed by the entity: always spelled `Author.EntityID`.
@frozen
public struct EntityIdentifier<Entity: EntityType>: Sendable {
  @usableFromInline let storage: Entity.EntityIDStorage

  /// Creates an ID from its raw value.
  /// - Complexity: O(1); O(*n*) in the length of a string, which is hashed once, here.
  @inlinable
  @inline(__always)
  public init(_ raw: Entity.EntityIDRawType) { storage = Entity.EntityIDStorage(raw) }

  /// What the ID is made of.
  @inlinable
  @inline(__always)
  public var raw: Entity.EntityIDRawType { storage.raw }
}

extension EntityIdentifier: TableKey {
  /// Whether two IDs have equal raw values; a NaN equals one with the same bits.
  @inlinable
  @inline(__always)
  public static func == (a: Self, b: Self) -> Bool { haveSameValue(a.raw, b.raw) }

  /// Feeds the ID's hash into the hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

  /// The standard library's one-shot hash, a requirement of `Hashable`: answering it keeps an ID as
  /// cheap a key of `Dictionary` and `Set` as its raw value is.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int { storage.hashValue(seed: seed) }

  /// 64 well-mixed bits, seeded once a process.
  @inlinable
  @inline(__always)
  public var tableHash: UInt64 { storage.tableHash }
}

extension EntityIdentifier: Comparable where Entity.EntityIDRawType: Comparable {
  /// Orders IDs as their raw values, those last that hold a NaN.
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
