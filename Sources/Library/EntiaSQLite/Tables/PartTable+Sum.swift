/// The change of a table's sum by the statements of a save.
struct SumChange {
  /// The sum that the change is added to.
  enum Base {
    /// The sum that the file has.
    case recorded
    /// 0: the table was empty.
    case zero
    /// None: the sum has to be computed anew.
    case unknown
  }

  var base = Base.recorded
  /// The sum of the hashes of the added cells, minus that of the removed ones.
  var difference: UInt64 = 0
  /// Whether statements have written the table.
  var isWritten = false
}

/// The cells that a statement removes.
struct RemovedColumns {
  /// The condition that reads them, in SQL.
  let condition: String
  let cells: [SummedCell]
}

extension PartTable {
  /// Returns the cells that a statement removes when it overwrites columns.
  /// - Parameters:
  ///   - columns: The indices of the columns.
  ///   - hasOrder: Whether the order number is among them.
  ///   - hasID: Whether the ID's column of its own is among them.
  ///   - prefix: The prefix of the names of the columns in SQL.
  /// - Throws: `SQLiteFailure`.
  func removedColumns(
    _ columns: some Sequence<Int>, hasOrder: Bool = false, hasID: Bool = false,
    prefix: String = ""
  ) throws(SQLiteFailure) -> RemovedColumns {
    // The statement can then be prepared.
    _ = try connection.removedCells()
    var cells = summedCells(columns)
    var names = cells.map { prefix + SQLName.quoted(self.columns[$0.column]) }
    if hasOrder {
      names.append(prefix + Self.orderColumn)
      cells.append(.init(column: .max, seed: Self.orderSeed))
    }
    if hasID, idIndex == nil {
      names.append(prefix + Self.separateIDColumn)
      cells.append(.init(column: .max, seed: Self.idSeed))
    }
    return RemovedColumns(
      condition: RemovedCells.condition(id: prefix + quotedID, columns: names), cells: cells)
  }

  /// Returns the cells of columns that the sum includes.
  private func summedCells(_ columns: some Sequence<Int>) -> [SummedCell] {
    columns.map { SummedCell(column: $0, seed: summedColumns[$0].seed) }.filter { $0.seed != 0 }
  }

  /// Runs a statement that removes cells.
  /// - Parameters:
  ///   - removed: The cells.
  ///   - row: The row with the cells that are written instead; `nil` for none.
  ///   - idIndex: The index of the integer that is the ID in the row, if the statement writes
  ///     several rows one after the other.
  /// - Throws: `SQLiteFailure`.
  func removing(
    _ removed: RemovedColumns, writing row: UnsafePointer<ChunkRow>? = nil, idIndex: Int? = nil,
    by body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    sumChange.isWritten = true
    let change = try connection.removedCells()
      .change(of: removed.cells, to: row, idIndex: idIndex, running: body)
    sumChange.difference &+= change.difference
    if !change.isKnown { sumChange.base = .unknown }
  }

  /// Notes that the sum is unknown if the table stores other values than those of a row.
  func requireStored(_ columns: [Int], of row: ChunkRow) {
    for column in columns {
      let summed = summedColumns[column]
      if summed.seed != 0, !summed.stores(row.column(column)) { sumChange.base = .unknown }
    }
  }

  /// Adds the cells of a row that was inserted.
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The indices of the written columns.
  ///   - order: The order number.
  ///   - id: The ID.
  ///   - hasID: Whether the ID's column of its own was written.
  @inline(__always)
  func addCells(
    of row: ChunkRow, _ columns: [Int], order: Int64?, id: SQLiteRow.Column, hasID: Bool
  ) {
    let key = CellHash.key(CellHash.emptyKey, adding: id)
    var sum: UInt64 = 0
    for index in columns {
      let column = summedColumns[index]
      if column.seed == 0 { continue }
      let value = row.column(index)
      if !column.stores(value) { sumChange.base = .unknown }
      sum &+= CellHash.hash(of: value, rowKey: key, columnSeed: column.seed)
    }
    if let order {
      sum &+= CellHash.hash(of: .integer(order), rowKey: key, columnSeed: Self.orderSeed)
    }
    if hasID { sum &+= CellHash.hash(of: id, rowKey: key, columnSeed: Self.idSeed) }
    sumChange.isWritten = true
    sumChange.difference &+= sum
  }

  /// Adds the cells of rows of a chunk that were inserted into a table that converts no values.
  /// - Parameters:
  ///   - rows: The indices of the rows.
  ///   - columns: The indices of the written columns.
  ///   - numbers: The order numbers of the rows by their indices.
  func addCells(
    of chunk: RowChunk, _ rows: ArraySlice<Int>, _ columns: [Int],
    _ numbers: RowSource.StrideRange, idIndex: Int
  ) {
    let cells = summedCells(columns)
    let orderSeed = Self.orderSeed
    var sum: UInt64 = 0
    for index in rows {
      let row = chunk[index]
      let key = CellHash.key(CellHash.emptyKey, adding: row.column(idIndex))
      for cell in cells {
        sum &+= CellHash.hash(
          of: row.column(cell.column), rowKey: key, columnSeed: cell.seed)
      }
      sum &+= CellHash.hash(
        of: .integer(numbers.first + numbers.step * Int64(index)), rowKey: key,
        columnSeed: orderSeed)
    }
    sumChange.isWritten = true
    sumChange.difference &+= sum
  }

  /// Notes that the sum is unknown if the table stores another value as the ID of a written row.
  func requireStoredKey(_ id: SQLiteRow.Column) {
    if let idIndex, !summedColumns[idIndex].stores(id) { sumChange.base = .unknown }
  }

  /// Returns the computation of the hashes of the rows that `reading()` reads.
  var rowHash: RowHash {
    var seeds = summedColumns.map(\.seed)
    if idIndex == nil { seeds.append(Self.idSeed) }
    seeds.append(Self.orderSeed)
    return RowHash(seeds: seeds, ids: [idIndex ?? columns.count])
  }

  static let orderSeed = CellHash.seed(ofColumn: orderColumn)
  static let idSeed = CellHash.seed(ofColumn: separateIDColumn)

  /// Returns the statement that lists the columns of a table, which need not exist: a number, the
  /// name, the type, whether it is never NULL, the default value, the place in the primary key, and
  /// whether it is hidden or generated. SQLite prepares it in less time than a query of the same.
  static func listingColumns(of table: String) -> String {
    "PRAGMA table_xinfo(\(SQLName.quoted(table)))"
  }
}
