/// The ID of a row among the rows of all entities.
public struct RecordID: Hashable, Sendable {
  /// The name of the entity.
  public let entity: String
  /// The ID within the entity.
  public let key: RecordKey

  /// Makes an ID.
  public init(entity: String, key: RecordKey) {
    self.entity = entity
    self.key = key
  }

  /// Says whether two IDs have the same bytes.
  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.key == right.key && left.entity.isExactly(right.entity)
  }

  /// Feeds the ID to a hasher.
  public func hash(into hasher: inout Hasher) {
    key.hash(into: &hasher)
    entity.hashExactly(into: &hasher)
  }
}

extension RecordID: Comparable {
  /// Orders IDs by entity, then by key.
  public static func < (left: RecordID, right: RecordID) -> Bool {
    left.entity.isExactly(right.entity)
      ? left.key < right.key : left.entity.precedesExactly(right.entity)
  }
}

extension RecordID: CustomStringConvertible {
  /// The entity and the key, such as `authors "a1"`.
  public var description: String { "\(entity.excerpt()) \(key)" }
}
