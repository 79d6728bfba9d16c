/// An index of a database: something worked out from the rows of one entity type, and kept in step
/// with them row by row.
///
/// The kinds in `Indexes` adopt it. A storage may declare an index of its own kind too, as long as
/// what it holds follows from the rows alone, whatever their order.
public protocol IndexType<Entity>: Sendable {
  /// The entities that are indexed.
  associatedtype Entity: EntityType

  /// Whether the index can refuse a batch.
  static var canRefuse: Bool { get }

  /// The fields that the key is made of, in order of weight.
  var fields: [IndexField<Entity>] { get }

  /// Which rows the index has.
  var coverage: IndexCoverage { get }

  /// Takes note of a row's change: `nil` stands for absence. Both values have one ID.
  mutating func rowChanged(from old: Entity?, to new: Entity?)

  /// Forgets every row.
  mutating func removeAll()

  /// Returns where this index is not what it should be, given the same index built from every row.
  func mismatches(from rebuilt: Self) -> [IndexMismatch]
}

extension IndexType {
  /// `false`: most indexes only help to find.
  @inlinable
  public static var canRefuse: Bool { false }
}

/// Which rows an index has.
public enum IndexCoverage: Hashable, Sendable {
  /// Every row.
  case allRows
  /// The rows whose key is not `nil`.
  case rowsWithKey
  /// The rows that a closure accepts.
  case acceptedRows
}

/// A field that an index's key is made of.
public struct IndexField<Entity: EntityType>: Sendable {
  /// Where the entity has the field, or `nil` when a closure works the key out.
  public let path: (any PartialKeyPath<Entity> & Sendable)?
  /// Whether greater values come first.
  public let isDescending: Bool

  /// Creates the description of a field.
  public init(path: (any PartialKeyPath<Entity> & Sendable)?, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }
}

/// A place where an index is out of step with the rows.
public struct IndexMismatch: Hashable, Sendable {
  /// The entity that is filed wrongly, not filed, or filed without being there.
  public let entity: EntityLabel
  /// The text of the key in question.
  public let key: String

  /// Creates the description of a place.
  public init(entity: EntityLabel, key: String) {
    self.entity = entity
    self.key = key
  }
}
