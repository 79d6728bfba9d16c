/// A key that would lose its references to removed entities.
public struct DeletionNullification: Hashable, Sendable, CustomStringConvertible {
  /// The entity that has the key.
  public let holder: EntityLabel
  /// The name of the key's relationship.
  public let relationship: String
  /// The removed entities that the key references, in the order of their removal.
  public let targets: [EntityLabel]

  /// The key and the references that it would lose.
  public var description: String {
    "\(relationship) of \(holder) loses \(targets.map(\.description).joined(separator: ", "))"
  }
}
