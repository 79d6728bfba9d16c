/// A description of how a fetch is served, returned by `explain`.
///
/// ```swift
/// print(library.explain(descriptor))
/// // Book: 12 of 5000 rows by booksByYear (year from 1960 below 1970); in its order, no sort
/// ```
public struct FetchExplanation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity.
  package let entity: String
  /// The number of rows in the table.
  package let tableCount: Int
  /// The names of the indexes and relationships that find the rows; empty when the table is
  /// scanned.
  public internal(set) var indexes: [String] = []
  /// The way in which the rows are found, in words.
  package internal(set) var access = "a scan of the table"
  /// The maximum number of rows that are examined. A fetch that reaches its limit may examine
  /// fewer.
  public internal(set) var rowsExamined: Int
  /// The number of matching rows after which the fetch ends early; `nil` when it examines all of
  /// its rows.
  package internal(set) var endsAfter: Int?
  /// Whether the matching rows are sorted. It is `false` if they are found in the order of the
  /// fetch, or if the fetch has no sort.
  package internal(set) var isSorting = false
  /// Whether rows that an index finds are put in the order of the table, because the fetch has no
  /// sort.
  var isCollecting = false
  /// The maximum number of rows that are kept while they are sorted; `nil` when all matches are
  /// kept, or when nothing is sorted.
  package internal(set) var sortLimit: Int?
  /// The parts of the fetch that could be faster, and why.
  public internal(set) var notes: [String] = []

  /// The explanation as a sentence, and a line for each note.
  public var description: String {
    let bound = endsAfter == nil ? "" : "at most "
    var text = "\(entity): \(bound)\(rowsExamined) of \(tableCount) rows by \(access); "
    if isSorting {
      text += sortLimit.map { "sorted, the first \($0) kept" } ?? "sorted"
    } else if isCollecting {
      text += "put in the table's order"
    } else {
      text += indexes.isEmpty ? "in the table's order, no sort" : "in its order, no sort"
    }
    if let endsAfter {
      text += ", ends after \(endsAfter) \(endsAfter == 1 ? "match" : "matches")"
    }
    for note in notes { text += "\n  \(note)" }
    return text
  }
}

/// The work of a fetch, in counters.
@usableFromInline
package struct FetchWork: Hashable, Sendable {
  /// The number of examined rows of the fetched type.
  @usableFromInline package var rowsExamined = 0
  /// The number of examined rows of related entities.
  @usableFromInline package var relatedRowsExamined = 0
  /// The number of comparisons of two rows for sorting.
  @usableFromInline package var comparisons = 0
  /// The number of rows in the result.
  @usableFromInline package var rowsReturned = 0

  /// Creates counters with the value zero.
  @inlinable
  package init() {}
}

/// A reference to the counters of a running fetch.
final class FetchCounter {
  var work = FetchWork()
}
