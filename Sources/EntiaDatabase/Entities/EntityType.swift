public import EntiaCollections

/// A value with an identity, stored once in a table of its own.
///
/// Adopt it beside `Identifiable`, or state the raw type of the ID yourself:
///
/// ```swift
/// struct Author: EntityType, Identifiable {
///   let id: String
///   var name: String
/// }
///
/// struct Book: EntityType {
///   typealias EntityIDRawType = String
///   var entityID: EntityID { .init(rawID) }
///   let rawID: String
///   let authorID: Author.EntityID
/// }
/// ```
public protocol EntityType: Equatable, Sendable {
  /// What an ID is made of: a string, an integer, a `UUID`, a structure of several.
  associatedtype EntityIDRawType: Hashable & Sendable

  /// How an ID keeps its raw value; chosen by Entia, never stated by hand.
  associatedtype EntityIDStorage: EntityIDStorageType = PlainIDStorage<Self.EntityIDRawType>
  where EntityIDStorage.Raw == EntityIDRawType

  /// The typed ID of this entity: another entity's does not compile in its place.
  typealias EntityID = EntityIdentifier<Self>

  /// The entity's ID; it must not change while the entity is stored.
  var entityID: EntityID { get }

  /// Returns whether the entity has an ID: what a look-up asks of a candidate. Written by Entia.
  func hasID(_ id: EntityID) -> Bool

  /// The entity's name in messages and descriptions; the type's name unless stated otherwise.
  static var entityName: String { get }
}

extension EntityType {
  /// The name of the type.
  public static var entityName: String { String(describing: Self.self) }

  /// Whether the entity's ID equals the ID.
  @inlinable
  @inline(__always)
  public func hasID(_ id: EntityID) -> Bool { entityID == id }
}

extension EntityType where EntityIDRawType == String {
  /// String IDs carry their hash.
  public typealias EntityIDStorage = HashedStringIDStorage
}

extension EntityType where Self: Identifiable, ID: Sendable {
  /// The `Identifiable` ID.
  public typealias EntityIDRawType = ID
}

extension EntityType where Self: Identifiable, EntityIDRawType == ID {
  /// The `Identifiable` ID, typed.
  @inlinable
  @inline(__always)
  public var entityID: EntityID { EntityID(id) }

  /// Whether the raw values are equal; a string is not hashed for it.
  @inlinable
  @inline(__always)
  public func hasID(_ id: EntityID) -> Bool { haveSameValue(self.id, id.raw) }
}
