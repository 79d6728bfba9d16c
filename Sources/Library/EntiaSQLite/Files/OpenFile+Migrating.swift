import EntiaDatabase

extension OpenFile {
  /// Applies the pending migrations in one transaction, and records them.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`, `DatabaseFileError.needsMigration`; the file is
  ///   then unchanged.
  func migrate(_ migrations: [Migration], in session: FileSession) throws {
    let pending = try header.pending(migrations, declared: parts.tables)
    if pending.isEmpty { return }
    if session.configuration.isReadOnly {
      throw DatabaseFileError.needsMigration(
        file: session.path, migrations: pending.map(\.name))
    }
    session.endReadings()
    let state = MigrationState(connection, header)
    defer { state.isOver = true }
    try connection.transaction {
      // The rows must be checked before the migrations, because new counts and sums of the rows are
      // recorded after the migrations.
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
      try sums.recordAll(of: state.header.tables.values.sorted() + RecordDescription.tables)
    }
    header = state.header
  }
}

/// The migrations that opening a file would apply.
public struct MigrationPlan: Equatable, Sendable {
  /// One migration of a plan.
  public struct Step: Equatable, Sendable {
    /// The name of the migration.
    public let name: String
    /// The change, as a phrase such as "rename table writers to authors".
    public let change: String
  }

  /// The names of the migrations that were applied to the file, in the order of the program's list.
  public let applied: [String]
  /// The migrations that would be applied, in their order.
  public let pending: [Step]
}

extension MigrationPlan: CustomStringConvertible {
  /// One line for each pending migration.
  public var description: String {
    if pending.isEmpty { return "nothing to migrate" }
    return pending.map { $0.name == $0.change ? $0.name : "\($0.name): \($0.change)" }
      .joined(separator: "\n")
  }
}

extension DatabaseFile {
  /// Returns the migrations that opening a file would apply. The file is not changed, and no
  /// migration runs.
  ///
  /// In a file that no program has saved, such as a file of `entia import`, only tables are
  /// renamed. The first save of such a file records all migrations.
  /// - Parameters:
  ///   - path: The path of the file, which must exist.
  ///   - name: The name of the storage in the file.
  ///   - migrations: The migrations of the program.
  /// - Returns: The plan.
  /// - Throws: `DatabaseFileError`: `isOpenElsewhere`, `isForeign`, `isNoDatabase`, `isNewer` for a
  ///   file with a migration that is not in the list, `isDamaged`, `cannotOpen`, and
  ///   `cannotMigrate` for two migrations with one name.
  public static func migrationPlan(
    path: String, named name: String = "", migrations: [Migration]
  ) throws -> MigrationPlan {
    try DatabaseFileError.describing(path) {
      let connection = try SQLiteConnection.opening(
        path, DatabaseFileConfiguration(isReadOnly: true))
      let header = try FileHeader(connection, storage: name)
      let pending = try header.pending(
        migrations, declared: StorageParts<Storage>(storesFreshness: false).tables)
      return MigrationPlan(
        applied: migrations.map(\.name).filter(header.migrations.contains),
        pending: pending.map { MigrationPlan.Step(name: $0.name, change: $0.change) })
    }
  }
}
