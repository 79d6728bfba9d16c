import EntiaSystemSQLite

/// The recorded numbers of the rows of tables. SQLite may lose the rows of a damaged page without
/// an error. The recorded number then differs from the number of the rows that are left.
///
/// `entia_file` has the number of rows of each table that Entia writes. A file of an earlier
/// version has no numbers before its next save. Other programs that change rows do not update the
/// numbers.
extension SQLiteConnection {
  /// Returns the key in `entia_file` of the number of a table's rows.
  static func rowCountKey(of table: String) -> String { "\(rowCountPrefix)\(table)" }
  private static let rowCountPrefix = "rows of "

  /// Returns the recorded number of the rows of a table; `nil` if none is recorded.
  /// - Throws: `SQLiteFailure`.
  func recordedRowCount(of table: String) throws(SQLiteFailure) -> Int64? {
    if case .integer(let count) = try entry(Self.rowCountKey(of: table)) { count } else { nil }
  }

  /// Records the number of the rows of a table, or removes the record if `count` is `nil`.
  /// - Throws: `SQLiteFailure`.
  func recordRowCount(_ count: Int64?, of table: String) throws(SQLiteFailure) {
    try setEntry(Self.rowCountKey(of: table), count.map { .integer($0) })
  }

  /// Returns the number of the rows of a table. The rows are counted in the table and not in an
  /// index, because an index may still have the rows of a damaged page.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func countRows(of table: String) throws(SQLiteFailure) -> Int64 {
    let value = try value("SELECT count(*) FROM \(SQLName.quoted(table)) NOT INDEXED")
    if case .integer(let count) = value { return count }
    return 0
  }

  /// Checks that a table has lost no rows by damage. A number of rows that differs from the
  /// recorded number does not prove damage, because another program may have changed the table.
  /// SQLite therefore checks the file.
  /// - Parameters:
  ///   - table: The name of the table in messages.
  ///   - found: The number of the table's rows; `nil` if the file does not have the table.
  ///   - recorded: The recorded number; `nil` if none is recorded.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`, `FileHeader.Changed`.
  func requireRows(of table: String, found: Int64?, recorded: Int64?) throws {
    guard let recorded, recorded != found ?? 0 else { return }
    let advice = "restore a backup, or copy what is left with 'sqlite3 FILE .recover'"
    guard let found else {
      let lack = "it has no table \(table), which had \(recorded) rows"
      guard try hasChangedSchema() else { throw FileHeader.Damaged(reason: "\(lack): \(advice)") }
      throw FileHeader.Changed(reason: "\(lack): \(try reasonOfLack(of: table))")
    }
    guard let problem = try problems(limit: 1).first else { return }
    throw FileHeader.Damaged(
      reason: "table \(table) has \(found) of \(recorded) rows (\(problem)): \(advice)")
  }

  /// Returns a sentence on what another program has done to a missing table. The triggers of a
  /// renamed table show its new name.
  private func reasonOfLack(of table: String) throws(SQLiteFailure) -> String {
    guard let name = try EditTriggers.renamedTable(table, self) else {
      return "another program removed or renamed it: restore a backup, or rename it back"
    }
    return """
      another program renamed it to \(name): 'ALTER TABLE \(SQLName.quoted(name)) RENAME TO \
      \(SQLName.quoted(table))' in SQLite takes that back
      """
  }

  /// Checks that damage has neither removed nor changed rows of a table of the file.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`, `FileHeader.Changed`.
  /// - Complexity: O(*n*).
  func requireAllRows() throws {
    let start = Self.rowCountPrefix.utf8.count + 1
    let counts = try prepare(
      """
      SELECT substr(key, \(start)), value, tables.name
      FROM entia_file LEFT JOIN sqlite_schema AS tables
      ON tables.type='table' AND tables.name=substr(key, \(start)) COLLATE NOCASE
      WHERE key GLOB '\(Self.rowCountPrefix)*' ORDER BY key
      """)
    while try counts.step() {
      let table = counts.text(at: 0)
      let found = try counts.value(at: 2) == .null ? nil : countRows(of: table)
      try requireRows(of: table, found: found, recorded: counts.integer(at: 1))
    }
    try requireSums()
  }

  /// Returns the problems that SQLite finds in the structure of the file, and the differences
  /// between its indexes and their tables.
  /// - Parameter limit: The number of problems after which the check ends.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n* log *n*).
  package func problems(limit: Int) throws(SQLiteFailure) -> [String] {
    do {
      return try problems("integrity_check", limit)
    } catch {
      // An index may need a function that only the program that created the index has.
      // `quick_check` does not compare indexes with their tables.
      guard error.primaryCode == SQLITE_ERROR else { throw error }
      return try problems("quick_check", limit)
    }
  }

  private func problems(_ check: String, _ limit: Int) throws(SQLiteFailure) -> [String] {
    let check = try prepare("PRAGMA \(check)(\(limit))")
    var problems: [String] = []
    while try check.step() {
      // A heading with the name of the database may precede a problem in the same text.
      problems += check.text(at: 0).split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("***") }
    }
    return problems == ["ok"] ? [] : problems
  }
}
