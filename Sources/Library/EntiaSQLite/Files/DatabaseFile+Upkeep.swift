import EntiaDatabase

extension DatabaseFile {
  /// Rebuilds the file without the space of removed rows, so that it becomes smaller.
  ///
  /// It needs as much free space on the disk as the file has.
  /// - Throws: `DatabaseFileError`: `isReadOnly`, `isFull`, `isDamaged`, `isClosed`. The file is
  ///   then unchanged.
  /// - Complexity: O(*n*).
  public func compact() throws {
    try withTurn { file in
      if configuration.isReadOnly { throw DatabaseFileError.isReadOnly(file: path) }
      // A damaged page would be removed, and with it what shows that rows are lost.
      if file.header.isDescribed { try file.connection.requireAllRows() }
      session.endReadings()
      try Failpoint.reach("before compaction")
      try file.connection.execute("VACUUM")
      try Failpoint.reach("after compaction")
      // The log has the rebuilt pages until they are written into the file.
      try file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Copies what was saved last into a new file, while this one stays in use.
  /// - Parameter path: The path of the copy, where nothing may be.
  /// - Throws: `DatabaseFileError`: `cannotOpen` when there is a file at the path or none can be
  ///   created, `isFull`, `isClosed`. An incomplete copy is removed.
  /// - Complexity: O(*n*).
  public func backup(to path: String) throws {
    try withTurn { file in
      try DatabaseFileError.describing(path) { try file.connection.copy(to: path) }
    }
  }
}
