/// A column of a table whose cells the sum of the table includes.
struct SummedColumn {
  /// The conversion of values that SQLite stores in a column with a type.
  private enum Conversion { case none, text, number, real }

  /// The seed of the hashes of the column's cells; 0 if the sum does not include them, because
  /// SQLite computes them.
  let seed: UInt64
  private let conversion: Conversion

  /// Creates a column that Entia creates: without a type, or with integers alone.
  init(_ name: String) {
    seed = CellHash.seed(ofColumn: name)
    conversion = .none
  }

  /// Creates a column of a table in a file.
  /// - Parameters:
  ///   - name: The name of the column.
  ///   - type: Its declared type, by which SQLite chooses the conversion.
  ///   - isComputed: Whether it is generated, or has a default value.
  init(_ name: String, type: String, isComputed: Bool) {
    seed = isComputed ? 0 : CellHash.seed(ofColumn: name)
    conversion = Self.conversion(by: type)
  }

  private static func conversion(by type: String) -> Conversion {
    switch type {
    case "": return .none
    // The types that Entia declares, without a search for parts.
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
    // SQLite stores -0.0 as an integer there.
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
  /// Reads the column from a row of `PartTable.listingColumns(of:)`. Those that SQLite computes are
  /// generated or have a default value.
  init(_ info: SQLiteStatement) {
    let isComputed = info.integer(at: 6) != 0 || info.kind(at: 4) != .null
    self.init(info.text(at: 1), type: info.text(at: 2), isComputed: isComputed)
  }
}
