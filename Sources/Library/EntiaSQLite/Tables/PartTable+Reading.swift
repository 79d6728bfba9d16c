extension PartTable {
  /// A statement that reads all rows of a table into chunks.
  struct Reading {
    let statement: SQLiteStatement
    /// The number of the columns. The members are in the first ones.
    let columnCount: Int
    /// The column of the ID, which may be a member.
    let idColumn: Int
    let orderColumn: Int
  }

  /// Returns a statement that reads all rows.
  /// - Throws: `SQLiteFailure`.
  func reading() throws(SQLiteFailure) -> Reading {
    // The statement can then be prepared.
    _ = try connection.takenRows()
    var names = columns.map(SQLName.quoted)
    if idIndex == nil { names.append(quotedID) }
    names.append(Self.orderColumn)
    let sql = TakenRows.sql(names, from: quotedName)
    // The table may have other columns than at the last load, and several loads may be under way.
    let kept = readingRows?.sql == sql ? readingRows : nil
    readingRows = nil
    let statement = if let kept { kept } else { try connection.prepare(sql, isKept: true) }
    return Reading(
      statement: statement, columnCount: names.count, idColumn: idIndex ?? columns.count,
      orderColumn: names.count - 1)
  }

  /// Keeps the statement of a load for the next one.
  func keepReading(_ statement: SQLiteStatement) {
    statement.reset()
    readingRows = statement
  }

  /// Calls the closure with every row in the file and the column of its ID.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func forEachRow(_ body: (_ row: ChunkRow, _ idColumn: Int) -> Void) throws(SQLiteFailure) {
    let rows = try connection.takenRows()
    let reading = try reading()
    defer { keepReading(reading.statement) }
    let chunk = RowChunk()
    var hasMore = true
    while hasMore {
      hasMore = try rows.fill(chunk, from: reading.statement, columnCount: reading.columnCount)
      for index in 0..<chunk.count { body(chunk[index], reading.idColumn) }
    }
  }
}
