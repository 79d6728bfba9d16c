extension OpenFile {
  /// Begins to read the rows of a part, in a turn of a reading.
  /// - Returns: The rows, or `nil` when the part is not stored.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func beginReading(_ part: String, _ reading: FileReading) throws -> PartRows? {
    guard let table = try table(of: part) else { return nil }
    // Not from the header in memory: other processes may have written the file since.
    let (count, sum) = try records(of: table.name)
    guard table.exists else { return PartRows(table: table.part, recordedCount: count) }
    let rows = try table.reading()
    reading.begin(rows, of: table)
    return PartRows(
      table: table.part, recordedCount: count, recordedSum: sum, hash: table.rowHash,
      members: table.members, idColumn: rows.idColumn, orderColumn: rows.orderColumn)
  }

  /// Returns the recorded number and the recorded sum of the rows of a table, as
  /// `recordedRowCount(of:)` and `recordedSum(of:)`.
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

  /// Returns the number of edits by other programs that the file has, or `nil` if rows may have
  /// been edited after the last save.
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
