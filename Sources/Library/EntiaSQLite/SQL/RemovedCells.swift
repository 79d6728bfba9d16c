import EntiaSystemSQLite

/// The hashes of the cells that statements of a connection overwrite or delete.
///
/// A function in the condition of the statement reads the cells, so that no statement of its own
/// has to find the row.
final class RemovedCells {
  private static let name = "entia_removed"
  /// The number of cells that one call of the function reads. SQLite passes a function no more than
  /// 100 values by default in some versions.
  private static let cellLimit = 90

  /// The cells of the statement under way. Plain words, so that reading a cell retains nothing.
  fileprivate struct Reading {
    var seeds: UnsafePointer<UInt64>?
    var seedCount = 0
    var sum: UInt64 = 0
  }

  private let reading = UnsafeMutablePointer<Reading>.allocate(capacity: 1)

  /// Creates the function of a connection, which must be closed before the object is released.
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

  /// Returns the condition that reads cells of the rows of a statement. It is always true.
  /// - Parameters:
  ///   - id: The column of the ID in SQL.
  ///   - columns: The columns in SQL.
  static func condition(id: String, columns: [String]) -> String {
    stride(from: 0, to: columns.count, by: cellLimit).map { start in
      let read = columns[start..<min(start + cellLimit, columns.count)]
      return " AND \(name)(\(start), \(([id] + read).joined(separator: ", ")))"
    }.joined()
  }

  /// Runs a statement with the condition.
  /// - Parameter seeds: The seeds of the columns.
  /// - Returns: The sum of the hashes of the cells.
  /// - Throws: The error of the closure.
  func sum(
    _ seeds: [UInt64], running body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) -> UInt64 {
    let result = seeds.withUnsafeBufferPointer { seeds -> Result<UInt64, SQLiteFailure> in
      reading.pointee = Reading(seeds: seeds.baseAddress, seedCount: seeds.count)
      defer { reading.pointee.seeds = nil }
      do throws(SQLiteFailure) {
        try body()
        return .success(reading.pointee.sum)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads the cells of a row: the index of the first cell, the ID and the cells are passed.
  private static func read(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    sqlite3_result_int(context, 1)
    guard let values, count > 1,
      let reading = sqlite3_user_data(context)?.assumingMemoryBound(to: Reading.self),
      let seeds = reading.pointee.seeds
    else { return }
    let start = Int(sqlite3_value_int64(values[0])) - 2
    let key = CellHash.key(CellHash.emptyKey, adding: SQLiteRow.column(values[1]))
    var sum: UInt64 = 0
    for index in 2..<Int(count) where start + index < reading.pointee.seedCount {
      sum &+= CellHash.hash(
        of: SQLiteRow.column(values[index]), rowKey: key, columnSeed: seeds[start + index])
    }
    reading.pointee.sum &+= sum
  }
}
