import EntiaSystemSQLite
import Foundation

extension SQLiteConnection {
  /// Opens a file with settings, and locks it unless it is opened for reading only. Nothing is
  /// written before `startWriting(_:to:)`, so that a refused file is unchanged. If this process is
  /// closing the file, the call waits until it is closed.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError`: `isOpenElsewhere`, `isLocked`, `cannotOpen`.
  static func opening(
    _ path: String?, _ configuration: DatabaseFileConfiguration
  ) throws -> SQLiteConnection {
    let end = DispatchTime.now() + OpenFiles.longestClosing
    var isLast = false
    while true {
      do {
        return try openingAtOnce(path, configuration)
      } catch DatabaseFileError.isOpenElsewhere(let file) {
        switch isLast ? .open : OpenFiles.waitUntilClosed(file, until: end) {
        case .open: throw DatabaseFileError.isOpenElsewhere(file: file)
        // The file may have been closed since the attempt failed. One more attempt follows.
        case .unknown: isLast = true
        case .closed: break
        }
      }
    }
  }

  private static func openingAtOnce(
    _ path: String?, _ configuration: DatabaseFileConfiguration
  ) throws -> SQLiteConnection {
    guard let path else {
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      try connection.distrustSchema()
      return connection
    }
    try requireContent(path)
    if configuration.isReadOnly { return try reading(path) }
    do {
      _ = try createFile(at: path)
      try requireLocalFile(path)
      let connection = try SQLiteConnection(
        path: path, mode: .readWrite, fileSystem: configuration.fileSystem)
      // If the file is refused, closing it must not write the log of an earlier process into it.
      connection.logEnding = .removedIfEmpty
      try connection.requireWritable(path)
      connection.lock = try lock(path, configuration.access)
      try connection.distrustSchema()
      sqlite3_busy_timeout(connection.handle, longestWait)
      try connection.execute("PRAGMA wal_autocheckpoint=0")
      try connection.readSchema()
      return connection
    } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_BUSY {
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
  }

  private static func lock(
    _ path: String, _ access: DatabaseFileConfiguration.Access
  ) throws -> FileLock {
    do {
      switch access {
      case .sole: return try FileLock.sole(path)
      case .shared: return try FileLock.shared(path)
      }
    } catch let held as FileLock.Held {
      if access == .shared, held.user?.kind == .transaction {
        throw DatabaseFileError.isLocked(file: path)
      }
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
  }

  /// Reads the schema, and thereby recovers the log of an ended process.
  private func readSchema() throws {
    _ = try exclusively { try value("SELECT count(*) FROM sqlite_schema") }
  }

  /// Runs a body under the lock. A sole writer holds it already.
  /// - Throws: `FileLock.Held`, `FileLock.Failure`; the error of the body.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    if let lock, lock.isShared { return try lock.withLock(body) }
    return try body()
  }

  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// Sets the protection class of the file and of its log.
    /// - Throws: `DatabaseFileError.cannotOpen`.
    func protect(_ protection: FileProtectionType?, _ path: String) throws {
      guard let protection else { return }
      for file in [path, logPath ?? path] where FileIdentity(file) != nil {
        do {
          try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: file)
        } catch {
          throw DatabaseFileError.cannotOpen(file: path, reason: error.localizedDescription)
        }
      }
    }
  #endif

  /// Checks that a file is not on a network drive. SQLite's log needs shared memory, and computers
  /// cannot share memory through a network drive.
  /// - Throws: `DatabaseFileError.cannotOpen`.
  private static func requireLocalFile(_ path: String) throws {
    if entia_is_on_network_drive(path) != 0 {
      throw DatabaseFileError.cannotOpen(
        file: path, reason: "it is on a network drive: copy it to a local drive")
    }
  }

  /// Checks that SQLite has opened the file for writing. If the system does not permit writing,
  /// SQLite opens the file for reading only, and reports no error.
  private func requireWritable(_ path: String) throws {
    if sqlite3_db_readonly(handle, "main") == 1 { throw DatabaseFileError.isReadOnly(file: path) }
  }

