import EntiaSystemSQLite
import Foundation

extension SQLiteConnection {
  /// Copies the database into a new file by SQLite's own backup.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.cannotOpen`; an incomplete copy is removed.
  func copy(to path: String) throws {
    guard try Self.createFile(at: path) else {
      throw DatabaseFileError.cannotOpen(file: path, reason: "there is a file already")
    }
    do {
      let target = try SQLiteConnection(path: path, mode: .readWrite)
      guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
        throw SQLiteFailure(sqlite3_errcode(target.handle), on: target.handle)
      }
      let code = sqlite3_backup_step(backup, -1)
      let end = sqlite3_backup_finish(backup)
      if code != SQLITE_DONE {
        throw SQLiteFailure(end == SQLITE_OK ? code : end, on: target.handle)
      }
      try target.close()
    } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }
}
