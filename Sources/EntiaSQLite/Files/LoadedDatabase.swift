/// What a load does with a row that cannot be read.
public enum BrokenRowPolicy: Equatable, Sendable {
  /// It throws `DatabaseFileError.cannotDecode`.
  case `throw`
  /// It leaves the row out, and lists it.
  case skip
}

/// A database that was loaded from a file, and the rows that it lacks.
public struct LoadedDatabase<Storage> {
  /// The database, with all rows that can be read.
  public let database: Storage
  /// The rows that cannot be read, in the order of the tables. They stay in the file.
  public let skippedRows: [SkippedRow]
  /// Tables that perhaps were renamed without a migration, so that they are loaded as empty ones;
  /// `nil` if there are none. A save is refused then.
  public let unmatchedTables: UnmatchedTables?
}

extension LoadedDatabase: Sendable where Storage: Sendable {}

/// A row in a file that cannot be read.
public struct SkippedRow: Equatable, Sendable {
  /// The name of the table.
  public let table: String
  /// The ID of the row, as text.
  public let row: String
  /// The member that cannot be read; `nil` when the reason is another one.
  public let column: String?
  /// The reason.
  public let reason: String

  init(_ failure: RowFailure) {
    table = failure.table
    row = failure.row
    column = failure.column
    reason = failure.reason
  }
}

extension SkippedRow: CustomStringConvertible {
  /// The row and the reason, as a sentence.
  public var description: String {
    "row \(row) of \(table)" + (column.map { ", column \($0)," } ?? "")
      + " cannot be read: \(reason)"
  }
}
