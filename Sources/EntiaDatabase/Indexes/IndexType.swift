/// An index of a database: something worked out from the rows of one entity type, and kept in step
/// with them row by row.
///
/// The kinds in `Indexes` adopt it. A storage may declare an index of its own kind too, as long as
/// what it holds follows from the rows alone, whatever their order.
public protocol IndexType<Entity>: Sendable {
  /// The entities that are indexed.
  associatedtype Entity: EntityType

  /// The fields that the key is made of, in order of weight.
  var fields: [IndexField<Entity>] { get }

  /// Which rows the index has.
  var coverage: IndexCoverage { get }

  /// Takes note of a row's change: `nil` stands for absence. Both values have one ID.
  mutating func rowChanged(from old: Entity?, to new: Entity?)

  /// Forgets every row.
  mutating func removeAll()

  /// Makes the index what rows make it, whatever it was.
  /// - Parameter visitRows: calls its closure with every row.
  mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void)

  /// Returns where this index is not what it should be, given the same index built from every row.
  func mismatches(from rebuilt: Self) -> [IndexMismatch]

  /// Calls the closure with the IDs of the rows in the order of the fields until it answers `false`.
  /// Equal keys come in the order of their IDs, in both directions.
  /// - Parameter isReversed: whether greater keys come first.
  /// - Returns: whether the index has such an order; the closure is not called when it has none.
  func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool
}

extension IndexType {
  /// Has no order.
  @inlinable
  public func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool { false }

  /// Forgets every row, and takes note of each that there is.
  /// - Complexity: O(*n* log *n*).
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    removeAll()
    visitRows { rowChanged(from: nil, to: $0) }
  }
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
  /// The text of the key in question; empty where there are no keys and the entity is missing.
  public let key: String

  /// Creates the description of a place.
  public init(entity: EntityLabel, key: String) {
    self.entity = entity
    self.key = key
  }
}
