public protocol EntityType: Equatable, Sendable {
  associatedtype EntityIDRawType: Hashable & Sendable
  typealias EntityID = EntityIdentifier<Self>
  var entityID: EntityID { get }
}
public struct EntityIdentifier<E: EntityType>: Hashable, Sendable {
  public let raw: E.EntityIDRawType
  public init(_ raw: E.EntityIDRawType) { self.raw = raw }
}
