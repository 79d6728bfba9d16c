import EntiaSystemSQLite

/// A prepared statement.
///
/// Every value is bound; none is ever a part of the SQL.
package final class SQLiteStatement {
  private let handle: OpaquePointer?
  private let connection: SQLiteConnection
  /// The largest size in bytes of a text that is bound without an allocation by SQLite.
  private static let shortText = 64
  /// The memory of the bound short texts, by parameter.
  private let shortTexts: UnsafeMutableRawPointer
  private let parameterCount: Int
  /// Whether the statement has been stepped since it was reset.
  @exclusivity(unchecked) private var isActive = false

  /// Prepares a statement.
  /// - Throws: `SQLiteFailure`.
  init(_ sql: String, on connection: SQLiteConnection, isKept: Bool) throws(SQLiteFailure) {
    var handle: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection.handle) }
    self.handle = handle
    self.connection = connection
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
    shortTexts = .allocate(byteCount: parameterCount * Self.shortText, alignment: 1)
  }

  deinit {
    sqlite3_finalize(handle)
    shortTexts.deallocate()
  }

  /// Binds a value to the parameter with an index, starting at 0. The value is copied.
  /// - Throws: `SQLiteFailure`, such as for a value that is too large.
  package func bind(_ value: StoredValue, at index: Int) throws(SQLiteFailure) {
    let parameter = Int32(index + 1)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, parameter)
    case .integer(let number): return try bind(number, at: index)
    case .real(let number): code = sqlite3_bind_double(handle, parameter, number)
    case .text(let text):
      code =
        text.utf8.withContiguousStorageIfAvailable { bind($0, at: index) }
        ?? Array(text.utf8).withUnsafeBufferPointer { bind($0, at: index) }
    case .blob(let bytes):
      code = bytes.withUnsafeBytes { bytes in
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, parameter, 0)
          : sqlite3_bind_blob64(
            handle, parameter, bytes.baseAddress, UInt64(bytes.count), Self.copied)
      }
    }
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection.handle) }
  }

  /// Binds a value of a row to the parameter with an index, starting at 0. Texts and blobs are not
  /// copied, so the row's chunk must be unchanged while the statement runs.
  /// - Throws: `SQLiteFailure`, such as for a value that is too large.
  func bind(_ row: ChunkRow, _ column: Int, at index: Int) throws(SQLiteFailure) {
    let parameter = Int32(index + 1)
    let code: Int32
    switch row.kind(at: column) {
    case .null: code = sqlite3_bind_null(handle, parameter)
    case .integer: code = sqlite3_bind_int64(handle, parameter, row.integer(at: column))
    case .real: code = sqlite3_bind_double(handle, parameter, row.real(at: column))
    case .text:
      let text = row.bytes(at: column)
      code = sqlite3_bind_text64(
        handle, parameter, text.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    case .blob:
      let blob = row.bytes(at: column)
      code = sqlite3_bind_blob64(handle, parameter, blob.baseAddress, UInt64(blob.count), nil)
    }
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection.handle) }
  }

  /// Binds an integer to the parameter with an index, starting at 0.
  /// - Throws: `SQLiteFailure`.
  func bind(_ number: Int64, at index: Int) throws(SQLiteFailure) {
    let code = sqlite3_bind_int64(handle, Int32(index + 1), number)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection.handle) }
  }

  /// Binds a text. A short text is copied into the statement's own memory, so that SQLite allocates
  /// none for it.
  private func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int32 {
    let isShort = text.count <= Self.shortText && index < parameterCount
    var start = UnsafeRawPointer(text.baseAddress)
    if isShort {
      let place = shortTexts + index * Self.shortText
      if let start { place.copyMemory(from: start, byteCount: text.count) }
      start = UnsafeRawPointer(place)
    }
    return sqlite3_bind_text64(
      handle, Int32(index + 1), start?.assumingMemoryBound(to: CChar.self), UInt64(text.count),
      isShort ? nil : Self.copied, UInt8(SQLITE_UTF8))
  }

  /// Runs the statement to its next row.
  /// - Returns: Whether there is a row.
  /// - Throws: `SQLiteFailure`; the statement is then reset.
  package func step() throws(SQLiteFailure) -> Bool {
    isActive = true
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let failure = SQLiteFailure(code, on: connection.handle)
      reset()
      throw failure
    }
  }

  /// Runs a statement without results, and resets it.
  /// - Throws: `SQLiteFailure`.
  package func run() throws(SQLiteFailure) {
    _ = try step()
    reset()
  }

  /// Binds values to the parameters, and runs the statement.
  /// - Throws: `SQLiteFailure`.
  package func run(_ values: [StoredValue]) throws(SQLiteFailure) {
    for (index, value) in values.enumerated() { try bind(value, at: index) }
    try run()
  }

  /// Resets the statement, so that it can run again. The bound values stay.
  package func reset() {
    if isActive { sqlite3_reset(handle) }
    isActive = false
  }

  /// The SQL of the statement.
  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// The number of columns of the result.
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The current row.
  var row: SQLiteRow { SQLiteRow(handle: handle) }

  /// Returns the storage class of a value in the current row.
  func kind(at index: Int) -> SQLiteRow.Kind { row.kind(at: index) }

  /// Returns an integer of the current row.
  package func integer(at index: Int) -> Int64 { row.integer(at: index) }

  /// Returns a string of the current row. Bytes that are not UTF-8 are repaired.
  package func text(at index: Int) -> String { row.text(at: index) }

  /// Returns a value of the current row.
  package func value(at index: Int) -> StoredValue { row.value(at: index) }

  /// Instructs SQLite to copy the bound bytes.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
