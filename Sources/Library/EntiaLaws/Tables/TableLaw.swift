/// A law of tables with value semantics.
public enum TableLaw: Int, CaseIterable, Sendable, CustomStringConvertible {
  /// A table equals a dictionary after any history.
  case matchesModel = 1
  /// A version that was kept reads the same forever.
  case versionsAreFixed = 2
  /// Changes applied to the old version result in the new one, and list nothing else.
  case changesLeadToTheNewVersion = 3
  /// Equal content is equal, regardless of the history and the order.
  case equalContentIsEqual = 5
  /// Iteration follows insertion order.
  case iterationIsInsertionOrder = 6

  /// The statement of the law.
  public var statement: String {
    switch self {
    case .matchesModel: "a table equals a plain dictionary plus an order list"
    case .versionsAreFixed: "a version taken earlier reads the same forever"
    case .changesLeadToTheNewVersion:
      "changes applied to the old version give the new one, and list nothing that did not change"
    case .equalContentIsEqual: "equal content is equal whatever the history, other content is not"
    case .iterationIsInsertionOrder:
      "iteration is insertion order, a replaced entity keeps its place, a re-inserted one goes last"
    }
  }

  /// The number and the statement.
  public var description: String { "Law \(rawValue): \(statement)" }
}
