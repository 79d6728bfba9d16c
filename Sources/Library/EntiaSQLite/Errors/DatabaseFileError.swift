import EntiaDatabase
import EntiaSystemSQLite
import Foundation

/// An error of a database file. Each error names the file and the reason and, if they apply, the
/// table, the row and the column.
public enum DatabaseFileError: Error, Equatable, Sendable {
  /// Another connection, in this process or in another process, has the file open for writing. The
  /// description names the process that has the file open when the description is read.
  case isOpenElsewhere(file: String)
  /// The file has rows that this object has not loaded, and a save would remove them. Call `load()`
  /// first, or pass `replacing: true`.
  case notLoaded(file: String)
  /// The file lacks some tables of the storage. It also has non-empty tables that the storage does
  /// not declare, for example tables of an earlier program. A save would add empty tables. If
  /// tables were renamed, pass a migration; otherwise pass `replacing: true` to the first save.
  case tablesAreUnmatched(file: String, missing: [String], unclaimed: [String])
  /// A keeper saves the storage. A direct save and another keeper are therefore refused. Commit to
  /// the store, or release the keeper first.
  case isKept(file: String)
  /// Another `DatabaseFile` object has opened the storage with this name in the file.
  case nameIsInUse(file: String, name: String)
  /// Another keeper of the store saves the same part of its state.
  case partIsKept(file: String)
  /// The commits were not saved within the given time. They are still pending.
  case timedOut(file: String)
  /// The file has been closed.
  case isClosed(file: String)
  /// The file was opened read-only, or the system permits no writing.
  case isReadOnly(file: String)
  /// The call would wait for itself. It was made inside another call on the file, for example in
  /// the `encode(to:)` of a row during a save. Or it was made inside a commit, and another call on
  /// the file waits for this commit.
  case isBusy(file: String)
  /// Another program has removed or replaced the open file or its log, for example to restore a
  /// backup. Nothing is saved. Close the file. To save the database in memory, open the path again
  /// and save with `replacing: true`.
  case isReplaced(file: String)
  /// The file or its folder cannot be opened, or another program has renamed or removed a table.
  case cannotOpen(file: String, reason: String)
  /// Another connection has locked the file. The same call may succeed later.
  case isLocked(file: String)
  /// The file is open with shared access, and only a `DatabaseSharing` may write it. A direct save
  /// is refused.
  case isShared(file: String)
  /// The disk is full. Nothing was changed.
  case isFull(file: String)
  /// The file is a SQLite database of another program. `entia import` reads it.
  case isForeign(file: String)
  /// The file was written by a newer version of the program or of Entia.
  case isNewer(file: String, reason: String)
  /// The file is not a SQLite database.
  case isNoDatabase(file: String)
  /// The contents of the file are wrong: a part of the database is unreadable, a table does not
  /// have the rows that were saved, or the file is empty. Or the file is missing, although its log
  /// exists.
  case isDamaged(file: String, reason: String)
  /// The entities of a table, or their IDs, are not `Codable`.
  case notCodable(file: String, table: String, type: String)
  /// A row cannot be stored.
  case cannotEncode(file: String, table: String, row: String, column: String?, reason: String)
  /// A row cannot be read.
  case cannotDecode(file: String, table: String, row: String, column: String?, reason: String)
  /// A migration failed, and none was applied.
  case cannotMigrate(
    file: String, migration: String, table: String?, row: String?, reason: String)
  /// The file needs migrations and was opened read-only.
  case needsMigration(file: String, migrations: [String])
  /// The rows in the file violate rules of the storage.
  case refused(file: String, reasons: [String])
  /// SQLite reported another error, with its extended result code.
  case failed(file: String, code: Int32, reason: String)
}

