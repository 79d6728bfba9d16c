/// A value as SQLite stores it.
enum StoredValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Whether both have the same storage class and the same bytes, so that they are one key in SQLite.
  static func == (lhs: Self, rhs: Self) -> Bool {
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
  /// The value as in messages.
  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
