extension OpenFile {
  /// Applies the pending migrations in one transaction, and records them.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`, `DatabaseFileError.needsMigration`; the file is
  ///   then unchanged.
  func migrate(_ migrations: [Migration], in session: FileSession) throws {
    let pending = try header.pending(migrations)
    if pending.isEmpty { return }
    if session.configuration.isReadOnly {
      throw DatabaseFileError.needsMigration(
        file: session.path, migrations: pending.map(\.name))
    }
    session.endReadings()
    let state = MigrationState(connection, header)
    defer { state.isOver = true }
    try connection.transaction {
      // The rows are counted and summed anew below.
      try connection.requireAllRows()
      try sums.begin()
      for migration in pending {
        do {
          try migration.apply(MigrationTables(state))
          if let failure = state.failure { throw failure }
        } catch {
          throw MigrationFailure.describing(error, in: migration.name)
        }
        try Failpoint.reach("in migration")
      }
      try state.header.record(pending.map(\.name), on: connection)
      try state.header.recordRowCounts(on: connection)
      try sums.recordAll(of: state.header.tables.values.sorted())
    }
    header = state.header
  }
}
