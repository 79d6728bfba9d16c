import EntiaSystemSQLite

/// Rows that statements of a connection copy into a chunk.
///
/// A function in the condition of the statement copies the row. The statement stops only when the
/// chunk is full: stopping at each row, and looking up each column of it, takes longer than to copy
/// it.
final class TakenRows {
  private static let name = "entia_take"
  /// The number of columns that one call of the function copies. SQLite passes a function no more
  /// than 100 values by default in some versions.
  private static let columnLimit = 90

  /// The chunk of the statement under way. Plain words, so that copying a value retains nothing.
  fileprivate struct Reading {
    var chunk: Unmanaged<RowChunk>?
    var columnCount = 0
  }

  private let reading = UnsafeMutablePointer<Reading>.allocate(capacity: 1)

  /// Creates the function of a connection, which must be closed before the object is released.
  /// - Throws: `SQLiteFailure`.
  init(_ connection: OpaquePointer?) throws(SQLiteFailure) {
    reading.initialize(to: Reading())
    // Neither a view nor a trigger may call it.
    let code = sqlite3_create_function_v2(
      connection, Self.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, reading,
      { TakenRows.take($0, $1, $2) }, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
  }

  deinit {
    reading.deinitialize(count: 1)
    reading.deallocate()
  }

  /// Returns the statement that copies the rows of a source.
  /// - Parameters:
  ///   - columns: The columns in SQL, at least one.
  ///   - source: The source in SQL.
  static func sql(_ columns: [String], from source: String) -> String {
    // The next call takes the number of the columns that were copied from the one before.
    let call = stride(from: 0, to: columns.count, by: columnLimit).reduce("0") { copied, start in
      let next = columns[start..<min(start + columnLimit, columns.count)]
      return "\(name)(\(copied), \(next.joined(separator: ", ")))"
    }
    return "SELECT 1 FROM \(source) WHERE \(call)"
  }

  /// Replaces the rows of a chunk by the next ones of a statement.
  /// - Parameters:
  ///   - statement: The statement.
  ///   - chunk: The chunk.
  ///   - columnCount: The number of the columns.
  /// - Returns: Whether the statement may have more rows.
  /// - Throws: `SQLiteFailure`.
  func fill(
    _ chunk: RowChunk, from statement: SQLiteStatement, columnCount: Int
  ) throws(SQLiteFailure) -> Bool {
    chunk.removeAll()
    reading.pointee = Reading(chunk: .passUnretained(chunk), columnCount: columnCount)
    defer { reading.pointee = Reading() }
    return try statement.step()
  }

  /// Copies columns of a row: the number of the columns that were copied before and the next values
  /// are passed. The result is the number of columns so far or, after the last one, whether the
  /// statement stops.
  private static func take(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let values, count > 1,
      let reading = sqlite3_user_data(context)?.assumingMemoryBound(to: Reading.self),
      let chunk = reading.pointee.chunk
    else { return }
    let total = reading.pointee.columnCount
    let start = Int(sqlite3_value_int64(values[0]))
    let end = start + Int(count) - 1
    // Only statements of this type call the function, and with these numbers.
    guard start >= 0, end <= total else { return }
    let isFull = chunk._withUnsafeGuaranteedRef { chunk in
      if start == 0 { chunk.addRow(columnCount: total) }
      chunk.set(UnsafePointer(values + 1), start..<end)
      return chunk.isFull
    }
    sqlite3_result_int64(context, end < total ? Int64(end) : isFull ? 1 : 0)
  }
}
