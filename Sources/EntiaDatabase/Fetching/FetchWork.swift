/// What a fetch did, counted.
public struct FetchWork: Hashable, Sendable {
  /// How many rows were looked at.
  public var rowsExamined = 0
  /// How many rows of related entities were looked at.
  public var relatedRowsExamined = 0
  /// How many times two rows were compared in order to sort them.
  public var comparisons = 0
  /// How many rows of the result there were.
  public var rowsReturned = 0

  /// Creates counters that are at zero.
  public init() {}
}

/// Counts while a fetch runs.
final class FetchCounter {
  var work = FetchWork()
}
