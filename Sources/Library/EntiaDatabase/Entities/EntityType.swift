/// A value with an identity, stored once in a table of its own.
///
/// Adopt it together with `Identifiable`, or declare the raw type of the ID yourself:
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
  /// The raw type of the ID: a string, an integer, a `UUID`, or a structure of several values.
  associatedtype EntityIDRawType: Hashable & Sendable

  /// The storage of the ID's raw value; chosen by Entia, never declared by hand.
  associatedtype EntityIDStorage: EntityIDStorageType = PlainIDStorage<Self.EntityIDRawType>
  where EntityIDStorage.Raw == EntityIDRawType

  /// The typed ID of this entity: the ID of another entity type does not compile in its place.
  typealias EntityID = EntityIdentifier<Self>

  /// The entity's ID; it must not change while the entity is stored.
  var entityID: EntityID { get }

  /// Returns whether the entity has an ID; called by lookups. By default, it compares `entityID`.
  ///
  /// A custom implementation must return the same result as the default one.
  func hasID(_ id: EntityID) -> Bool

  /// The entity's name in messages and descriptions; by default, the name of the type.
  static var entityName: String { get }

  /// Whether the entity has transient members, so that rows are stored although they are equal to
  /// the present ones; adopt `TransientEntityType` rather than declare it.
  static var hasTransientMembers: Bool { get }
}

extension EntityType {
  /// The name of the type.
  public static var entityName: String { String(describing: Self.self) }

  /// `false`.
  @inlinable
  @inline(__always)
  public static var hasTransientMembers: Bool { false }

  /// Whether the entity's ID equals the ID.
  @inlinable
  @inline(__always)
  public func hasID(_ id: EntityID) -> Bool { entityID == id }
}

/// An optional value, which is no ID: all entities whose ID is `nil` would be one entity.
public protocol OptionalIDType {}

extension Optional: OptionalIDType {}

extension EntityType where Self: Identifiable, EntityIDRawType == ID, ID: OptionalIDType {
  /// Unavailable: an ID is not optional.
  @available(
    *, unavailable,
    message: """
      an ID must not be optional, because all entities whose ID is nil would be one; give each a \
      value, such as a UUID, or declare 'entityID' yourself
      """
  )
  public var entityID: EntityID { EntityID(id) }
}

extension EntityType where EntityIDRawType == String {
  /// The storage of a string ID, which includes its hash.
  public typealias EntityIDStorage = HashedStringIDStorage
}

extension EntityType where Self: Identifiable, ID: Sendable {
  /// The raw type, which is the `ID` of `Identifiable`.
  public typealias EntityIDRawType = ID
}

extension EntityType where Self: Identifiable, EntityIDRawType == ID {
  /// The `Identifiable` ID, typed.
  @inlinable
  @inline(__always)
  public var entityID: EntityID { EntityID(id) }
}
