/// A difference between an index and the rows.
public struct IndexMismatch: Hashable, Sendable {
  /// The entity whose entry is wrong or missing, or that has an entry without a row.
  public let entity: EntityLabel
  /// The text of the key; empty for held IDs, whose entity is missing.
  public let key: String

  /// Creates the description of a difference.
  public init(entity: EntityLabel, key: String) {
    self.entity = entity
    self.key = key
  }
}
