/// The sums of the hashes of the rows of tables, in `entia_file`. A load compares the sums with the
/// loaded rows, so that it never returns rows that a damaged page has changed.
///
/// A save updates the sum of each table that it writes. Other programs do not update sums. When
/// another program changes rows, triggers set the sum to NULL. When another program changes tables,
/// SQLite's schema version differs from the recorded version. A file of an earlier version has no
/// sums.
///
/// The next save computes a missing sum, and counts an edit by `countEdit()`. Processes that follow
/// the file then load the rows, because the log of the file does not contain the changes of other
/// programs.
///
/// One thread at a time uses the object.
final class RowSums {
  private let connection: SQLiteConnection
  private var moving: SQLiteStatement?
  private var lookingForEdits: SQLiteStatement?
  private var countingEdits: SQLiteStatement?
  /// SQLite's schema version that the file recorded with the sums; `nil` if it is unknown.
  private(set) var schema: Int64?
  /// The result of `SQLiteConnection.dataVersion()` when `sums` was read.
  private var changesByOthers: Int64?
  /// The sums that the file has, by table.
  private var sums: [String: Int64] = [:]
  /// The number of edits that this object has counted, also in transactions that were rolled back.
  private(set) var countedEdits: Int64 = 0

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Releases all statements.
  func releaseStatements() {
    moving = nil
    lookingForEdits = nil
    countingEdits = nil
  }

  /// Releases all statements, and makes the next `begin()` read the recorded sums. Called after
  /// another process has written the file, or after a transaction was rolled back.
  func reset() {
    releaseStatements()
    schema = nil
  }

  /// Begins a transaction that writes rows: reads the recorded sums if others may have changed the
  /// file.
  /// - Throws: `SQLiteFailure`.
  func begin() throws(SQLiteFailure) {
    let current = try connection.schemaVersion()
    let changes = try connection.dataVersion()
    if current == schema, changes == changesByOthers { return }
    changesByOthers = changes
    try connection.setRunsTriggers(connection.hasForeignTriggers)
    schema = try connection.recordedSchemaVersion()
    sums = [:]
    if connection.runsTriggers {
      // The sums are deleted, because a trigger may change rows without changing their sum.
      try connection.execute(
        "DELETE FROM entia_file WHERE key GLOB '\(EditTriggers.sumPrefix)*'")
    } else if schema == current {
      let recorded = try connection.prepare(SQLiteConnection.recordedSums)
      while try recorded.step() { sums[recorded.text(at: 0)] = recorded.integer(at: 1) }
    } else {
      // Another program may have changed any table.
      try connection.execute(
        "UPDATE entia_file SET value=NULL WHERE key GLOB '\(EditTriggers.sumPrefix)*'")
    }
  }

  /// Records the sums at the end of a transaction. The transaction must not change the schema after
  /// this call.
  /// - Parameters:
  ///   - tables: The tables of a storage.
  ///   - headerIsChanged: Whether the tables that describe the file have changed.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(1) for a table that has a sum, O(*n*) for another.
  func end(_ tables: [PartTable], headerIsChanged: Bool) throws(SQLiteFailure) {
    var isEdited = false
    for table in tables where table.exists {
      let change = table.sumChange
      table.sumChange = SumChange()
      if let sum = sums[table.name] {
        if !change.isWritten { continue }
        if change.base == .recorded {
          if try move(table.name, sum, by: change.difference) { continue }
          isEdited = true
        }
      } else if change.base != .zero {
        isEdited = true
      }
      try record(change.base == .zero ? change.difference : nil, of: table.name)
    }
    if headerIsChanged || sums["entia_parts"] == nil {
      for table in FileHeader.summedTables { try record(nil, of: table) }
    }
    // While triggers run, the file has no sums. Readers then load the rows even if no edit is
    // counted.
    if isEdited, !connection.runsTriggers { try countEdit() }
    try recordSchema()
  }

