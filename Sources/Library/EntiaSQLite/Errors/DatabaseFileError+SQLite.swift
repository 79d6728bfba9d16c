import EntiaSystemSQLite
import Foundation

extension DatabaseFileError {
  /// Creates the error for one that SQLite reported.
  init(_ failure: SQLiteFailure, file: String) {
    switch failure.primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .isLocked(file: file)
    case SQLITE_FULL: self = .isFull(file: file)
    case SQLITE_READONLY where Self.unfinished.contains(failure.code):
      self = .cannotOpen(
        file: file,
        reason: "a process ended while it wrote the file: open it for writing once")
    case SQLITE_READONLY: self = .isReadOnly(file: file)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self = .cannotOpen(file: file, reason: failure.message)
    case SQLITE_NOTADB where !Self.isDatabase(file): self = .isNoDatabase(file: file)
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .isDamaged(file: file, reason: failure.message)
    default: self = .failed(file: file, code: failure.code, reason: failure.message)
    }
  }

  /// The codes for a file that must be recovered before it is read: `SQLITE_READONLY_RECOVERY` and
  /// `SQLITE_READONLY_ROLLBACK`, macros that are not imported.
  private static let unfinished = [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8]

  /// The first bytes of each SQLite database.
  static let magic = Array("SQLite format 3\0".utf8)

  /// Returns whether a file begins like a database.
  private static func isDatabase(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { file.closeFile() }
    return file.readData(ofLength: magic.count).elementsEqual(magic)
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
