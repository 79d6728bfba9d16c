/// The reading of one version of a file in several turns. During a turn, one call has exclusive use
/// of the file's connection.
///
/// Rows are decoded between the turns, because the code of a row may also call the file. A reading
/// does not block saves. If the file has changed, the next turn fails, and the reading has to begin
/// again.
final class FileReading {
  /// The error if the file has changed since the first turn of the reading.
  struct FileChanged: Error {}

  private let session: FileSession
  /// The connection, if the caller has the turn from the start to the end of the reading.
  private let connection: SQLiteConnection?
  private var version: FileVersion?
  /// The statement whose rows are being read.
  private var statement: ActiveStatement?
  /// The table of the rows that are being read.
  // Weak, because the table's statements have to be released when the file is closed.
  private weak var table: PartTable?
  private var columnCount = 0
  /// Whether the statement has begun to read one version of the file.
  private var hasRows = false

  /// Creates a reading.
  /// - Parameters:
  ///   - session: The file.
  ///   - connection: The connection, if the caller has the turn from the start to the end of the
  ///     reading.
  init(_ session: FileSession, inTurnWith connection: SQLiteConnection? = nil) {
    self.session = session
    self.connection = connection
  }

  deinit {
    if let statement { session.abandon(statement) }
  }

  /// Waits for exclusive use of the connection (the turn), and runs a body with the connection.
  /// - Throws: `FileChanged`; `DatabaseFileError`: `isBusy`, `isClosed`; the errors of the body.
  func withTurn<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if let connection { return try body(connection) }
    return try session.withTurn { connection in
      let now = try session.version(on: connection)
      if let version, version != now { throw FileChanged() }
      version = now
      return try body(connection)
    }
  }

  /// Checks that the file has not changed since the reading began. Called inside `withTurn(_:)`.
  /// - Throws: `FileChanged`; `SQLiteFailure`.
  func requireUnchanged(on connection: SQLiteConnection) throws {
    guard let version else { return }
    if try version != session.version(on: connection) { throw FileChanged() }
  }

  /// Begins to read the rows of a table. Called inside `withTurn(_:)`.
  /// - Parameters:
  ///   - rows: The statement that reads the rows, and the number of their columns.
  ///   - table: The table, to which the statement is returned after the last row.
  func begin(_ rows: PartTable.Reading, of table: PartTable) {
    statement = session.activate(rows.statement)
    columnCount = rows.columnCount
    self.table = table
    hasRows = false
  }

  /// Replaces the rows of a chunk by the next ones of the statement.
  /// - Returns: Whether there may be more rows.
  /// - Throws: `FileChanged`; `DatabaseFileError`; `SQLiteFailure`.
  func fill(_ chunk: RowChunk) throws -> Bool {
    if hasRows, connection == nil {
      // The version of the file is not checked again. A statement reads one version of the file up
      // to its last row, and a change by this process ends the statement.
      return try session.withTurn { try fill(chunk, on: $0) }
    }
    return try withTurn { try fill(chunk, on: $0) }
  }

  private func fill(_ chunk: RowChunk, on connection: SQLiteConnection) throws -> Bool {
    guard let active = statement, let rows = active.statement else { throw FileChanged() }
    hasRows = true
    let hasMore = try connection.takenRows().fill(chunk, from: rows, columnCount: columnCount)
    if !hasMore {
      session.end(active)
      statement = nil
      table?.keepReading(rows)
      table = nil
    }
    return hasMore
  }
}

/// A version of the contents of a file.
struct FileVersion: Equatable {
  /// The number of changes by this process.
  let changes: Int
  /// A number that changes with each change by other connections.
  let changesElsewhere: Int64
}

/// A statement whose rows a `FileReading` reads.
final class ActiveStatement: @unchecked Sendable {
  // Unchecked because only the call with exclusive use of the connection uses the statement.
  /// The statement; `nil` once the file has changed.
  fileprivate(set) var statement: SQLiteStatement?

  init(_ statement: SQLiteStatement) { self.statement = statement }

  /// Releases the statement. The caller has exclusive use of the connection.
  func end() { statement = nil }
}
