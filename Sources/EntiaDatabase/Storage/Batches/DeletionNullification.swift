/// A key that would forget entities that are removed.
public struct DeletionNullification: Hashable, Sendable, CustomStringConvertible {
  /// The entity that has the key.
  public let holder: EntityLabel
  /// The relationship whose key it is.
  public let relationship: String
  /// What the key would forget, in the order in which it would be removed.
  public let targets: [EntityLabel]

  /// The key and what it would forget.
  public var description: String {
    "\(relationship) of \(holder) forgets \(targets.map(\.description).joined(separator: ", "))"
  }
}
