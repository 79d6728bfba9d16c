import EntiaCoding

/// A selection of rows of one entity, and their order.
public struct RecordSelection: Sendable {
  /// A member to sort by.
  public struct Order: Hashable, Sendable {
    /// The name of the member.
    package let member: String
    /// Whether the greatest value is first.
    package let isDescending: Bool

    /// Creates an order.
    public init(_ member: String, isDescending: Bool = false) {
      self.member = member
      self.isDescending = isDescending
    }
  }

  /// The entity of the rows.
  public var entity: String
  /// The texts of the rows' IDs, in the requested order; nil for all rows.
  public var ids: [String]?
  /// The condition that the rows must fulfill, or nil.
  public var condition: RecordCondition?
  /// The text that the rows must match, as `Indexes.Text` searches it, or nil. Without members to
  /// sort by, the best match is first.
  public var search: String?
  /// The members to sort by, in decreasing significance.
  public var order: [Order]
  /// The maximum number of rows, or nil for no limit.
  public var limit: Int?

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - ids: The texts of the rows' IDs, in the requested order; nil for all rows.
  ///   - condition: The condition that the rows must fulfill.
  ///   - order: The members to sort by.
  ///   - limit: The maximum number of rows.
  public init(
    of entity: String, ids: [String]? = nil, where condition: RecordCondition? = nil,
    sortedBy order: [Order] = [], limit: Int? = nil
  ) {
    self.entity = entity
    self.ids = ids
    self.condition = condition
    self.order = order
    self.limit = limit
  }
}
