import EntiaSystemSQLite
import Foundation

/// The write-ahead log of a file. SQLite writes changes to the log before it writes them to the
/// file.
///
/// Before 3.51.3, SQLite can damage a file when two connections write or checkpoint at once. Entia
/// therefore writes and checkpoints only under `FileLock`, and SQLite makes no checkpoint by
/// itself.
extension SQLiteConnection {
  /// The longest time in milliseconds that a statement waits for a program that does not use the
  /// lock of Entia, such as `sqlite3`.
  static var longestWait: Int32 { 1_000 }

  /// The size in bytes up to which the log is kept after a save.
  static var largestKeptLog: Int { 1 << 22 }

  /// The path of the log. If the database's path is a link, the log is beside the file to which the
  /// link leads.
  var logPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) + "-wal" }
  }

  /// Whether the path no longer leads to the open file. The path may be a link that now leads to
  /// another file. SQLite does not notice that, because it checks only the path to which the link
  /// led at the opening.
  var hasMoved: Bool {
    guard let opened else { return false }
    if FileIdentity(opened.path) != opened.file { return true }
    // If SQLite opened the same path, no link was followed, and the check above is sufficient.
    if let name = sqlite3_db_filename(handle, "main"), strcmp(name, opened.path) == 0 {
      return false
    }
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Whether another process has changed the file, or has created a log for it, since this
  /// connection opened the file as immutable.
  var isOutdated: Bool {
    guard isImmutable, let opened else { return false }
    return FileIdentity(opened.path)?.changeTime != opened.file?.changeTime
      || logPath.flatMap(FileIdentity.init) != nil
  }

  /// Stores which log the connection writes.
  func noteLog() { log = logPath.flatMap(FileIdentity.init) }

  /// Whether the log was removed or replaced. SQLite does not notice that, and would write changes
  /// that no other process can read.
  var hasLostLog: Bool { log != nil && log != logPath.flatMap(FileIdentity.init) }

  /// Copies the log into the moved file, and empties the log. The log is still beside the former
  /// path of the file. SQLite would apply the log to a new file at that path.
  func emptyLog() {
    // If this fails, the caller still reports that the file has moved.
    sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    // Closing would remove a log that belongs to the new file.
    logEnding = .kept
  }

  /// Copies a log that is larger than `largestKeptLog` into the file, and truncates the log. If
  /// other connections are reading the log, only the part that they no longer need is copied. If
  /// the copying fails, a later save tries again.
  func truncateLargeLog() {
    guard let log = logPath.flatMap(FileIdentity.init), log.size > Self.largestKeptLog else {
      return
    }
    checkpoint()
  }

  /// Copies the log into the file and truncates it, without a wait for readers.
  private func checkpoint() {
    sqlite3_busy_timeout(handle, 0)
    sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    sqlite3_busy_timeout(handle, Self.longestWait)
  }

  /// Copies the log before the connection is closed, if `logEnding` requires that. Sets whether
  /// SQLite makes a checkpoint when the connection is closed.
  func finishLog() {
    guard let handle, opened != nil else { return }
    var checkpoints = false
    switch logEnding {
    case .copied:
      // If another process holds the lock, that process has the file open, too. Only the last
      // connection has to copy the log.
      checkpoints = lock?.tryLock() ?? true
      // The log is copied before the connection is closed. SQLite does not copy the log at the
      // closing if another connection has the file open.
      if checkpoints, lock != nil { checkpoint() }
    case .removedIfEmpty:
      checkpoints = logPath.flatMap(FileIdentity.init)?.size == 0
    case .kept: break
    }
    _ = entia_sqlite_set_checkpoint_on_close(handle, checkpoints ? 1 : 0)
  }
}

/// What happens to a log when a connection is closed. SQLite removes the log only when the last
/// connection to the file is closed.
enum LogEnding {
  /// The log is copied into the file.
  case copied
  /// The log is removed if it is empty. This is for connections that have written nothing.
  case removedIfEmpty
  /// The log stays as it is.
  case kept
}
