/// How the statements of a save change the checksum of a table's rows.
struct SumChange {
  /// The sum that the change is added to.
  enum Base {
    /// The sum that the file has.
    case recorded
    /// The sum 0, because the table was empty.
    case zero
    /// No sum. The sum has to be computed from all rows.
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
  /// The condition in SQL that reads the cells.
  let condition: String
  let cells: [SummedCell]
}

extension PartTable {
  /// Returns the cells whose old values a statement overwrites.
  /// - Parameters:
  ///   - columns: The indices of the columns.
  ///   - hasOrder: Whether the statement overwrites the order number.
  ///   - hasID: Whether the statement overwrites the separate column of the ID. A table has this
  ///     column if no member is the ID.
  ///   - prefix: The prefix of the names of the columns in SQL.
  /// - Throws: `SQLiteFailure`.
  func removedColumns(
    _ columns: some Sequence<Int>, hasOrder: Bool = false, hasID: Bool = false,
    prefix: String = ""
  ) throws(SQLiteFailure) -> RemovedColumns {
    // SQLite can prepare the statement only after `removedCells()` has created the statement's
    // function.
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
  ///   - idIndex: The index in `row` of the ID, which must be an integer. Pass `nil` if the
  ///     statement writes only one row.
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

  /// Marks the sum as unknown if SQLite converts a value of the row when it stores the value.
  func requireStored(_ columns: [Int], of row: ChunkRow) {
    for column in columns {
      let summed = summedColumns[column]
      if summed.seed != 0, !summed.stores(row.column(column)) { sumChange.base = .unknown }
    }
  }

  /// Adds the hashes of the cells of an inserted row to `sumChange`.
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The indices of the written columns.
  ///   - order: The order number.
  ///   - id: The ID.
  ///   - hasID: Whether the separate column of the ID was written.
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

  /// Adds the hashes of the cells of inserted rows to `sumChange`. The columns must have been
  /// created by Entia, so that SQLite has stored the values without conversion.
  /// - Parameters:
  ///   - chunk: The chunk that contains the rows.
  ///   - rows: The indices of the rows.
  ///   - columns: The indices of the written columns.
  ///   - numbers: The order numbers, by the indices of the rows.
  ///   - idIndex: The column of the ID.
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

  /// Marks the sum as unknown if SQLite converts the ID of a written row when it stores the ID.
  func requireStoredKey(_ id: SQLiteRow.Column) {
    if let idIndex, !summedColumns[idIndex].stores(id) { sumChange.base = .unknown }
  }

  /// The computation of the hashes of the rows that `reading()` reads.
  var rowHash: RowHash {
    var seeds = summedColumns.map(\.seed)
    if idIndex == nil { seeds.append(Self.idSeed) }
    seeds.append(Self.orderSeed)
    return RowHash(seeds: seeds, ids: [idIndex ?? columns.count])
  }

  static let orderSeed = CellHash.seed(ofColumn: orderColumn)
  static let idSeed = CellHash.seed(ofColumn: separateIDColumn)

  /// Returns the statement that lists the columns of a table, which need not exist. The result has
  /// a row for each column: its number, its name, its type, whether it is never NULL, its default
  /// value, its place in the primary key, and whether it is hidden or generated. SQLite prepares
  /// this statement in less time than an equivalent query.
  static func listingColumns(of table: String) -> String {
    "PRAGMA table_xinfo(\(SQLName.quoted(table)))"
  }
}

/// How the sum of a table includes the cells of a column.
struct SummedColumn {
  /// The conversion that SQLite applies to a stored value, depending on the type of the column.
  private enum Conversion { case none, text, number, real }

  /// The seed of the hashes of the column's cells; 0 if the sum excludes the column, because SQLite
  /// generates its values or inserts a default value.
  let seed: UInt64
  private let conversion: Conversion

  /// Creates the description of a column that Entia has created. SQLite converts no value in the
  /// column, because the column has no type or contains only integers.
  init(_ name: String) {
    seed = CellHash.seed(ofColumn: name)
    conversion = .none
  }

  /// Creates the description of a column of any table in a file.
  /// - Parameters:
  ///   - name: The name of the column.
  ///   - type: Its declared type, by which SQLite chooses the conversion.
  ///   - isComputed: Whether the column is generated or has a default value.
  init(_ name: String, type: String, isComputed: Bool) {
    seed = isComputed ? 0 : CellHash.seed(ofColumn: name)
    conversion = Self.conversion(by: type)
  }

  private static func conversion(by type: String) -> Conversion {
    switch type {
    case "": return .none
    // The types that Entia declares are compared first, because a search in the name of a type
    // takes longer.
    case "INTEGER": return .number
    case "TEXT": return .text
    default: break
    }
    let type = type.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    if has("INT") { return .number }
    if has("CHAR", "CLOB", "TEXT") { return .text }
    if has("BLOB") { return .none }
    return has("REAL", "FLOA", "DOUB") ? .real : .number
  }

  /// Whether SQLite stores a value in the column as it is.
  @inline(__always)
  func stores(_ value: SQLiteRow.Column) -> Bool {
    switch (conversion, value) {
    case (.none, _), (_, .null), (_, .blob): true
    case (.text, .text): true
    case (.number, .integer): true
    // SQLite stores -0.0 in a `real` column as an integer, and thereby loses the sign.
    case (.real, .real(let number)): number != 0 || number.sign == .plus
    default: false
    }
  }
}

/// Computes the hashes of the rows that a statement reads.
struct RowHash {
  /// The seeds of the columns of the result; 0 for those that the sum does not include.
  let seeds: [UInt64]
  /// The columns of the ID.
  let ids: [Int]

  /// Returns the sum of the hashes of a row's cells.
  @inline(__always)
  func callAsFunction(_ column: (Int) -> SQLiteRow.Column) -> UInt64 {
    var key = CellHash.emptyKey
    for id in ids { key = CellHash.key(key, adding: column(id)) }
    var sum: UInt64 = 0
    for index in seeds.indices where seeds[index] != 0 {
      sum &+= CellHash.hash(of: column(index), rowKey: key, columnSeed: seeds[index])
    }
    return sum
  }
}

extension SQLiteConnection {
  /// Returns the sum of the hashes of the rows of a table, or `nil` if there is no such table.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func sumOfRows(of table: String) throws(SQLiteFailure) -> UInt64? {
    let info = try prepare(PartTable.listingColumns(of: table))
    var names: [String] = []
    var seeds: [UInt64] = []
    var ids: [Int] = []
    while try info.step() {
      let column = SummedColumn(info)
      if info.integer(at: 5) > 0 {
        ids.append(names.count)
      } else if column.seed == 0 {
        continue
      }
      names.append(SQLName.quoted(info.text(at: 1)))
      seeds.append(column.seed)
    }
    if names.isEmpty { return nil }
    let rows = try prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLName.quoted(table)) NOT INDEXED")
    let hash = RowHash(seeds: seeds, ids: ids)
    var sum: UInt64 = 0
    while try rows.step() {
      let row = rows.row
      sum &+= hash { row.column($0) }
    }
    return sum
  }
}

extension SummedColumn {
  /// Reads the column from a row of `PartTable.listingColumns(of:)`. A column counts as computed if
  /// it is generated or has a default value.
  init(_ info: SQLiteStatement) {
    let isComputed = info.integer(at: 6) != 0 || info.kind(at: 4) != .null
    self.init(info.text(at: 1), type: info.text(at: 2), isComputed: isComputed)
  }
}
