public import EntiaCollections

/// A value with an identity, stored once in a table of its own.
///
/// The macro `@Entity` of `Entia` adds the conformance. Without the macro, conform to
/// `Identifiable` too, or declare the raw type of the ID yourself:
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

  /// The typed ID of this entity. The IDs of other entity types have other types.
  typealias EntityID = EntityIdentifier<Self>

  /// The entity's ID; it must not change while the entity is stored.
  var entityID: EntityID { get }

  /// Returns whether the entity's ID is a given ID. Lookups call this method. By default, it
  /// compares `entityID`.
  ///
  /// A custom implementation must return the same result as the default one.
  func hasID(_ id: EntityID) -> Bool

  /// The entity's name in messages and descriptions; by default, the name of the type.
  static var entityName: String { get }
}

extension EntityType {
  /// The name of the type.
  public static var entityName: String { String(describing: Self.self) }

  /// Whether the entity has the ID `id`.
  @inlinable
  @inline(__always)
  public func hasID(_ id: EntityID) -> Bool { entityID == id }
}

// Matches optional IDs: an ID that can be created from a `nil` literal is an optional.
extension EntityType where Self: Identifiable, EntityIDRawType == ID, ID: ExpressibleByNilLiteral {
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

/// The body of an unavailable declaration, which no program can call.
func unavailable() -> Never { preconditionFailure("this declaration is unavailable") }

/// An entity's name and ID as text, for errors and reports on entities of any type.
public struct EntityLabel: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity, `EntityType.entityName`.
  public let entity: String
  /// The text of the ID.
  public let id: String

  /// Creates the label of an ID.
  @usableFromInline package init<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    entity = Entity.entityName
    self.id = id.description
  }

  /// Creates the label of a part that stores held IDs.
  init<Entity: EntityType>(part name: String, of type: Entity.Type) {
    entity = "the \(Entity.entityName) IDs of"
    id = name
  }

  /// The name and the ID, as in `Author a1`. An ID that is empty or contains control characters is
  /// quoted, as in `Author ""`.
  public var description: String { "\(entity) \(TypeName.ofID(id))" }
}

extension Collection where Element: CustomStringConvertible {
  /// The descriptions of the first five elements, and the number of the others, for the text of an
  /// error.
  package var firstDescriptions: String {
    let named = prefix(5).map(\.description).joined(separator: "; ")
    return count > 5 ? "\(named); and \(count - 5) more" : named
  }
}

/// The layout of a table of entities, keyed by their IDs.
@frozen
@usableFromInline
package enum EntityTableLayout<Entity: EntityType>: KeyedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: Entity) -> Entity.EntityID { element.entityID }

  @inlinable
  @inline(__always)
  package static func matches(_ element: Entity, _ key: Entity.EntityID) -> Bool {
    element.hasID(key)
  }
}
