import EntiaSystemSQLite

/// A prepared statement.
///
/// Every value is bound; none is ever a part of the SQL.
package final class SQLiteStatement {
  private let handle: OpaquePointer?
  private let connection: SQLiteConnection
  /// Whether the statement has been stepped since it was reset.
  private var isActive = false

  /// Prepares a statement.
  /// - Throws: `SQLiteFailure`.
  init(_ sql: String, on connection: SQLiteConnection, isKept: Bool) throws(SQLiteFailure) {
    var handle: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection.handle) }
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds a value to the parameter with an index, starting at 0. The value is copied.
  /// - Throws: `SQLiteFailure`, such as for a value that is too large.
  package func bind(_ value: StoredValue, at index: Int) throws(SQLiteFailure) {
    let parameter = Int32(index + 1)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, parameter)
    case .integer(let number): code = sqlite3_bind_int64(handle, parameter, number)
    case .real(let number): code = sqlite3_bind_double(handle, parameter, number)
    case .text(var text):
      code = text.withUTF8 { bytes in
        // An empty string may have no address, which would be NULL.
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          let start = bytes.baseAddress
          return withExtendedLifetime(bytes) {
            sqlite3_bind_text64(
              handle, parameter, start ?? Self.nothing, UInt64(bytes.count), Self.copied,
              UInt8(SQLITE_UTF8))
          }
        }
      }
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

  /// Resets the statement, so that it can run again. The bound values stay.
  package func reset() {
    if isActive { sqlite3_reset(handle) }
    isActive = false
  }

  /// The number of columns of the result.
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Returns the name of a column of the result.
  func columnName(at index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }

  /// The storage class of a value in the current row.
  enum Kind { case null, integer, real, text, blob }

  /// Returns the storage class of a value in the current row.
  func kind(at index: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns an integer of the current row.
  package func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

  /// Returns a floating-point number of the current row.
  func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

  /// Returns a string of the current row. Bytes that are not UTF-8 are repaired.
  package func text(at index: Int) -> String {
    guard let bytes = sqlite3_column_text(handle, Int32(index)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Calls the closure with the bytes of a value of the current row.
  func withBytes<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = sqlite3_column_blob(handle, Int32(index))
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Returns a value of the current row.
  package func value(at index: Int) -> StoredValue {
    switch kind(at: index) {
    case .null: .null
    case .integer: .integer(integer(at: index))
    case .real: .real(real(at: index))
    case .text: .text(text(at: index))
    case .blob: .blob(withBytes(at: index) { [UInt8]($0) })
    }
  }

  /// The instruction to copy what is bound.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// The address of an empty string.
  nonisolated(unsafe) private static let nothing: UnsafePointer<CChar> = {
    let place = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    place.initialize(to: 0)
    return UnsafePointer(place)
  }()
}
