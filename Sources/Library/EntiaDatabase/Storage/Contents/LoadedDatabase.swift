/// The treatment of a row that cannot be read, in a load from a file or a server.
public enum BrokenRowPolicy: Equatable, Sendable {
  /// The load throws the error of the row.
  case `throw`
  /// The load leaves the row out, and lists it.
  case skip
}

/// A database that was loaded from a file or a server, and the rows that it lacks.
public struct LoadedDatabase<Storage> {
  /// The database, with all rows that can be read.
  public let database: Storage
  /// The rows that cannot be read. They remain in the file or on the server.
  public let skippedRows: [SkippedRow]
  /// Tables that were loaded as empty, because they were perhaps renamed without a migration; `nil`
  /// if there are none. While there are any, saves are refused.
  public let unmatchedTables: UnmatchedTables?
  /// The sorted names of the tables that another program, such as `sqlite3`, has changed in the
  /// file since a program with Entia saved them. Until the next save, damage to these tables is not
  /// recognized.
  public let editedTables: [String]

  package init(
    database: Storage, skippedRows: [SkippedRow], unmatchedTables: UnmatchedTables? = nil,
    editedTables: [String] = []
  ) {
    self.database = database
    self.skippedRows = skippedRows
    self.unmatchedTables = unmatchedTables
    self.editedTables = editedTables
  }
}

extension LoadedDatabase: Sendable where Storage: Sendable {}

/// A row in a file or a server that cannot be read.
public struct SkippedRow: Error, Hashable, Sendable {
  /// The name of the table.
  public let table: String
  /// The ID of the row, as text.
  public let row: String
  /// The member that cannot be read; `nil` if the reason is not a single member.
  public let column: String?
  /// The reason.
  public let reason: String

  package init(table: String, row: String, column: String?, reason: String) {
    self.table = table
    self.row = row
    self.column = column
    self.reason = reason
  }
}

extension SkippedRow: CustomStringConvertible {
  /// The row and the reason, as a sentence.
  public var description: String {
    "row \(row) of \(table)" + (column.map { ", column \($0)," } ?? "")
      + " cannot be read: \(reason)"
  }
}

/// The tables that a storage has and its file lacks, and the tables that the file has and the
/// storage lacks. Perhaps they are the same tables, renamed without a migration.
///
/// A table in the file counts only if it has rows, and if the program that last saved the file had
/// the table. Held IDs count as tables, but are matched only with other held IDs.
public struct UnmatchedTables: Equatable, Sendable {
  /// The names of the tables that the file lacks, sorted.
  public let missing: [String]
  /// The names of the tables that the storage lacks, sorted.
  public let unclaimed: [String]

  package init(missing: [String], unclaimed: [String]) {
    self.missing = missing
    self.unclaimed = unclaimed
  }
}

extension UnmatchedTables: CustomStringConvertible {
  /// A sentence with the names.
  public var description: String {
    """
    the file lacks \(missing.joined(separator: ", ")), and has \
    \(unclaimed.joined(separator: ", ")), which the storage lacks
    """
  }
}
