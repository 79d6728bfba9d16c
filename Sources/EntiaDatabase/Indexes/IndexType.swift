/// An index of a database: data derived from the rows of one entity type, and updated row by row.
///
/// The kinds in `Indexes` conform to it. A storage may also declare an index of a custom type.
/// Its contents must depend only on the rows, not on their order.
public protocol IndexType<Entity>: Sendable {
  /// The type of the indexed entities.
  associatedtype Entity: EntityType

  /// The fields of the key, the most significant first.
  var fields: [IndexField<Entity>] { get }

  /// The rows that the index contains.
  var coverage: IndexCoverage { get }

  /// Updates the index for a change of a row; `nil` stands for absence. Both values have the same
  /// ID.
  mutating func rowChanged(from old: Entity?, to new: Entity?)

  /// Removes every row.
  mutating func removeAll()

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void)

  /// Returns the differences between this index and the same index built from every row.
  func mismatches(from rebuilt: Self) -> [IndexMismatch]

  /// Calls the closure with the IDs of the rows in the order of the fields until it returns
  /// `false`. Equal keys are in the order of their IDs, in both directions.
  /// - Parameter isReversed: Whether greater keys are first.
  /// - Returns: Whether the index has such an order; otherwise the closure is not called.
  func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool
}

extension IndexType {
  /// Returns `false`: the index has no order.
  @inlinable
  public func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool { false }

  /// Removes every row, and inserts each visited row.
  /// - Complexity: O(*n* log *n*).
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    removeAll()
    visitRows { rowChanged(from: nil, to: $0) }
  }
}

/// The rows that an index contains.
public enum IndexCoverage: Hashable, Sendable {
  /// Every row.
  case allRows
  /// The rows whose key is not `nil`.
  case rowsWithKey
  /// The rows that a closure accepts.
  case acceptedRows
}

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
