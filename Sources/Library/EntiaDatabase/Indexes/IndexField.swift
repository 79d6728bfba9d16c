/// A field of an index's key.
public struct IndexField<Entity: EntityType>: Sendable {
  /// The key path of the field, or `nil` when a closure computes the key.
  public let path: (any PartialKeyPath<Entity> & Sendable)?
  /// Whether greater values are first.
  public let isDescending: Bool

  /// Creates the description of a field.
  public init(path: (any PartialKeyPath<Entity> & Sendable)?, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }
}