extension DatabaseFileError: CustomStringConvertible {
  /// A sentence that names the file, the table, row and column, and the reason.
  public var description: String {
    switch self {
    case .isOpenElsewhere(let file) where FileIdentity(file) == nil:
      """
      \(file) was removed while it is open for writing \(Self.place(ofUser: file)): close it there
      """
    case .isOpenElsewhere(let file):
      """
      \(file) is open for writing \(Self.place(ofUser: file)): close it there, open it with \
      isReadOnly: true, or open it with access: .shared in both
      """
    case .notLoaded(let file):
      """
      \(file) has rows that have not been loaded, and saving would remove them: call load() first, \
      or pass replacing: true
      """
    case .tablesAreUnmatched(let file, let missing, let unclaimed):
      """
      \(file): \(UnmatchedTables(missing: missing, unclaimed: unclaimed)): if tables were renamed, \
      open it with the migration renamingTable(_:to:); if not, pass replacing: true to the first \
      save, or to keep(_:in:)
      """
    case .isKept(let file):
      """
      \(file) is saved by a keeper: commit to its store, or release the keeper first
      """
    case .nameIsInUse(let file, let name):
      """
      \(file) has an open object of the storage \"\(name)\": use that one, or another name
      """
    case .partIsKept(let file):
      """
      \(file) cannot keep this part of the state, because another keeper of the store saves it: \
      release that keeper first
      """
    case .timedOut(let file): "\(file) was not saved in time: what was committed is still pending"
    case .isClosed(let file): "\(file) has been closed"
    case .isReadOnly(let file):
      """
      \(file) cannot be written: it was opened for reading only, or the system permits no writing
      """
    case .isBusy(let file):
      """
      \(file) is in use by a call in which this one was made, or which waits for it: make it later
      """
    case .isReplaced(let file):
      """
      \(file) or its log has been removed or replaced by another program, and nothing was saved: close \
      it, and open it again to load what is there now, or to save with replacing: true
      """
    case .cannotOpen(let file, let reason): "\(file) cannot be opened: \(reason)"
    case .isLocked(let file): "\(file) is locked by another connection: try again later"
    case .isShared(let file):
      """
      \(file) is open with access: .shared: share a part of a store through it, with \
      store.share(_:through:)
      """
    case .isFull(let file): "\(file): its disk is full, and nothing was changed"
    case .isForeign(let file):
      """
      \(file) is a SQLite database of another program, and was not changed: `entia import` reads it
      """
    case .isNoDatabase(let file): "\(file) is not a SQLite database, and was not changed"
    case .isNewer(let file, let reason): "\(file) was written by a newer program: \(reason)"
    case .isDamaged(let file, let reason): "\(file) is damaged: \(reason)"
    case .notCodable(let file, let table, let type):
      "\(file): \(type), in table \(table), is not Codable"
    case .cannotEncode(let file, let table, let row, let column, let reason):
      "\(file): \(Self.place(table, row, column)) cannot be stored: \(reason)"
    case .cannotDecode(let file, let table, let row, let column, let reason):
      "\(file): \(Self.place(table, row, column)) cannot be read: \(reason)"
    case .cannotMigrate(let file, let migration, let table, let row, let reason):
      """
      \(file) cannot be migrated, and is unchanged: migration \"\(migration)\"\
      \(row.map { ", row \($0)" } ?? "")\(table.map { ", table \($0)" } ?? ""): \(reason)
      """
    case .needsMigration(let file, let migrations):
      """
      \(file) needs migrations, and is open for reading only: open it for writing once \
      (\(migrations.joined(separator: ", ")))
      """
    case .refused(let file, let reasons):
      "\(file): the rows violate rules: \(reasons.firstDescriptions)"
    case .failed(let file, let code, let reason): "\(file): \(reason) (SQLite's code \(code))"
    }
  }

  /// Returns the phrase for the place where a file is open for writing.
  private static func place(ofUser file: String) -> String {
    guard let process = FileLock.user(of: file)?.process else {
      return "elsewhere, in this process or another one"
    }
    return process == getpid() ? "elsewhere in this process (\(process))" : "in process \(process)"
  }

