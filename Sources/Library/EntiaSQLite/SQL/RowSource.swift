import EntiaSystemSQLite

/// Rows in memory that the statements of a connection read as a table.
///
/// One statement copies many rows from this table, so that SQLite begins and ends a statement once
/// instead of once for each row.
final class RowSource {
  /// The name of the table. A file has no table with such a name, which SQLite reserves.
  static let name = "sqlite_entia_rows"
  /// The number of columns for the values of a row. The column after them is the order number.
  static let columnLimit = 63

  /// Returns the name of a column.
  static func column(_ index: Int) -> String { "c\(index)" }

  /// The rows that a statement reads, and the position of the statement among them. The structure
  /// has no counted references, so that reading a value retains nothing.
  fileprivate struct Reading {
    var chunk: Unmanaged<RowChunk>?
    var order = UnsafeBufferPointer<Int>(start: nil, count: 0)
    var numbers: StrideRange?
    /// The number of rows that have been read.
    var place = 0
    /// The row that is being read.
    let row: UnsafeMutablePointer<ChunkRow>

    func readRow() {
      guard place < order.count, let chunk else { return }
      row.pointee = chunk._withUnsafeGuaranteedRef { $0[order[place]] }
    }
  }

  /// Ascending numbers at equal distances.
  struct StrideRange {
    let first: Int64
    let step: Int64
  }

  private let reading = UnsafeMutablePointer<Reading>.allocate(capacity: 1)
  private let currentRow = UnsafeMutablePointer<ChunkRow>.allocate(capacity: 1)

  /// The row that the statement under way reads.
  var row: UnsafePointer<ChunkRow> { UnsafePointer(currentRow) }

