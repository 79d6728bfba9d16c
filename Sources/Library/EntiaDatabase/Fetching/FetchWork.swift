/// The work of a fetch, in counters.
public struct FetchWork: Hashable, Sendable {
  /// The number of rows examined.
  public var rowsExamined = 0
  /// The number of rows of related entities examined.
  public var relatedRowsExamined = 0
  /// The number of comparisons of two rows for sorting.
  public var comparisons = 0
  /// The number of rows in the result.
  public var rowsReturned = 0

  /// Creates counters with the value zero.
  public init() {}
}

/// A reference to the counters of a running fetch.
final class FetchCounter {
  var work = FetchWork()
}
