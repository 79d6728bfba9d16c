import EntiaSystemSQLite
import Foundation

extension SQLiteConnection {
  /// Creates an empty database that only its owner can read, unless the file exists.
  ///
  /// The file has its first page from the start. A file of 0 bytes therefore has lost its content.
  /// - Returns: Whether the file was created.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.cannotOpen`.
  static func createFile(at path: String) throws -> Bool {
    if FileIdentity(path) != nil { return false }
    let page = try emptyDatabase()
    let draft = "\(path)-new-\(UUID().uuidString)"
    do {
      try create(draft, page)
      defer { unlink(draft) }
      if link(draft, path) == 0 { return true }
      if errno == EEXIST {
        guard FileIdentity(path) != nil else {
          throw DatabaseFileError.cannotOpen(
            file: path, reason: "it is a link that leads to no file")
        }
        return false
      }
      // The file system does not support links.
      try create(path, page)
      return true
    } catch let failure as CreatingFailure {
      if failure.code == EEXIST { return false }
      throw DatabaseFileError.cannotOpen(file: path, reason: failure.reason)
    }
  }

  /// Checks that an existing file is not empty, and that a missing one has left no log.
  /// - Throws: `DatabaseFileError`: `isDamaged`; `isOpenElsewhere` if a process still has the
  ///   missing file open.
  static func requireContent(_ path: String) throws {
    let log = "\(path)-wal"
    if FileIdentity(path) == nil, let left = FileIdentity(log), left.size > 0 {
      if FileLock.user(of: path) != nil { throw DatabaseFileError.isOpenElsewhere(file: path) }
      // SQLite would apply the log to a new file.
      throw DatabaseFileError.isDamaged(
        file: path,
        reason: """
          it is missing, and its log \(log) is there: put the file back, or remove the log to begin \
          anew
          """)
    }
    guard let file = FileIdentity(path), file.isRegular, file.size == 0 else { return }
    throw DatabaseFileError.isDamaged(
      file: path,
      reason: "it has lost its content (0 bytes): restore a backup, or remove it to begin anew")
  }

  /// An error of the system.
  private struct CreatingFailure: Error {
    let code: Int32
    var reason: String { String(cString: strerror(code)) }
  }

  private static func create(_ path: String, _ content: [UInt8]) throws(CreatingFailure) {
    let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
    if descriptor < 0 { throw CreatingFailure(code: errno) }
    let count = content.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    var code = count == content.count ? 0 : count < 0 ? errno : ENOSPC
    if code == 0, fsync(descriptor) != 0 { code = errno }
    Foundation.close(descriptor)
    if code == 0 { return }
    unlink(path)
    throw CreatingFailure(code: code)
  }

  /// Returns the bytes of a database without tables.
  private static func emptyDatabase() throws -> [UInt8] {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    try connection.execute("BEGIN IMMEDIATE; COMMIT")
    return try connection.withFileBytes { Array($0) }
  }
}

extension SQLiteConnection {
  /// Copies the database into a new file by SQLite's own backup.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.cannotOpen`; an incomplete copy is removed.
  func copy(to path: String) throws {
    guard try Self.createFile(at: path) else {
      throw DatabaseFileError.cannotOpen(file: path, reason: "there is a file already")
    }
    do {
      let target = try SQLiteConnection(path: path, mode: .readWrite)
      try copy(to: target)
      try target.close()
    } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Copies the database onto that of another connection, in one transaction. A second one records
  /// that the sums of the rows still hold.
  /// - Throws: `SQLiteFailure`.
  func copy(to target: SQLiteConnection) throws {
    try keepingSums(on: target) {
      guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
        throw SQLiteFailure(sqlite3_errcode(target.handle), on: target.handle)
      }
      let code = sqlite3_backup_step(backup, -1)
      let end = sqlite3_backup_finish(backup)
      if code != SQLITE_DONE {
        throw SQLiteFailure(end == SQLITE_OK ? code : end, on: target.handle)
      }
    }
  }
}

extension SQLiteConnection {
  /// Creates a table anew, with the rows that it has.
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The columns of the new table, in SQL.
  ///   - sources: The columns of the old table from which they are copied, in SQL.
  ///   - create: Creates the empty table.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func recreateTable(
    _ name: String, columns: String, from sources: String,
    _ create: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    let table = SQLName.quoted(name)
    // The rows are copied twice instead of renaming the table, which fails if a view of another
    // program refers to it.
    try execute("CREATE TABLE entia_copy AS SELECT * FROM \(table); DROP TABLE \(table)")
    try create()
    try execute(
      """
      INSERT INTO \(table)(\(columns)) SELECT \(sources) FROM entia_copy; DROP TABLE entia_copy
      """)
  }
}
