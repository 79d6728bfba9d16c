/// The work of keeping results current, in counters.
package struct LiveWork: Equatable, Sendable {
  /// The number of rows for which the predicate was evaluated.
  package var rowsExamined = 0
  /// The number of comparisons of two rows.
  package var comparisons = 0
  /// The number of times the whole result was fetched again.
  package var fetches = 0

  package init() {}

  package mutating func add(_ other: LiveWork) {
    rowsExamined += other.rowsExamined
    comparisons += other.comparisons
    fetches += other.fetches
  }
}

/// The comparison of a result with the previous one.
package enum LiveOutcome: Sendable {
  /// The results are equal.
  case same
  /// The results differ.
  case different
  /// The results must be compared.
  case uncertain
}
