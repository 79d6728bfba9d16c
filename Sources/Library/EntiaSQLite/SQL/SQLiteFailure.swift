import EntiaSystemSQLite

/// An error that SQLite reported.
package struct SQLiteFailure: Error, Equatable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  /// SQLite's message.
  let message: String

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xFF }

  /// Whether a row was not written because another one has its ID: `SQLITE_CONSTRAINT_PRIMARYKEY`
  /// and `SQLITE_CONSTRAINT_ROWID`, macros that are not imported.
  var isRepeatedID: Bool {
    code == SQLITE_CONSTRAINT | 6 << 8 || code == SQLITE_CONSTRAINT | 10 << 8
  }

  package var description: String { "\(message) (SQLite's code \(code))" }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the error that a connection reported last.
  init(_ code: Int32, on connection: OpaquePointer?) {
    guard let connection else {
      self.init(code: code, message: String(cString: sqlite3_errstr(code)))
      return
    }
    let extended = sqlite3_extended_errcode(connection)
    // The connection may already have reported something else.
    guard extended & 0xFF == code & 0xFF else {
      self.init(code: code, message: String(cString: sqlite3_errstr(code)))
      return
    }
    self.init(code: extended, message: String(cString: sqlite3_errmsg(connection)))
  }
}
