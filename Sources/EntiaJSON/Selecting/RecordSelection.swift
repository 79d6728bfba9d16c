/// Which rows of one entity are wanted, and in which order.
public struct RecordSelection: Sendable {
  /// A member to sort by.
  public struct Order: Hashable, Sendable {
    /// The name of the member.
    public let member: String
    /// Whether the greatest value comes first.
    public let isDescending: Bool

    /// Creates an order.
    public init(_ member: String, isDescending: Bool = false) {
      self.member = member
      self.isDescending = isDescending
    }
  }

  /// The entity of the rows.
  public var entity: String
  /// The texts of the rows' IDs, in the order wanted; nil for all rows.
  public var ids: [String]?
  /// What the rows have to fulfil; nil for nothing.
  public var condition: RecordCondition?
  /// The members to sort by, the most important one first.
  public var order: [Order]
  /// The greatest number of rows; nil for any number.
  public var limit: Int?

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - ids: The texts of the rows' IDs, in the order wanted; nil for all rows.
  ///   - condition: What the rows have to fulfil.
  ///   - order: The members to sort by.
  ///   - limit: The greatest number of rows.
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

/// Why rows cannot be selected.
public enum SelectionProblem: Error, Hashable, Sendable {
  /// There is no such entity; perhaps another one was meant.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no rows of these IDs.
  case unknownIDs([String], entity: String)
  /// No row of the entity has such a member; perhaps another one was meant.
  case unknownMember(String, entity: String, suggestion: String?)
}

extension SelectionProblem: CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let suggestion):
      "\(name.quoted) is no entity of the database" + Self.question(suggestion)
    case .unknownIDs(let ids, let entity):
      "\(entity) has no row " + ids.map(\.quoted).joined(separator: ", ")
    case .unknownMember(let name, let entity, let suggestion):
      "no row of \(entity) has a member \(name.quoted)" + Self.question(suggestion)
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0.quoted)?" } ?? ""
  }
}
