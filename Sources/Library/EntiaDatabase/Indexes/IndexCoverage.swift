/// The rows that an index contains.
public enum IndexCoverage: Hashable, Sendable {
  /// Every row.
  case allRows
  /// The rows whose key is not `nil`.
  case rowsWithKey
  /// The rows that a closure accepts.
  case acceptedRows
}
