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
  let seeds: [UInt64]
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
    let summed = columns.filter { summedColumns[$0].seed != 0 }
    var names = summed.map { prefix + SQLName.quoted(self.columns[$0]) }
    var seeds = summed.map { summedColumns[$0].seed }
    if hasOrder {
      names.append(prefix + Self.orderColumn)
      seeds.append(Self.orderSeed)
    }
    if hasID, idIndex == nil {
      names.append(prefix + Self.separateIDColumn)
      seeds.append(Self.idSeed)
    }
    return RemovedColumns(
      condition: RemovedCells.condition(id: prefix + quotedID, columns: names), seeds: seeds)
  }

  /// Runs a statement that removes cells.
  /// - Throws: `SQLiteFailure`.
  func removing(
    _ removed: RemovedColumns, by body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    sumChange.isWritten = true
    let sum = try connection.removedCells().sum(removed.seeds, running: body)
    sumChange.difference &-= sum
  }

  /// Adds the cells of a row that was written.
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The indices of the written columns.
  ///   - order: The order number, if it was written.
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

  /// Lists the columns of a table: the name, the place in the primary key, the type, and whether
  /// SQLite computes values.
  static let columnsOfTable = """
    SELECT name, pk, type, hidden<>0 OR dflt_value IS NOT NULL FROM pragma_table_xinfo(?)
    """
}
