/// A value as SQLite stores it.
///
/// Migrations read and write such values. `Bool` is `.integer(0)` or `.integer(1)`, a date is
/// `.real` with the seconds since 1 January 2001, and nested values are `.text` with JSON;
/// `MigrationRow.value(_:of:)` and `set(_:of:)` convert them.
public enum StoredValue: Equatable, Sendable {
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

  /// Whether both have the same storage class and the same bytes, so that they are one key in
  /// SQLite.
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
