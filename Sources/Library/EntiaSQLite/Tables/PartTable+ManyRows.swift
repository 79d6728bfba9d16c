/// The statement that inserts many rows, and the one that updates them.
final class ManyRowsStatements {
  /// Whether one statement may write many rows of the table.
  let areUsable: Bool
  var inserting: SQLiteStatement?
  var updating: (statement: SQLiteStatement, removed: RemovedColumns)?

  init(areUsable: Bool) { self.areUsable = areUsable }
}

/// The outcome of an update of many rows.
enum ManyRowsUpdate {
  case isDone
  /// The rows must be updated one by one.
  case isNotPossible
  /// The file lacks the row with this index among the encoder's rows. The transaction must be
  /// rolled back.
  case isMissing(Int)
}

// These functions write many rows by one statement, so that SQLite does not begin and end a
// statement for each row.
extension PartTable {
  /// The least number of rows for which one statement is faster than one for each row.
  private static let leastCount = 2
  /// The number of rows that a statement writes at once. With more rows, updates of large tables
  /// are slower: the processor's cache no longer has the rows when their cells are added to the
  /// sum.
  private static let runLength = 128

  /// Inserts rows that the encoder keeps, by one statement.
  /// - Parameters:
  ///   - order: The indices of the rows, in the order of insertion. The ID column of each row must
  ///     contain the row's ID.
  ///   - firstOrder: The order number of the row with the index 0.
  /// - Returns: Whether the rows were inserted; `false` if they must be inserted one by one.
  /// - Throws: `SQLiteFailure`. The transaction must then be rolled back.
  func insertAll(_ order: [Int], firstOrder: Int64) throws(SQLiteFailure) -> Bool {
    guard order.count >= Self.leastCount, let idIndex, let statements = try manyRowsStatements()
    else { return false }
    let source = try connection.rowSource()
    let written = writtenColumns
    let names = written.map { SQLName.quoted(columns[$0]) } + [Self.orderColumn]
    let values = (written + [RowSource.columnLimit]).map(RowSource.column)
    let inserting = try prepared(
      &statements.inserting,
      """
      INSERT OR FAIL INTO \(quotedName)(\(names.joined(separator: ", "))) \
      SELECT \(values.joined(separator: ", ")) FROM \(RowSource.name)
      """)
    let numbers = RowSource.StrideRange(first: firstOrder, step: OrderNumbers.gap)
    try forEachRun(of: order) { rows throws(SQLiteFailure) in
      try source.run(inserting, encoder.rows, rows, numbers: numbers)
      addCells(of: encoder.rows, rows, written, numbers, idIndex: idIndex)
    }
    rowCount += Int64(order.count)
    return true
  }

  /// Replaces rows in the file by the encoder's rows with the same IDs, in one statement.
  /// - Parameter order: The indices of the encoder's rows, in the ascending order of their IDs. The
  ///   IDs must be integers, and the ID column of each row must contain the row's ID.
  /// - Returns: The outcome.
  /// - Throws: `SQLiteFailure`. The transaction must then be rolled back.
  func updateAll(_ order: [Int]) throws(SQLiteFailure) -> ManyRowsUpdate {
    guard order.count >= Self.leastCount, hasIntegerID, let idIndex,
      let statements = try manyRowsStatements()
    else { return .isNotPossible }
    let written = writtenColumns.filter { $0 != idIndex }
    // No row to update has the ID `unused`, because `least` is the least ID of these rows.
    let least = encoder.rows[order[0]].integer(at: idIndex)
    let (unused, isOut) = least.subtractingReportingOverflow(1)
    if written.isEmpty || isOut { return .isNotPossible }
    let source = try connection.rowSource()
    let updates = written.map { column in
      let name = SQLName.quoted(columns[column])
      return "\(name)=excluded.\(name)"
    }
    let all = [idIndex] + written
    if statements.updating == nil {
      let removed = try removedColumns(written, prefix: "\(quotedName).")
      let statement = try connection.prepare(
        """
        INSERT OR FAIL INTO \
        \(quotedName)(\(all.map { SQLName.quoted(columns[$0]) }.joined(separator: ", "))) \
        SELECT \(all.map(RowSource.column).joined(separator: ", ")) FROM \(RowSource.name) \
        WHERE true ON CONFLICT(\(quotedID)) DO UPDATE SET \(updates.joined(separator: ", ")) \
        WHERE true\(removed.condition)
        """, isKept: true)
      statements.updating = (statement, removed)
    }
    guard let (statement, removed) = statements.updating else { return .isNotPossible }
    // The statement inserts a row if the file does not have it. `lastInsertedID` stays `unused` if
    // no row was inserted.
    connection.lastInsertedID = unused
    try forEachRun(of: order) { rows throws(SQLiteFailure) in
      try removing(removed, writing: source.row, idIndex: idIndex) { () throws(SQLiteFailure) in
        try source.run(statement, encoder.rows, rows)
      }
    }
    let inserted = connection.lastInsertedID
    if inserted == unused { return .isDone }
    let rows = encoder.rows
    return .isMissing(order.first { rows[$0].integer(at: idIndex) == inserted } ?? order[0])
  }

