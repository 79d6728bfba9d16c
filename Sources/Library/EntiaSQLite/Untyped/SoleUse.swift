import EntiaSystemSQLite
import Foundation

/// The use of a database file by no other connection of any program, until the object is released.
///
/// A file that others have open must not be replaced by another one at its path: they would write
/// pages of the old file into a log that SQLite applies to the new one.
package final class SoleUse {
  private let connection: SQLiteConnection
  private let path: String

  /// Excludes other connections from a file.
  /// - Parameter path: The path of the file.
  /// - Returns: `nil` for a file that SQLite cannot open, such as one that is no database.
  /// - Throws: `DatabaseFileError.isLocked` if another connection has the file open. Without a
  ///   log, only one that is inside a transaction counts: the others write no file that was
  ///   replaced.
  package init?(of path: String) throws(DatabaseFileError) {
    self.path = path
    do throws(SQLiteFailure) {
      connection = try SQLiteConnection(path: path, mode: .readWrite)
      // A log with changes stays, with the file as it is.
      connection.logEnding = .removedIfEmpty
      sqlite3_busy_timeout(connection.handle, SQLiteConnection.longestWait)
      // Every connection to a file with a log keeps a lock that forbids this one. The lock is then
      // kept after the transaction.
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK")
    } catch {
      if [SQLITE_BUSY, SQLITE_LOCKED].contains(error.primaryCode) { throw .isLocked(file: path) }
      return nil
    }
  }

  /// Removes the log, so that a connection that waits for the file does not write one beside the
  /// new file. Without a log, SQLite refuses to write a file that was replaced.
  /// - Throws: `DatabaseFileError.isLocked`; the errors of SQLite. The file is then not replaced.
  package func removeLog() throws {
    let mode = try DatabaseFileError.describing(path) {
      try connection.value("PRAGMA journal_mode=DELETE")
    }
    if mode == .text("wal") { throw DatabaseFileError.isLocked(file: path) }
    // A killed process leaves empty ones behind, and nobody uses them now.
    if let log = connection.logPath {
      for file in [log, log.dropLast("wal".count) + "shm"] { _ = unlink(file) }
    }
  }
}
