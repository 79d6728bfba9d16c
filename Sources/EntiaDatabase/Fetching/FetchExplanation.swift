/// How a fetch is served: what `explain` answers.
///
/// ```swift
/// print(library.explain(descriptor))
/// // Book: 12 of 5000 rows by booksByYear (year from 1960 below 1970); in its order, no sort
/// ```
public struct FetchExplanation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity.
  public let entity: String
  /// How many rows the table has.
  public let tableCount: Int
  /// The names of the indexes and relationships that find the rows; none when the table is scanned.
  public internal(set) var indexes: [String] = []
  /// How the rows are found, in words.
  public internal(set) var access = "a scan of the table"
  /// How many rows are examined at most; fewer when a limit is reached.
  public internal(set) var rowsExamined: Int
  /// Whether the rows that match are sorted by what the fetch asks for; otherwise they are found in
  /// that order, or it asks for none.
  public internal(set) var isSorting = false
  /// Whether rows that an index finds are put in the order of the table, which the fetch asks for.
  var isCollecting = false
  /// How many rows are kept while they are sorted, at most; all that match, when there is no limit.
  public internal(set) var sortLimit: Int?
  /// What is slower than it could be, and why.
  public internal(set) var notes: [String] = []

  /// The explanation as a sentence, and a line for each note.
  public var description: String {
    var text = "\(entity): \(rowsExamined) of \(tableCount) rows by \(access); "
    if isSorting {
      text += sortLimit.map { "sorted, the first \($0) kept" } ?? "sorted"
    } else if isCollecting {
      text += "put in the table's order"
    } else {
      text += indexes.isEmpty ? "in the table's order, no sort" : "in its order, no sort"
    }
    for note in notes { text += "\n  \(note)" }
    return text
  }
}
