/// The names of tables and columns in SQL.
///
/// A name is stored unchanged, so that other programs can query the file. SQLite ignores the case
/// of ASCII letters in names, and reserves some names. A name that is reserved or already taken is
/// stored in an escaped form: `entia_name_`, followed by the name with `^` before each capital
/// letter, `^^` for `^` and `^0` for NUL.
enum SQLName {
  private static let prefix = "entia_name_"

  /// The name of the column of rows that do not encode themselves as objects.
  static let wholeRow = "entia_row"

  /// Returns the name that a table or column has in the file.
  /// - Parameters:
  ///   - name: The name in Swift.
  ///   - taken: The other names in the file, in lower case.
  static func stored(_ name: String, taken: Set<String>) -> String {
    let lowered = lowercased(name)
    let isReserved =
      name.isEmpty || name.utf8.contains(0) || lowered.utf8.starts(with: "sqlite_".utf8)
      || lowered.utf8.starts(with: "entia_".utf8)
    if (!isReserved && !taken.contains(lowered)) || name == wholeRow { return name }
    var bytes = Array(prefix.utf8)
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes += [UInt8(ascii: "^"), byte]
      case UInt8(ascii: "^"): bytes += Array("^^".utf8)
      case 0: bytes += Array("^0".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the name that a table or column of the file has in Swift.
  static func original(_ stored: String) -> String {
    guard stored.utf8.starts(with: prefix.utf8) else { return stored }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in stored.utf8.dropFirst(prefix.utf8.count) {
      if !isEscaped, byte == UInt8(ascii: "^") {
        isEscaped = true
        continue
      }
      bytes.append(isEscaped && byte == UInt8(ascii: "0") ? 0 : byte)
      isEscaped = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a name with lowercase ASCII letters, as SQLite compares names.
  static func lowercased(_ name: String) -> String {
    String(
      decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Returns a name as a quoted identifier.
  ///
  /// The name must not contain NUL, which ends a statement.
  static func quoted(_ name: String) -> String {
    let quote = UInt8(ascii: "\"")
    var bytes = [quote]
    // Bytes are compared, because a quote followed by a combining mark is a different `Character`.
    for byte in name.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
  }
}
