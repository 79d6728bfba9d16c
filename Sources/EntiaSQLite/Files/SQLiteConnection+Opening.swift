import EntiaSystemSQLite
import Foundation

extension SQLiteConnection {
  /// Opens a file with settings. One that is to be written is locked, and written only after
  /// `startWriting(_:to:)`, so that a file that is refused stays as it was.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.isOpenElsewhere`.
  static func opening(
    _ path: String?, _ configuration: DatabaseFileConfiguration
  ) throws -> SQLiteConnection {
    do {
      guard let path else {
        let connection = try SQLiteConnection(path: nil, mode: .readWrite)
        try connection.distrustSchema()
        return connection
      }
      if configuration.isReadOnly { return try reading(path) }
      _ = try createFile(at: path)
      let connection = try SQLiteConnection(
        path: path, mode: .readWrite, fileSystem: configuration.fileSystem)
      try connection.distrustSchema()
      // A log that a process left is not written into a file that is refused.
      if FileManager.default.fileExists(atPath: path + "-wal") {
        try connection.setCheckpointOnClose(false)
      }
      // One connection alone writes and checkpoints the log: before 3.51.3, SQLite can damage a file
      // when two do it at once.
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
      _ = try connection.value("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_BUSY {
      throw DatabaseFileError.isOpenElsewhere(file: path ?? "")
    }
  }

  /// Prepares a file that was opened to be written.
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
      // Takes the lock, which the connection keeps until it is closed.
      try execute("BEGIN IMMEDIATE; COMMIT")
      try setCheckpointOnClose(true)
    } catch let failure where failure.primaryCode == SQLITE_BUSY {
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
  }

  /// Creates an empty file that only its owner can read, unless the file exists.
  /// - Returns: Whether the file was created.
  /// - Throws: `DatabaseFileError.cannotOpen`.
  static func createFile(at path: String) throws -> Bool {
    let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
    if descriptor >= 0 {
      Foundation.close(descriptor)
      return true
    }
    if errno == EEXIST { return false }
    throw DatabaseFileError.cannotOpen(file: path, reason: String(cString: strerror(errno)))
  }

  static func reading(_ path: String) throws -> SQLiteConnection {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      try connection.distrustSchema()
      _ = try connection.value("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch  where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.primaryCode) {
      // In a folder that cannot be written, SQLite reads a file only if it need not expect writers.
      // Without a log and a journal, the file is complete.
      let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
      let hasJournal = FileManager.default.fileExists(atPath: path + "-journal")
      guard FileManager.default.isReadableFile(atPath: path), !hasLog, !hasJournal else {
        throw error
      }
      let connection = try SQLiteConnection(path: path, mode: .immutable)
      try connection.distrustSchema()
      _ = try connection.value("SELECT count(*) FROM sqlite_schema")
      return connection
    }
  }
}
