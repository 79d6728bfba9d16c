import EntiaSystemSQLite

/// A number of SQLite about a file. Its statement stays prepared.
struct FileNumber {
  private let sql: String
  // A `SQLiteStatement` would retain the connection that owns the number.
  private var statement: OpaquePointer?

  /// Creates a number.
  /// - Parameter sql: The statement, whose result has one row.
  init(_ sql: String) { self.sql = sql }

  /// Returns the present number.
  /// - Throws: `SQLiteFailure`.
  mutating func read(on connection: OpaquePointer?) throws(SQLiteFailure) -> Int64 {
    if statement == nil {
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
      if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
    }
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    if code != SQLITE_ROW { throw SQLiteFailure(code, on: connection) }
    return sqlite3_column_int64(statement, 0)
  }

  /// Releases the statement. The next reading prepares it again.
  mutating func release() {
    sqlite3_finalize(statement)
    statement = nil
  }
}
