import EntiaDatabase
import EntiaSharing

/// The versions of the file, and the changes that led to them.
extension OpenFile {
  /// Returns the changes between the saved version and a new version, encoded for the log. Returns
  /// `nil` if the log does not need the changes, if there are too many changes, or if the rows
  /// cannot be encoded.
  /// - Parameters:
  ///   - version: The new version.
  ///   - saving: The save of the version. Its rows are already encoded.
  func loggedChanges(to version: Storage, _ saving: StorageSaving<Storage>) -> String? {
    guard let saved, !log.isBehind, !hasSkippedRows,
      saving.changeCount <= ChangeLog.maximumChanges
    else { return nil }
    do {
      return try ChangeEncoding.entries(
        of: version.changes(since: saved), partsOfLog())
    } catch {
      // The rows are saved nevertheless. Readers load them from their tables.
      return nil
    }
  }

  /// Returns the codings by which changes of the storage's parts are encoded for the log.
  /// - Throws: `SharedDatabaseError.notCodable`.
  func partsOfLog() throws -> SpaceParts<Storage> {
    if let logParts { return logParts }
    let parts = try SpaceParts<Storage>(space: connection.opened?.path ?? ":memory:")
    logParts = parts
    return parts
  }

  /// Adds a version of a sole writer to the log, in the transaction that writes the rows of the
  /// version.
  /// - Parameters:
  ///   - changes: The changes, encoded for the log; `nil` if they are not kept.
  ///   - isFollowed: Whether a process follows the file. If not, no version is added.
  /// - Throws: `SQLiteFailure`.
  func appendVersion(_ changes: String?, isFollowed: Bool) throws(SQLiteFailure) {
    // `changes` are not logged if the log lacks earlier changes, or if this save may have other
    // effects than `changes`. Readers then load the rows instead.
    let isComplete = !log.isBehind && !differsFromLog
    log.isBehind = !isFollowed
    try sums.noteSave(addsVersion: isFollowed, in: log)
    if !isFollowed { return }
    mutation += 1
    try log.append(
      isComplete ? changes : nil, by: BatchOrigin(client: client, mutation: mutation),
      as: try log.position().version + 1)
  }

  /// Reads the header again if another connection has changed the file.
  /// - Returns: The version in the file.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`.
  func refresh() throws -> LogPosition {
    // Read before the header. If another process writes in between, the next call reads again.
    let changes = try connection.dataVersion()
    let schema = try connection.schemaVersion()
    if let known, known.changes == changes, known.schema == schema { return known.position }
    let state = KnownState(position: try log.position(), schema: schema, changes: changes)
    if state.schema != known?.schema { releaseTables() }
    sums.reset()
    known = state
    header = try FileHeader(connection, storage: header.storage)
    for (part, name) in header.tables where parts.codings[part] != nil {
      let count: Int64
      if let recorded = try connection.recordedRowCount(of: name) {
        count = recorded
      } else {
        count = try hasRows(inTable: name) ? connection.countRows(of: name) : 0
      }
      rowCounts[part] = count
      tables[part]?.rowCount = count
    }
    return state.position
  }

  /// Whether the file has not changed since `refresh()`.
  var isUnchanged: Bool {
    get throws(SQLiteFailure) {
      guard let known else { return false }
      if try known.changes != connection.dataVersion() { return false }
      return try known.schema == connection.schemaVersion()
    }
  }

  /// Releases the rows that were encoded for a save, after the save was made or given up.
  func discardRows() {
    for table in tables.values { table.encoder.removeRows() }
    for encoder in newEncoders.values { encoder.removeRows() }
  }

  /// Records a version that this object has written. `isUnchanged` must have been `true` at the
  /// start of the transaction that wrote it.
  func noteVersion(_ position: LogPosition) {
    headerBeforeSave = nil
    // `changes` stays the same, because it counts only the changes by other connections.
    known = sums.schema.flatMap { schema in
      known.map { KnownState(position: position, schema: schema, changes: $0.changes) }
    }
    noteTables()
  }
}

extension OpenFile {
  /// Begins to read the rows of a part. Called inside `withTurn(_:)`.
  /// - Returns: The rows, or `nil` when the part is not stored.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func beginReading(_ part: String, _ reading: FileReading) throws -> PartRows? {
    guard let table = try table(of: part) else { return nil }
    // The header in memory is not used, because other processes may have written the file since.
    let (count, sum) = try records(of: table.name)
    guard table.exists else { return PartRows(table: table.part, recordedCount: count) }
    let rows = try table.reading()
    reading.begin(rows, of: table)
    return PartRows(
      table: table.part, recordedCount: count, recordedSum: sum, hash: table.rowHash,
      members: table.members, idColumn: rows.idColumn, orderColumn: rows.orderColumn)
  }

  /// Returns the results of `recordedRowCount(of:)` and `recordedSum(of:)`, read by one statement.
  private func records(
    of table: String
  ) throws(SQLiteFailure) -> (count: Int64?, sum: StoredValue?) {
    let statement: SQLiteStatement
    if let findingRecords {
      statement = findingRecords
    } else {
      statement = try connection.prepare(
        "SELECT key, value FROM entia_file WHERE key IN (?, ?)", isKept: true)
      findingRecords = statement
    }
    defer { statement.reset() }
    let countKey = SQLiteConnection.rowCountKey(of: table)
    try statement.bind(.text(countKey), at: 0)
    try statement.bind(.text(EditTriggers.sumKey(of: table)), at: 1)
    var (count, sum): (Int64?, StoredValue?)
    while try statement.step() {
      let value = statement.value(at: 1)
      if statement.text(at: 0) != countKey {
        sum = value
      } else if case .integer(let number) = value {
        count = number
      }
    }
    return (count, sum)
  }

  /// Returns the recorded number of edits by other programs, or `nil` if another program may have
  /// edited rows after the last save.
  /// - Throws: `SQLiteFailure`.
  func edits() throws(SQLiteFailure) -> Int64? {
    try sums.edits(of: header.storage) { parts.codings[$0] != nil }
  }

  /// Checks that a load has found the rows of a part that were saved.
  /// - Returns: Whether another program has changed them.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`.
  func requireRows(_ rows: PartRows, _ findings: PartFindings) throws -> Bool {
    try connection.requireRows(
      of: rows.table, found: rows.exist ? findings.rowCount : nil, recorded: rows.recordedCount)
    return try connection.requireSum(
      of: rows.table, found: findings.sum, recorded: rows.recordedSum)
  }
}
