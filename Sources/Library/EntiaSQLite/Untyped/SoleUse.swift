import EntiaSystemSQLite
import Foundation

/// Keeps all other connections, of any program, from using a database file until the object is
/// released.
package final class SoleUse {
  private let connection: SQLiteConnection
  private let path: String

  /// Excludes other connections from a file.
  /// - Parameter path: The path of the file.
  /// - Returns: `nil` for a file that SQLite cannot open or write, such as one that is no database.
  /// - Throws: `DatabaseFileError.isLocked` if another connection is inside a transaction, or if
  ///   the file has a log and another connection has the file open.
  package init?(of path: String) throws(DatabaseFileError) {
    self.path = path
    do throws(SQLiteFailure) {
      connection = try SQLiteConnection(path: path, mode: .readWrite)
      // Closing the connection must not remove a log that contains changes.
      connection.logEnding = .removedIfEmpty
      sqlite3_busy_timeout(connection.handle, SQLiteConnection.longestWait)
      // `BEGIN EXCLUSIVE` fails while another connection to a file with a log is open, because
      // every such connection holds a lock. In the locking mode `EXCLUSIVE`, this connection keeps
      // its lock after the transaction.
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK")
    } catch {
      if [SQLITE_BUSY, SQLITE_LOCKED].contains(error.primaryCode) { throw .isLocked(file: path) }
      return nil
    }
  }

  /// Overwrites the file with the contents of another database, in one transaction.
  ///
  /// The file is not replaced by another file at its path, because idle connections would not
  /// notice that. They would write the old file, or apply the journal of one file to the other.
  /// - Parameter other: The path of the other database.
  /// - Throws: `DatabaseFileError`; the file is then unchanged.
  package func overwrite(with other: String) throws {
    try DatabaseFileError.describing(path) {
      // The file stops using a log, because the new contents are copied without one. This fails
      // while another connection has the log open.
      if try connection.value("PRAGMA journal_mode=DELETE") == .text("wal") {
        throw DatabaseFileError.isLocked(file: path)
      }
      try SQLiteConnection(path: other, mode: .readOnly).copy(to: connection)
      // A killed process may have left an empty log and its index behind. No connection uses them
      // now.
      if let log = connection.logPath {
        for file in [log, log.dropLast("wal".count) + "shm"] { _ = unlink(file) }
      }
      try connection.close()
    }
  }
}
