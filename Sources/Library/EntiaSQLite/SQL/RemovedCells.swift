import EntiaSystemSQLite

/// The hashes of the old and the new cells of statements that update or delete rows.
///
/// A function in the condition of such a statement reads the old cells, so that no separate
/// statement has to look up the row. Cells that do not change are compared, but not hashed.
final class RemovedCells {
  private static let name = "entia_removed"
  /// The number of cells that one call of the function reads. SQLite passes a function no more than
  /// 100 values by default in some versions.
  private static let cellLimit = 90

  /// The cells of the statement under way. The structure has no counted references, so that reading
  /// a cell retains nothing.
  fileprivate struct Reading {
    var cells = UnsafeBufferPointer<SummedCell>(start: nil, count: 0)
    /// The row that is written; if `nil`, the new values count as NULL, whose hash is 0.
    var row: UnsafePointer<ChunkRow>?
    /// The index in `row` of the ID, which is an integer; `nil` if the statement writes one row.
    var idIndex: Int?
    var change = CellChange()
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
      { RemovedCells.read($0, $1, $2) }, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
  }

  deinit {
    reading.deinitialize(count: 1)
    reading.deallocate()
  }

  /// Returns an SQL condition that is always true. When a statement evaluates it for a row, the
  /// row's cells are read.
  /// - Parameters:
  ///   - id: The column of the ID in SQL.
  ///   - columns: The columns in SQL.
  static func condition(id: String, columns: [String]) -> String {
    stride(from: 0, to: columns.count, by: cellLimit).map { start in
      let read = columns[start..<min(start + cellLimit, columns.count)]
      return " AND \(name)(\(start), \(([id] + read).joined(separator: ", ")))"
    }.joined()
  }

  /// Runs a statement that contains `condition(id:columns:)`.
  /// - Parameters:
  ///   - cells: The cells that the condition reads.
  ///   - row: The new version of the row; if `nil`, the new values count as NULL.
  ///   - idIndex: The index in `row` of the ID, which must be an integer. Pass `nil` if the
  ///     statement writes only one row.
  /// - Returns: The amount by which the new values of `cells` change the sum of the hashes.
  /// - Throws: The error of the closure.
  func change(
    of cells: [SummedCell], to row: UnsafePointer<ChunkRow>?, idIndex: Int? = nil,
    running body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) -> CellChange {
    let result = cells.withUnsafeBufferPointer { cells -> Result<CellChange, SQLiteFailure> in
      reading.pointee = Reading(cells: cells, row: row, idIndex: idIndex)
      defer { reading.pointee = Reading() }
      do throws(SQLiteFailure) {
        try body()
        return .success(reading.pointee.change)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads the cells of a row. The arguments are the index of the first cell, the ID and the cells.
  private static func read(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    sqlite3_result_int(context, 1)
    guard let values, count > 1,
      let reading = sqlite3_user_data(context)?.assumingMemoryBound(to: Reading.self)
    else { return }
    let start = Int(sqlite3_value_int64(values[0]))
    let cells = reading.pointee.cells
    // The guard never fails, because only `condition(id:columns:)` adds calls of this function to
    // SQL.
    guard start >= 0, start + Int(count) - 2 <= cells.count else { return }
    let id = SQLiteRow.column(values[1])
    let row = reading.pointee.row?.pointee ?? ChunkRow.none
    if let idIndex = reading.pointee.idIndex, !row.has(id, at: idIndex) {
      // `row` is not the new version of the row that SQLite is writing, because the IDs differ.
      reading.pointee.change.isKnown = false
    }
    let key = CellHash.key(CellHash.emptyKey, adding: id)
    var sum: UInt64 = 0
    for index in 0..<Int(count) - 2 {
      let cell = cells[start + index]
      let old = SQLiteRow.column(values[index + 2])
      if row.has(old, at: cell.column) { continue }
      sum &+= CellHash.hash(of: row.column(cell.column), rowKey: key, columnSeed: cell.seed)
      sum &-= CellHash.hash(of: old, rowKey: key, columnSeed: cell.seed)
    }
    reading.pointee.change.difference &+= sum
  }
}

/// A cell whose hash is included in the sum of its table.
struct SummedCell {
  /// The index of the column among the members; `.max` if the column is not that of a member.
  let column: Int
  /// The seed of the hashes of the column's cells.
  let seed: UInt64
}

/// The change of a sum of hashes.
struct CellChange {
  /// The hashes of the new cells minus those of the former ones.
  var difference: UInt64 = 0
  /// Whether the cells of each row have been compared with those of its new version.
  var isKnown = true
}