  /// Creates the table of a connection. The connection must be closed before this object is
  /// released.
  /// - Throws: `SQLiteFailure`.
  init(_ connection: OpaquePointer?) throws(SQLiteFailure) {
    currentRow.initialize(to: .none)
    reading.initialize(to: Reading(row: currentRow))
    let code = sqlite3_create_module_v2(connection, Self.name, Self.module, reading, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
  }

  deinit {
    reading.deinitialize(count: 1)
    reading.deallocate()
    currentRow.deinitialize(count: 1)
    currentRow.deallocate()
  }

  /// The number of rows that the last statement had read before it ended.
  var place: Int { reading.pointee.place }

  /// Runs a statement that reads rows of a chunk.
  /// - Parameters:
  ///   - statement: The statement.
  ///   - chunk: The rows.
  ///   - order: The indices of the rows to read, in order.
  ///   - numbers: The order numbers of the rows, by the indices in the chunk; `nil` if the
  ///     statement reads no order numbers.
  /// - Throws: `SQLiteFailure`.
  func run(
    _ statement: SQLiteStatement, _ chunk: RowChunk, _ order: ArraySlice<Int>,
    numbers: StrideRange? = nil
  ) throws(SQLiteFailure) {
    let result = order.withUnsafeBufferPointer { order -> Result<Void, SQLiteFailure> in
      reading.pointee = Reading(
        chunk: .passUnretained(chunk), order: order, numbers: numbers, row: currentRow)
      defer {
        currentRow.pointee = .none
        reading.pointee.chunk = nil
        reading.pointee.order = UnsafeBufferPointer(start: nil, count: 0)
      }
      do throws(SQLiteFailure) {
        return .success(try statement.run())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

// The functions that SQLite calls.
extension RowSource {
  private struct Table {
    var base = sqlite3_vtab()
    let reading: UnsafeMutablePointer<Reading>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let reading: UnsafeMutablePointer<Reading>
  }

  private static func reading(
    of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<Reading>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).pointee.reading
  }

  // Never changed or released: connections refer to it.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { connection, reading, _, _, table, _ in
      guard let reading, let table else { return SQLITE_ERROR }
      let columns = (0...RowSource.columnLimit).map(RowSource.column).joined(separator: ", ")
      let code = sqlite3_declare_vtab(connection, "CREATE TABLE x(\(columns))")
      if code != SQLITE_OK { return code }
      let new = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      new.initialize(to: Table(reading: reading.assumingMemoryBound(to: Reading.self)))
      table.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { table, cursor in
      guard let table = UnsafeMutableRawPointer(table), let cursor else { return SQLITE_ERROR }
      let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      new.initialize(
        to: Cursor(reading: table.assumingMemoryBound(to: Table.self).pointee.reading))
      cursor.pointee = UnsafeMutableRawPointer(new)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
      guard let reading = RowSource.reading(of: cursor) else { return SQLITE_ERROR }
      reading.pointee.place = 0
      reading.pointee.readRow()
      return SQLITE_OK
    }
    module.xNext = { cursor in
      guard let reading = RowSource.reading(of: cursor) else { return SQLITE_ERROR }
      reading.pointee.place += 1
      reading.pointee.readRow()
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let reading = RowSource.reading(of: cursor) else { return 1 }
      return reading.pointee.place < reading.pointee.order.count ? 0 : 1
    }
    module.xColumn = { cursor, context, index in
      guard let reading = RowSource.reading(of: cursor) else { return SQLITE_ERROR }
      RowSource.setResult(of: context, to: Int(index), of: reading)
      return SQLITE_OK
    }
    module.xRowid = { cursor, rowID in
      guard let reading = RowSource.reading(of: cursor) else { return SQLITE_ERROR }
      rowID?.pointee = Int64(reading.pointee.place)
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }()

  @inline(__always)
  private static func setResult(
    of context: OpaquePointer?, to column: Int, of reading: UnsafeMutablePointer<Reading>
  ) {
    if column == columnLimit {
      guard let numbers = reading.pointee.numbers else { return }
      let index = Int64(reading.pointee.order[reading.pointee.place])
      return sqlite3_result_int64(context, numbers.first + numbers.step * index)
    }
    let row = reading.pointee.row.pointee
    switch row.kind(at: column) {
    case .null: break
    case .integer: sqlite3_result_int64(context, row.integer(at: column))
    case .real: sqlite3_result_double(context, row.real(at: column))
    case .text:
      let text = row.bytes(at: column)
      sqlite3_result_text64(
        context, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
        UInt8(SQLITE_UTF8))
    case .blob:
      let blob = row.bytes(at: column)
      sqlite3_result_blob64(context, blob.baseAddress, UInt64(blob.count), nil)
    }
  }
}

/// Rows that statements of a connection copy into a chunk.
///
/// A function in the condition of the statement copies the row. The statement stops only when the
/// chunk is full, because stopping at each row and looking up each of its columns takes longer than
/// copying the row.
final class TakenRows {
  private static let name = "entia_take"
  /// The number of columns that one call of the function copies. SQLite passes a function no more
  /// than 100 values by default in some versions.
  private static let columnLimit = 90

  /// The chunk of the statement under way. The structure has no counted references, so that copying
  /// a value retains nothing.
  fileprivate struct Reading {
    var chunk: Unmanaged<RowChunk>?
    var columnCount = 0
  }

  private let reading = UnsafeMutablePointer<Reading>.allocate(capacity: 1)

  /// Creates the function of a connection. The connection must be closed before this object is
  /// released.
  /// - Throws: `SQLiteFailure`.
  init(_ connection: OpaquePointer?) throws(SQLiteFailure) {
    reading.initialize(to: Reading())
    // Neither a view nor a trigger may call it.
    let code = sqlite3_create_function_v2(
      connection, Self.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, reading,
      { TakenRows.take($0, $1, $2) }, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
  }

  deinit {
    reading.deinitialize(count: 1)
    reading.deallocate()
  }

  /// Returns the statement that copies the rows of a source.
  /// - Parameters:
  ///   - columns: The columns in SQL, at least one.
  ///   - source: The source in SQL.
  static func sql(_ columns: [String], from source: String) -> String {
    // The calls are nested: each call returns the number of the columns that are already copied,
    // which is the first argument of the next call.
    let call = stride(from: 0, to: columns.count, by: columnLimit).reduce("0") { copied, start in
      let next = columns[start..<min(start + columnLimit, columns.count)]
      return "\(name)(\(copied), \(next.joined(separator: ", ")))"
    }
    return "SELECT 1 FROM \(source) WHERE \(call)"
  }

  /// Replaces the rows of a chunk by the next ones of a statement.
  /// - Parameters:
  ///   - statement: The statement.
  ///   - chunk: The chunk.
  ///   - columnCount: The number of the columns.
  /// - Returns: Whether the statement may have more rows.
  /// - Throws: `SQLiteFailure`.
  func fill(
    _ chunk: RowChunk, from statement: SQLiteStatement, columnCount: Int
  ) throws(SQLiteFailure) -> Bool {
    chunk.removeAll()
    reading.pointee = Reading(chunk: .passUnretained(chunk), columnCount: columnCount)
    defer { reading.pointee = Reading() }
    return try statement.step()
  }

  /// Copies columns of a row. The arguments are the number of the row's columns that are already
  /// copied, and the next values. The result is the new number of copied columns. After the last
  /// column, the result is 1 if the statement has to stop, otherwise 0.
  private static func take(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let values, count > 1,
      let reading = sqlite3_user_data(context)?.assumingMemoryBound(to: Reading.self),
      let chunk = reading.pointee.chunk
    else { return }
    let total = reading.pointee.columnCount
    let start = Int(sqlite3_value_int64(values[0]))
    let end = start + Int(count) - 1
    // The guard never fails, because only `sql(_:from:)` adds calls of this function to SQL.
    guard start >= 0, end <= total else { return }
    let isFull = chunk._withUnsafeGuaranteedRef { chunk in
      if start == 0 { chunk.addRow(columnCount: total) }
      chunk.set(UnsafePointer(values + 1), start..<end)
      return chunk.isFull
    }
    sqlite3_result_int64(context, end < total ? Int64(end) : isFull ? 1 : 0)
  }
}
