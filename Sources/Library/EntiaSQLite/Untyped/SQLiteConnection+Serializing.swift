import EntiaSystemSQLite

extension SQLiteConnection {
  /// Calls the closure with the bytes of a file of the database.
  /// - Throws: `SQLiteFailure`; the error of the closure.
  /// - Complexity: O(size of the database).
  package func withFileBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    var count: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
      throw SQLiteFailure(SQLITE_NOMEM, on: nil)
    }
    defer { sqlite3_free(bytes) }
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}
