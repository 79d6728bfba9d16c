import EntiaSystemSQLite

/// The current row of a statement's result, valid until the statement is stepped, reset or released.
///
/// Reading a column of it neither retains nor releases the statement.
struct SQLiteRow {
  /// The statement; without one, all values are NULL.
  private let handle: OpaquePointer?

  /// A row whose values are NULL.
  static var none: SQLiteRow { SQLiteRow(handle: nil) }

  init(handle: OpaquePointer?) { self.handle = handle }

  /// The storage class of a value.
  enum Kind { case null, integer, real, text, blob }

  /// Returns the storage class of a value.
  func kind(at index: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns an integer.
  func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

  /// Returns a floating-point number.
  func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

  /// Returns a string. Bytes that are not UTF-8 are repaired.
  func text(at index: Int) -> String {
    guard let bytes = sqlite3_column_text(handle, Int32(index)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Calls the closure with the bytes of a text.
  func withText<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = sqlite3_column_text(handle, Int32(index))
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Calls the closure with the bytes of a value.
  func withBytes<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = sqlite3_column_blob(handle, Int32(index))
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Returns a value.
  func value(at index: Int) -> StoredValue {
    switch kind(at: index) {
    case .null: .null
    case .integer: .integer(integer(at: index))
    case .real: .real(real(at: index))
    case .text: .text(text(at: index))
    case .blob: .blob(withBytes(at: index) { [UInt8]($0) })
    }
  }
}