  private static func place(_ table: String, _ row: String, _ column: String?) -> String {
    "row \(row) of \(table)" + (column.map { ", column \($0)," } ?? "")
  }
}

/// The reason why a migration cannot be applied, without the path of the file.
struct MigrationFailure: Error {
  var migration = ""
  let table: String?
  let row: String?
  let reason: String

  init(table: String? = nil, row: String? = nil, reason: String) {
    self.table = table
    self.row = row
    self.reason = reason
  }

  /// Creates the failure for an error that a migration's code threw.
  init(table: String? = nil, row: String? = nil, _ error: any Error) {
    switch error {
    case is DecodingError, is EncodingError:
      let failure = RowFailure(.decoding, table: table ?? "", row: row ?? "", error)
      let place = failure.column.map { "\($0): " } ?? ""
      self.init(table: table, row: row, reason: place + failure.reason)
    default: self.init(table: table, row: row, reason: "\(error)")
    }
  }

  /// Returns the error for a failed migration. An error that the file or the disk caused is
  /// returned unchanged.
  static func describing(_ error: any Error, in migration: String) -> any Error {
    switch error {
    case is DatabaseFileError: return error
    case let failure as SQLiteFailure where failure.isOfFile: return error
    default:
      var failure = (error as? MigrationFailure) ?? MigrationFailure(error)
      failure.migration = migration
      return failure
    }
  }

  func inFile(_ file: String) -> DatabaseFileError {
    .cannotMigrate(file: file, migration: migration, table: table, row: row, reason: reason)
  }
}

extension SQLiteFailure {
  /// Whether the file or the system caused the error, and not a statement or its values.
  fileprivate var isOfFile: Bool {
    ![SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE]
      .contains(primaryCode)
  }
}

extension DatabaseFileError {
  /// Creates the error for a failure that SQLite reported.
  init(_ failure: SQLiteFailure, file: String) {
    switch failure.primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .isLocked(file: file)
    case SQLITE_FULL: self = .isFull(file: file)
    case SQLITE_READONLY where Self.unfinished.contains(failure.code):
      self = .cannotOpen(
        file: file,
        reason: """
          a process ended while it wrote the file: open it for writing once, as \
          `sqlite3 FILE .tables` does
          """)
    case SQLITE_READONLY: self = .isReadOnly(file: file)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self = .cannotOpen(file: file, reason: failure.message)
    case SQLITE_NOTADB where !Self.isDatabase(file): self = .isNoDatabase(file: file)
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .isDamaged(file: file, reason: failure.message)
    case SQLITE_ERROR where failure.code == Self.missingCollation:
      self = .failed(
        file: file, code: failure.code,
        reason: """
          \(failure.message): a table or an index is sorted by it, which only the program that \
          made it can do
          """)
    default: self = .failed(file: file, code: failure.code, reason: failure.message)
    }
  }

  /// `SQLITE_ERROR_MISSING_COLLSEQ`, a macro that is not imported.
  private static let missingCollation = SQLITE_ERROR | 1 << 8

  /// The codes of a file that SQLite must recover before it can read the file. They are the macros
  /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_ROLLBACK`, which Swift does not import.
  private static let unfinished = [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8]

  /// The first bytes of each SQLite database.
  static let magic = Array("SQLite format 3\0".utf8)

  /// Returns whether a file begins with the magic bytes of a database.
  private static func isDatabase(_ path: String) -> Bool {
    SQLiteConnection.header(of: path).starts(with: magic)
  }
}

/// The reason why a row cannot be stored or read, without the path of the file.
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

  /// The reason why a row is not in the file after its insertion.
  static let ignored = "the file did not accept the row: a trigger of another program ignored it"

  /// Creates the failure for an error that the code of a row threw.
  init(_ access: Access, table: String, row: String, _ error: any Error) {
    let context: (path: [any CodingKey], reason: String) =
      switch error {
      case DecodingError.keyNotFound(let key, let context) where !context.codingPath.isEmpty:
        (context.codingPath, "it has no member \(key.stringValue)")
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