  /// Computes and records all sums anew.
  /// - Parameter tables: The names of the tables of a storage, which need not exist.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func recordAll(of tables: [String]) throws(SQLiteFailure) {
    // A renamed table has the triggers of its former name.
    for table in tables { try EditTriggers.remove(from: table, connection) }
    for table in tables + FileHeader.summedTables { try record(nil, of: table) }
    try countEdit()
    try recordSchema()
  }

  private func recordSchema() throws(SQLiteFailure) {
    let current = try connection.schemaVersion()
    if current == schema { return }
    try connection.recordSchemaVersion(current)
    schema = current
  }

  /// Adds `difference` to the recorded sum of a table.
  /// - Returns: Whether the recorded sum was `sum`. If not, another program has changed the table,
  ///   and the sum is unchanged.
  private func move(
    _ table: String, _ sum: Int64, by difference: UInt64
  ) throws(SQLiteFailure) -> Bool {
    let statement: SQLiteStatement
    if let moving {
      statement = moving
    } else {
      statement = try connection.prepare(
        "UPDATE entia_file SET value=? WHERE key=? AND value=?", isKept: true)
      moving = statement
    }
    let new = sum &+ Int64(bitPattern: difference)
    try statement.bind(new, at: 0)
    try statement.bind(.text(EditTriggers.sumKey(of: table)), at: 1)
    try statement.bind(sum, at: 2)
    try statement.run()
    guard connection.changedRows == 1 else { return false }
    sums[table] = new
    return true
  }

  /// Records the sum of a table, if the table exists and no triggers of other programs run.
  /// - Parameter sum: The sum; `nil` to compute it.
  private func record(_ sum: UInt64?, of table: String) throws(SQLiteFailure) {
    if connection.runsTriggers { return }
    let found = if let sum { sum } else { try connection.sumOfRows(of: table) }
    guard let found else { return }
    try EditTriggers.create(on: table, connection)
    let number = Int64(bitPattern: found)
    try connection.setEntry(EditTriggers.sumKey(of: table), .integer(number))
    sums[table] = number
  }
}

/// What a file records about edits by other programs.
struct RecordedEdits: Sendable {
  /// The result of `SQLiteConnection.dataVersion()`.
  var changes: Int64?
  /// The number of edits that the file has recorded; `nil` if another program may have edited rows
  /// after the last save.
  var count: Int64?
  /// The sum of the versions of all storages in the file.
  var versions: Int64 = 0
}

// Edits by other programs.
extension RowSums {
  /// Increases the number of edits in the file after a change that the log does not contain. A
  /// reader loads the rows if the number differs from the number at its last load.
  /// - Throws: `SQLiteFailure`.
  func countEdit() throws(SQLiteFailure) {
    countedEdits += 1
    let statement: SQLiteStatement
    if let countingEdits {
      statement = countingEdits
    } else {
      statement = try connection.prepare(
        """
        INSERT INTO entia_file VALUES ('\(SQLiteConnection.editsKey)', 1)
        ON CONFLICT(key) DO UPDATE SET value=value+1
        """, isKept: true)
      countingEdits = statement
    }
    try statement.run()
  }

  /// Calls `countEdit()` if this save adds a version and the previous save of the file did not, or
  /// the other way round. The two saves may be of different storages. After `countEdit()`, readers
  /// load the rows. Otherwise, a reader that finds a new version would not notice that an earlier
  /// save added no version.
  /// - Parameters:
  ///   - addsVersion: Whether a version is added after the call.
  ///   - log: The log of any storage.
  /// - Throws: `SQLiteFailure`.
  func noteSave(addsVersion: Bool, in log: ChangeLog) throws(SQLiteFailure) {
    if connection.addsVersions == addsVersion { return }
    let key = SQLiteConnection.saveWithoutVersionKey
    let entry = try connection.value("SELECT 1 FROM entia_file WHERE key='\(key)'")
    // `former` is `true` if the previous save added a version, and `false` if there is no version.
    let versions = try log.versionsInAll()
    let former = versions > 0 && entry == nil
    connection.addsVersions = addsVersion
    if former == addsVersion { return }
    try countEdit()
    try connection.setEntry(key, addsVersion ? nil : .integer(1))
  }

  /// Returns the number of edits that the file has recorded. Returns `nil` if a sum is missing or
  /// the schema has changed, because another program may have edited rows after the last save.
  /// - Parameters:
  ///   - storage: The name of the storage.
  ///   - isRead: Returns whether the caller reads the rows of a part.
  /// - Throws: `SQLiteFailure`.
  func edits(of storage: String, where isRead: (String) -> Bool) throws(SQLiteFailure) -> Int64? {
    let described = "SELECT 1 FROM sqlite_schema WHERE name='entia_file'"
    if lookingForEdits == nil, try connection.value(described) == nil { return 0 }
    let statement: SQLiteStatement
    if let lookingForEdits {
      statement = lookingForEdits
    } else {
      statement = try connection.prepare(SQLiteConnection.edits, isKept: true)
      lookingForEdits = statement
    }
    defer { statement.reset() }
    try statement.bind(.text(storage), at: 0)
    var count: Int64 = 0
    while try statement.step() {
      if statement.value(at: 0) == .null {
        count = statement.integer(at: 1)
        if try statement.integer(at: 2) != connection.schemaVersion() { return nil }
      } else if isRead(statement.text(at: 0)) {
        return nil
      }
    }
    return count
  }
}

