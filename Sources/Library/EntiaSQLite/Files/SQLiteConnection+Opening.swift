import EntiaSystemSQLite
import Foundation

extension SQLiteConnection {
  /// Opens a file with settings, and locks it unless it is opened for reading only. Nothing is
  /// written before `startWriting(_:to:)`, so that a refused file is unchanged. If this process is
  /// closing the file, the call waits until it is closed.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.isOpenElsewhere`.
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
        // The file may have been closed after the failure.
        case .unknown: isLast = true
        case .closed: break
        }
      }
    }
  }

  private static func openingAtOnce(
    _ path: String?, _ configuration: DatabaseFileConfiguration
  ) throws -> SQLiteConnection {
    do {
      guard let path else {
        let connection = try SQLiteConnection(path: nil, mode: .readWrite)
        try connection.distrustSchema()
        return connection
      }
      try requireContent(path)
      if configuration.isReadOnly { return try reading(path) }
      _ = try createFile(at: path)
      let connection = try SQLiteConnection(
        path: path, mode: .readWrite, fileSystem: configuration.fileSystem)
      try connection.requireWritable(path)
      try connection.distrustSchema()
      // If the file is refused, closing it must not write the log of an earlier process into it.
      if connection.logPath.flatMap(FileIdentity.init) != nil {
        try connection.setCheckpointOnClose(false)
      }
      // One connection alone writes and checkpoints the log: before 3.51.3, SQLite can damage a
      // file when two do it at once.
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
      _ = try connection.value("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_BUSY {
      throw DatabaseFileError.isOpenElsewhere(file: path ?? "")
    }
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

  /// Throws if the system permits no writing. SQLite would open the file for reading only.
  private func requireWritable(_ path: String) throws {
    if sqlite3_db_readonly(handle, "main") == 1 { throw DatabaseFileError.isReadOnly(file: path) }
  }

  /// The size in bytes up to which the log is kept after a save.
  static var largestKeptLog: Int { 1 << 22 }

  /// The path of the log. If the database's path is a link, the log is in the folder of the file.
  private var logPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) + "-wal" }
  }

  /// Whether the path no longer leads to the open file. SQLite alone does not notice a changed
  /// link, because it compares the path to which the link led before.
  var hasMoved: Bool {
    guard let opened else { return false }
    if FileIdentity(opened.path) != opened.file { return true }
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Copies the log into the file, which has moved from its path. The log is still beside the path,
  /// and SQLite would apply it to the new file there.
  func emptyLog() {
    // If this fails, the caller still reports that the file has moved.
    sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    // Closing would remove a log that belongs to the new file.
    _ = entia_sqlite_set_checkpoint_on_close(handle, 0)
  }

  /// Copies the log into the file and truncates it, if it is larger than `largestKeptLog`. If that
  /// fails, a later save tries again.
  func truncateLargeLog() {
    guard let log = logPath.flatMap(FileIdentity.init), log.size > Self.largestKeptLog else {
      return
    }
    sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
  }

  /// Prepares an open file for writing.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.isOpenElsewhere`.
  func startWriting(
    _ durability: DatabaseFileConfiguration.Durability, to path: String
  ) throws {
    do {
      try execute("PRAGMA journal_mode=WAL")
      switch durability {
      case .durable:
        try execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON")
      case .fast: try execute("PRAGMA synchronous=NORMAL")
      }
      // Acquires the lock. The connection keeps it until it is closed.
      try execute("BEGIN IMMEDIATE; COMMIT")
      try setCheckpointOnClose(true)
    } catch let failure where failure.primaryCode == SQLITE_BUSY {
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
  }

  /// Opens a file for reading. Neither changes the file nor leaves other files beside it.
  /// - Throws: `SQLiteFailure`.
  static func reading(_ path: String) throws -> SQLiteConnection {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let files = FileManager.default
    let log = try size(of: resolved + "-wal")
    let hasJournal = files.fileExists(atPath: resolved + "-journal")
    let folder = URL(fileURLWithPath: resolved).deletingLastPathComponent().path
    let isWritable =
      files.isWritableFile(atPath: resolved) && files.isWritableFile(atPath: folder)
    do {
      if !hasJournal, try usesLog(resolved) {
        // A read-only connection would leave a log and its index behind. Without a log, this one
        // writes nothing into the file.
        if isWritable { return try readingWithLog(path, hasLog: (log ?? 0) > 0) }
        if log == nil { return try prepared(SQLiteConnection(path: path, mode: .immutable)) }
      }
      return try prepared(SQLiteConnection(path: path, mode: .readOnly))
    } catch let failure as SQLiteFailure
      where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(failure.primaryCode)
    {
      // In a folder that cannot be written, SQLite reads a file only if it need not expect writers.
      // Without a log and a journal, the file is complete.
      guard files.isReadableFile(atPath: path), log == nil, !hasJournal else { throw failure }
      return try prepared(SQLiteConnection(path: path, mode: .immutable))
    }
  }

  /// Opens a file in the mode with a log. Closing it removes a log that this connection created,
  /// and keeps the log of another process.
  private static func readingWithLog(_ path: String, hasLog: Bool) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA query_only=ON")
    guard hasLog else { return try prepared(connection) }
    try connection.setCheckpointOnClose(false)
    // Without other connections, the index of the log is in memory.
    try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    do {
      return try prepared(connection)
    } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_BUSY {
      return try prepared(SQLiteConnection(path: path, mode: .readOnly))
    }
  }

  private static func prepared(_ connection: SQLiteConnection) throws -> SQLiteConnection {
    try connection.distrustSchema()
    _ = try connection.value("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  /// Returns the size of a file; `nil` without one.
  private static func size(of path: String) throws -> Int? {
    if !FileManager.default.fileExists(atPath: path) { return nil }
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  }

  /// Returns whether a file is a database whose changes are written to a log first.
  private static func usesLog(_ path: String) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { file.closeFile() }
    let bytes = file.readData(ofLength: 20)
    return bytes.count == 20 && bytes.starts(with: Data(DatabaseFileError.magic)) && bytes[19] == 2
  }
}
