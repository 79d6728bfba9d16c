import EntiaSystemSQLite

extension DatabaseFileError {
  /// Creates the error for one that SQLite reported.
  init(_ failure: SQLiteFailure, file: String) {
    switch failure.primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .isLocked(file: file)
    case SQLITE_FULL: self = .isFull(file: file)
    case SQLITE_READONLY: self = .isReadOnly(file: file)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self = .cannotOpen(file: file, reason: failure.message)
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .isDamaged(file: file, reason: failure.message)
    default: self = .failed(file: file, code: failure.code, reason: failure.message)
    }
  }
}

/// A row that cannot be stored or read. The file is not known where it is thrown.
struct RowFailure: Error {
  /// The kind of access.
  enum Access { case encoding, decoding }

  let access: Access
  let table: String
  let row: String
  let column: String?
  let reason: String

  init(_ access: Access, table: String, row: String, column: String? = nil, reason: String) {
    self.access = access
    self.table = table
    self.row = row
    self.column = column
    self.reason = reason
  }

  /// Creates the failure for an error that the code of a row threw.
  init(_ access: Access, table: String, row: String, _ error: any Error) {
    let context: (path: [any CodingKey], reason: String) =
      switch error {
      case DecodingError.keyNotFound(let key, let context):
        (context.codingPath + [key], context.debugDescription)
      case DecodingError.valueNotFound(_, let context):
        (context.codingPath, "it has no value; \(context.debugDescription)")
      case DecodingError.typeMismatch(_, let context):
        (context.codingPath, context.debugDescription)
      case DecodingError.dataCorrupted(let context): (context.codingPath, context.debugDescription)
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      default: ([], "\(error)")
      }
    let names = context.path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    self.init(
      access, table: table, row: row, column: names.isEmpty ? nil : names.joined(separator: "."),
      reason: context.reason)
  }

  func inFile(_ file: String) -> DatabaseFileError {
    switch access {
    case .encoding:
      .cannotEncode(file: file, table: table, row: row, column: column, reason: reason)
    case .decoding:
      .cannotDecode(file: file, table: table, row: row, column: column, reason: reason)
    }
  }
}
