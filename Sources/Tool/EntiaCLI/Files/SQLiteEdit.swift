import EntiaJSON
import EntiaRecords

#if ENTIA_SQLITE
  import EntiaSQLite
#endif

/// A change of a SQLite database that programs share or have saved. Only the rows that differ are
/// written, in the existing tables.
struct SQLiteEdit {
  private let name: String
  #if ENTIA_SQLITE
    private let edit: RecordEdit
  #endif

  /// Whether an app shares a database or has saved it. The rows of such a database are changed in
  /// the existing tables, because a file that is written anew would lack other data of the app.
  static func isNeeded(for name: String) -> Bool {
    #if ENTIA_SQLITE
      RecordFile.isUsedByProgram(name)
    #else
      false
    #endif
  }

  /// Opens a database.
  ///
  /// - Throws: A failure with `cannotWrite` if a program that does not share the file has it open,
  ///   and with `unavailable` if the tool was built without SQLite.
  init(_ name: String) throws(CommandFailure) {
    self.name = name
    #if ENTIA_SQLITE
      try SQLiteFile.refuseSoleWriter(of: name)
      edit = try SQLiteFile.reading(.cannotWrite) { () throws(RecordFileError) in
        try RecordEdit(name)
      }
    #else
      throw SQLiteFile.unavailable(name)
    #endif
  }

  /// Reads the database. The next call of `write(_:since:)` changes the version that was read.
  ///
  /// - Parameter holds: Whether to keep other programs from changing the tables until the next
  ///   change is written.
  /// - Throws: A failure with `badData` or `cannotWrite`.
  func read(holding holds: Bool) throws(CommandFailure) -> ImportSource {
    #if ENTIA_SQLITE
      try SQLiteFile.reading(.cannotWrite) { () throws(RecordFileError) in
        ImportSource(name: name, bytes: try edit.read(holding: holds))
      }
    #else
      throw SQLiteFile.unavailable(name)
    #endif
  }

  /// Writes the differences between two databases.
  ///
  /// - Returns: `false` if the file has changed since it was read, and nothing was written.
  /// - Throws: A failure with `badData` or `cannotWrite`; the file is then unchanged.
  func write(
    _ new: RecordDatabase, since old: RecordDatabase
  ) throws(CommandFailure) -> Bool {
    #if ENTIA_SQLITE
      try SQLiteFile.reading(.cannotWrite) { () throws(RecordFileError) in
        try edit.write(new, since: old)
      }
    #else
      throw SQLiteFile.unavailable(name)
    #endif
  }
}