  /// Calls a closure with the indices of rows, at most `runLength` at a time.
  private func forEachRun(
    of order: [Int], _ body: (ArraySlice<Int>) throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    for start in stride(from: 0, to: order.count, by: Self.runLength) {
      try body(order[start..<min(start + Self.runLength, order.count)])
    }
  }

  private var writtenColumns: [Int] { columns.indices.filter { encoder.isClaimed[$0] } }

  /// Returns the statements for many rows; `nil` if the rows must be written one by one.
  ///
  /// A table to which another program has added triggers, indexes or constraints is written row by
  /// row. For example, `updateAll(_:)` would also run the triggers of insertions.
  private func manyRowsStatements() throws(SQLiteFailure) -> ManyRowsStatements? {
    try prepareColumns()
    if let manyRows { return manyRows.areUsable ? manyRows : nil }
    let isPossible = idIndex != nil && columns.count <= RowSource.columnLimit
    let new = ManyRowsStatements(areUsable: isPossible ? try isPlain() : false)
    manyRows = new
    return new.areUsable ? new : nil
  }

  /// Whether the table has only columns as Entia creates them, without indexes, triggers or
  /// constraints of another program.
  private func isPlain() throws(SQLiteFailure) -> Bool {
    let info = try connection.prepare(Self.listingColumns(of: name))
    var definitions: [String] = []
    while try info.step() {
      let column = info.text(at: 1)
      definitions.append(
        column == Self.orderColumn
          ? "\(column) INTEGER"
          : SQLName.quoted(column)
            + (column == idColumn ? (hasIntegerID ? " INTEGER" : "") + " PRIMARY KEY" : ""))
    }
    let objects = try connection.prepare(
      """
      SELECT sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND NOT (\(EditTriggers.areOwn))
      AND (tbl_name=? COLLATE NOCASE OR name=? COLLATE NOCASE)
      """)
    try objects.bind(.text(name), at: 0)
    try objects.bind(.text(RowSource.name), at: 1)
    var found: [String] = []
    while try objects.step() { found.append(objects.text(at: 0)) }
    // In `ON CONFLICT … DO UPDATE`, `excluded` is the name of the new row, not of a table.
    return SQLName.lowercased(name) != "excluded"
      && found == ["CREATE TABLE \(quotedName)(\(definitions.joined(separator: ", ")))"]
  }
}

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
    // SQLite can prepare the statement only after `takenRows()` has created the statement's
    // function.
    _ = try connection.takenRows()
    var names = columns.map(SQLName.quoted)
    if idIndex == nil { names.append(quotedID) }
    names.append(Self.orderColumn)
    let sql = TakenRows.sql(names, from: quotedName)
    // The kept statement is used only if the table has the same columns as at the last load. While
    // a load uses the statement, `readingRows` is `nil`.
    let kept = readingRows?.sql == sql ? readingRows : nil
    readingRows = nil
    let statement = if let kept { kept } else { try connection.prepare(sql, isKept: true) }
    return Reading(
      statement: statement, columnCount: names.count, idColumn: idIndex ?? columns.count,
      orderColumn: names.count - 1)
  }

  /// Keeps the statement of a load, so that the next load can use the statement.
  func keepReading(_ statement: SQLiteStatement) {
    statement.reset()
    readingRows = statement
  }

  /// Calls the closure with every row in the file, and with the reading that has the columns.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func forEachRow(_ body: (_ row: ChunkRow, _ reading: Reading) -> Void) throws(SQLiteFailure) {
    let rows = try connection.takenRows()
    let reading = try reading()
    defer { keepReading(reading.statement) }
    let chunk = RowChunk()
    var hasMore = true
    while hasMore {
      hasMore = try rows.fill(chunk, from: reading.statement, columnCount: reading.columnCount)
      for index in 0..<chunk.count { body(chunk[index], reading) }
    }
  }
}