extension SQLiteConnection {
  /// The statement whose first row contains the number of edits and the recorded schema version.
  /// Each further row contains the name of a part whose table has no sum.
  fileprivate static let edits = """
    SELECT NULL, (SELECT value FROM entia_file WHERE key='\(editsKey)'),
      (SELECT value FROM entia_file WHERE key='\(schemaVersionKey)')
    UNION ALL
    SELECT part, NULL, NULL FROM entia_parts AS parts WHERE storage=?
      AND NOT EXISTS (SELECT 1 FROM entia_file
        WHERE key='\(EditTriggers.sumPrefix)' || parts.name AND typeof(value)='integer')
      AND EXISTS (SELECT 1 FROM sqlite_schema
        WHERE type='table' AND name=parts.name COLLATE NOCASE)
    """

  fileprivate static let schemaVersionKey = "schema version"
  /// The key of the number of edits.
  fileprivate static let editsKey = "edits"
  /// The key of an entry that exists if the last save added no version.
  fileprivate static let saveWithoutVersionKey = "save without version"

  /// Returns the schema version that was recorded with the sums; `nil` if none was recorded.
  fileprivate func recordedSchemaVersion() throws(SQLiteFailure) -> Int64? {
    if case .integer(let number) = try entry(Self.schemaVersionKey) { number } else { nil }
  }

  /// Whether a program that is not Entia has changed the tables since the sums were recorded.
  /// - Throws: `SQLiteFailure`.
  func hasChangedSchema() throws(SQLiteFailure) -> Bool {
    guard let recorded = try recordedSchemaVersion() else { return false }
    return try recorded != schemaVersion()
  }

  fileprivate func recordSchemaVersion(_ number: Int64) throws(SQLiteFailure) {
    try setEntry(Self.schemaVersionKey, .integer(number))
  }

  /// The statement that lists the tables with their sums.
  fileprivate static let recordedSums = """
    SELECT substr(key, \(EditTriggers.sumPrefix.utf8.count + 1)), value FROM entia_file NOT INDEXED
    WHERE key GLOB '\(EditTriggers.sumPrefix)*' AND typeof(value)='integer' ORDER BY key
    """

  /// Returns the recorded sum of the hashes of a table's rows. The sum is NULL if another program
  /// has changed the rows. Returns `nil` if no sum is recorded.
  /// - Throws: `SQLiteFailure`.
  func recordedSum(of table: String) throws(SQLiteFailure) -> StoredValue? {
    try entry(EditTriggers.sumKey(of: table))
  }

  /// Checks that a table has the rows that were saved.
  /// - Parameters:
  ///   - table: The name of the table in messages.
  ///   - found: The sum of the hashes of its rows.
  ///   - recorded: The recorded sum.
  /// - Returns: Whether another program has changed the table.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`.
  @discardableResult
  func requireSum(of table: String, found: UInt64, recorded: StoredValue?) throws -> Bool {
    guard let recorded, recorded != .integer(Int64(bitPattern: found)) else { return false }
    if recorded == .null { return true }
    // If the schema has changed, another program may have changed the columns, and thereby the sum.
    if try recordedSchemaVersion() != schemaVersion() { return true }
    throw FileHeader.Damaged(
      reason: """
        table \(table) does not have the rows that were saved (the sum of their hashes differs): \
        restore a backup, or copy what is left with 'sqlite3 FILE .recover'
        """)
  }

  /// Checks that tables have the rows that were saved. A table without a sum passes.
  /// - Parameter tables: The names of the tables; `nil` for all.
  /// - Throws: `SQLiteFailure`, `FileHeader.Damaged`.
  /// - Complexity: O(*n*).
  func requireSums(of tables: [String]? = nil) throws {
    // All reads are of one version of the file, because the statement stays active.
    let recorded = try prepare(Self.recordedSums)
    while try recorded.step() {
      let table = recorded.text(at: 0)
      if let tables, !tables.contains(table) { continue }
      try requireSum(
        of: table, found: sumOfRows(of: table) ?? 0, recorded: recorded.value(at: 1))
    }
  }

  /// Runs a body that changes SQLite's schema version, but no rows of tables. Then records the new
  /// version, so that the sums remain valid.
  /// - Parameter target: The connection to the file whose schema version changes.
  /// - Throws: `SQLiteFailure`; the errors of the body.
  func keepingSums(
    on target: SQLiteConnection, _ body: () throws -> Void
  ) throws {
    let isDescribed = try value("SELECT 1 FROM sqlite_schema WHERE name='entia_file'") != nil
    let isCurrent = try isDescribed && recordedSchemaVersion() == schemaVersion()
    try body()
    guard isCurrent else { return }
    try target.recordSchemaVersion(target.schemaVersion())
  }
}