  /// Prepares an open file for writing, under the lock.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.isOpenElsewhere`.
  func startWriting(
    _ durability: DatabaseFileConfiguration.Durability, to path: String
  ) throws {
    do {
      if try useLog(durability) { return }
    } catch {
      if error.primaryCode != SQLITE_BUSY { throw error }
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
    throw DatabaseFileError.cannotOpen(
      file: path, reason: "its drive does not support SQLite's log: copy it to a local drive")
  }

  /// Switches the file to a write-ahead log, and sets the durability of the changes. SQLite writes
  /// each change to this log before it writes the change into the file.
  /// - Returns: Whether the file has a log; `false` if its drive does not support one.
  private func useLog(
    _ durability: DatabaseFileConfiguration.Durability
  ) throws(SQLiteFailure) -> Bool {
    guard try value("PRAGMA journal_mode=WAL") == .text("wal") else { return false }
    try execute("PRAGMA journal_size_limit=\(Self.largestKeptLog)")
    switch durability {
    case .durable:
      try execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON")
    case .fast: try execute("PRAGMA synchronous=NORMAL")
    }
    // Fails if a program that does not use the lock is writing the file.
    try execute("BEGIN IMMEDIATE; COMMIT")
    noteLog()
    logEnding = .copied
    return true
  }

  /// Opens a file for reading, and does not change the file. SQLite leaves other files beside the
  /// file only if the file has a log.
  /// - Throws: `SQLiteFailure`.
  static func reading(_ path: String) throws -> SQLiteConnection {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let files = FileManager.default
    let log = FileIdentity(resolved + "-wal")?.size
    let hasJournal = files.fileExists(atPath: resolved + "-journal")
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    let isWritable =
      files.isWritableFile(atPath: resolved) && files.isWritableFile(atPath: folder)
    do {
      if !hasJournal, usesLog(resolved) {
        // A read-only connection would leave an empty log behind. `readingWithoutLog` opens a
        // connection that removes the log, and writes nothing into the file.
        if isWritable, (log ?? 0) == 0 { return try readingWithoutLog(path) }
        if log == nil { return try prepared(SQLiteConnection(path: path, mode: .immutable)) }
      }
      return try prepared(SQLiteConnection(path: path, mode: .readOnly))
    } catch let failure as SQLiteFailure
      where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(failure.primaryCode)
    {
      // If the folder cannot be written, SQLite may read the file only in the mode `immutable`.
      // This mode ignores a log and a journal. It is therefore used only if there is neither.
      guard files.isReadableFile(atPath: path), (log ?? 0) == 0, !hasJournal else { throw failure }
      return try prepared(SQLiteConnection(path: path, mode: .immutable))
    }
  }

  private static func readingWithoutLog(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    connection.logEnding = .removedIfEmpty
    try connection.execute("PRAGMA query_only=ON")
    return try prepared(connection)
  }

  private static func prepared(_ connection: SQLiteConnection) throws -> SQLiteConnection {
    try connection.distrustSchema()
    sqlite3_busy_timeout(connection.handle, longestWait)
    _ = try connection.value("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  /// Returns whether a file is a database whose changes are written to a log first.
  private static func usesLog(_ path: String) -> Bool {
    let header = header(of: path)
    return header.starts(with: DatabaseFileError.magic) && header.count == 20 && header[19] == 2
  }

  /// Returns the first 20 bytes of a file; none if the file cannot be read or is shorter.
  ///
  /// The bytes are read through SQLite, because a process loses its locks of a file as soon as it
  /// closes any descriptor of the file. SQLite does not close its descriptors while it has locks.
  static func header(of path: String) -> [UInt8] {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      connection.logEnding = .kept
      return try connection.header()
    } catch {
      return []
    }
  }

  func header() throws(SQLiteFailure) -> [UInt8] {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: handle) }
    guard let file, let methods = file.pointee.pMethods, let read = methods.pointee.xRead else {
      return []
    }
    var bytes = [UInt8](repeating: 0, count: 20)
    return read(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK ? bytes : []
  }
}

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

  /// Checks that an existing file is not empty, and that a missing file has no log with content.
  /// - Throws: `DatabaseFileError.isOpenElsewhere` if the file was deleted while a process has it
  ///   open; otherwise `isDamaged`.
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
      unlink(path)
      throw error
    }
  }

  /// Replaces the database of another connection by a copy of this database, in one transaction. A
  /// second transaction records that the sums of the rows' hashes are still valid.
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
  /// Replaces a table by a new one with the same name and the same rows.
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The columns of the new table, in SQL.
  ///   - sources: The columns of the old table from which `columns` are copied, in SQL.
  ///   - create: Creates the empty table.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func recreateTable(
    _ name: String, columns: String, from sources: String,
    _ create: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    let table = SQLName.quoted(name)
    // Copies the rows to `entia_copy` and back. Renaming a copy to `name` would fail if a view of
    // another program refers to the table.
    try execute("CREATE TABLE entia_copy AS SELECT * FROM \(table); DROP TABLE \(table)")
    try create()
    try execute(
      """
      INSERT INTO \(table)(\(columns)) SELECT \(sources) FROM entia_copy; DROP TABLE entia_copy
      """)
  }
}
