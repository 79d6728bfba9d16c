import EntiaSystemSQLite

/// The current row of a statement's result, valid until the statement is stepped, reset or
/// released.
///
/// Reading a column neither retains nor releases the statement.
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

  /// A value in SQLite's memory.
  enum Column {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
  }

  /// Returns a value, valid as long as the row.
  @inline(__always)
  func column(_ index: Int) -> Column {
    // `sqlite3_column_value` may be used, because one thread at a time uses the connection.
    Self.column(sqlite3_column_value(handle, Int32(index)))
  }

  /// Returns the value to which a pointer of SQLite leads. The result is valid as long as the
  /// pointer.
  @inline(__always)
  static func column(_ value: OpaquePointer?) -> Column {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = sqlite3_value_text(value)
      let count = bytes == nil ? 0 : Int(sqlite3_value_bytes(value))
      return .text(UnsafeRawBufferPointer(start: bytes, count: count))
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(value)
      let count = bytes == nil ? 0 : Int(sqlite3_value_bytes(value))
      return .blob(UnsafeRawBufferPointer(start: bytes, count: count))
    default: return .null
    }
  }

  /// Calls the closure with the bytes of a value.
  func withBytes<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let bytes = sqlite3_column_blob(handle, Int32(index))
    let count = Int(sqlite3_column_bytes(handle, Int32(index)))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Returns a value. A text that is not UTF-8 is repaired.
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

extension String {
  /// Whether the string was decoded from invalid UTF-8. It then has U+FFFD instead of some of the
  /// `bytes`.
  @inline(__always)
  func isRepaired(from bytes: UnsafeRawBufferPointer) -> Bool {
    // U+FFFD takes three bytes, and replaces at most three bytes. A repair that replaces fewer
    // bytes increases the number of bytes. A repair can replace three bytes only in a sequence of
    // four.
    utf8.count != bytes.count
      || Self.hasSequenceOfFour(bytes) && !utf8.elementsEqual(bytes)
  }

  /// Returns whether any of the bytes is the first byte of a sequence of four bytes.
  @inline(__always)
  private static func hasSequenceOfFour(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // `add` sets the highest bit of a byte in `found` if the four highest bits of that byte are
    // set.
    var found: UInt64 = 0
    func add(_ word: UInt64) { found |= word & word << 1 & word << 2 & word << 3 }
    let count = bytes.count
    if count >= 8 {
      for start in stride(from: 0, to: count - 8, by: 8) {
        add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      }
      // The last words may have bytes in common.
      add(bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    } else if count >= 4 {
      add(UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
      add(UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
    } else {
      for byte in bytes { add(UInt64(byte)) }
    }
    return found & 0x8080_8080_8080_8080 != 0
  }
}

/// A value as SQLite stores it.
///
/// Migrations read and write such values. `Bool` is `.integer(0)` or `.integer(1)`, a date is
/// `.real` with the seconds since 1 January 2001, and nested values are `.text` with JSON;
/// `MigrationRow.value(_:of:)` and `set(_:of:)` convert them.
public enum StoredValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A string.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// Whether two values have the same storage class and the same bytes. SQLite treats such values
  /// as one key.
  /// - Parameters:
  ///   - lhs: A value.
  ///   - rhs: Another value.
  /// - Returns: Whether both are the same.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
    // A comparison of strings takes two spellings of a character as equal.
    case (.text(let lhs), .text(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    default: false
    }
  }
}

extension StoredValue: CustomStringConvertible {
  /// The value in messages.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
