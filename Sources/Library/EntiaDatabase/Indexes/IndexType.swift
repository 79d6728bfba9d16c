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
  /// - Parameters:
  ///   - isReversed: Whether greater keys are first.
  ///   - body: The closure, which returns `false` to stop.
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
