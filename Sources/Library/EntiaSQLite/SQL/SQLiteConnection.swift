import EntiaSystemSQLite
import Foundation

/// A connection to a SQLite database.
///
/// One thread at a time uses it. The owner of the connection ensures this.
package final class SQLiteConnection {
  /// How to open a database.
  enum Mode {
    case readWrite
    case readOnly
    /// Read-only, without locks and without the files of a log. No other process may change the
    /// file.
    case immutable
  }

  private(set) var handle: OpaquePointer?
  /// The absolute path, and the identity of the file that was opened there; `nil` for a database in
  /// memory.
  let opened: (path: String, file: FileIdentity?)?
  /// Whether the file was opened as a file that no other process changes.
  let isImmutable: Bool
  /// An object that is released after the connection has been closed.
  var attachment: (any AnyObject)?
  /// The lock of a connection that writes a file; it is released after the connection has been
  /// closed.
  var lock: FileLock?
  /// The log that the connection writes; `nil` if it writes none.
  var log: FileIdentity?
  /// What happens to the log when the connection is closed.
  var logEnding = LogEnding.copied
  /// The rows in memory that statements read; `nil` before they are needed.
  private var source: RowSource?
  /// The function that reads the old cells of changed rows; `nil` before it is needed.
  private var removed: RemovedCells?
  /// The function that copies rows; `nil` before it is needed.
  private var taken: TakenRows?
  private var dataNumber = KeptStatement("PRAGMA data_version")
  private var schemaNumber = KeptStatement("PRAGMA schema_version")
  private var beginning = KeptStatement("BEGIN IMMEDIATE")
  private var committing = KeptStatement("COMMIT")
  /// Whether statements of this connection run triggers. A save permits triggers only if another
  /// program has added triggers to the file.
  private(set) var runsTriggers = true
  /// Whether the last save added a version to the change log. The save may be of any storage. `nil`
  /// before the first save of this connection, and after a transaction that was rolled back.
  var addsVersions: Bool?

  /// Opens an existing database, or creates one in memory.
  /// - Parameters:
  ///   - path: The path of the file, or `nil` for a database in memory.
  ///   - mode: The access to the file.
  ///   - fileSystem: The name of SQLite's VFS; `nil` for the system's.
  /// - Throws: `SQLiteFailure`.
  init(path: String?, mode: Mode, fileSystem: String? = nil) throws(SQLiteFailure) {
    isImmutable = mode == .immutable
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path ?? ":memory:"
    switch mode {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | (path == nil ? SQLITE_OPEN_CREATE : 0)
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.escaped(name))?immutable=1"
    }
    // Without `./`, SQLite would not take a path such as `:memory:` or `file:x` as a file's name.
    if let path, mode != .immutable, path.utf8.first != UInt8(ascii: "/") { name = "./\(path)" }
    let code = sqlite3_open_v2(name, &handle, flags, fileSystem)
    opened = path.map { path in
      let folder = FileManager.default.currentDirectoryPath
      let path = path.utf8.first == UInt8(ascii: "/") ? path : "\(folder)/\(path)"
      return (path, FileIdentity(path))
    }
    if code != SQLITE_OK {
      let failure = SQLiteFailure(code, on: handle)
      sqlite3_close_v2(handle)
      handle = nil
      throw failure
    }
  }

  deinit {
    finishLog()
    releaseStatements()
    sqlite3_close_v2(handle)
    // Other threads wait until the attachment is released, and then open the file.
    lock = nil
    attachment = nil
  }

  /// Closes the connection. Its statements must have been released.
  /// - Throws: `SQLiteFailure`; the connection then stays open.
  func close() throws(SQLiteFailure) {
    finishLog()
    releaseStatements()
    let code = sqlite3_close(handle)
    if code != SQLITE_OK {
      lock?.releaseIfShared()
      throw SQLiteFailure(code, on: handle)
    }
    handle = nil
    lock = nil
    attachment = nil
  }

  private func releaseStatements() {
    dataNumber.release()
    schemaNumber.release()
    beginning.release()
    committing.release()
  }

  /// Returns SQLite's `data_version`. The number differs from an earlier result if another
  /// connection has changed the file in between.
  /// - Throws: `SQLiteFailure`.
  func dataVersion() throws(SQLiteFailure) -> Int64 { try dataNumber.read(on: handle) }

  /// Returns SQLite's `schema_version`, which each change of the schema increases.
  /// - Throws: `SQLiteFailure`.
  func schemaVersion() throws(SQLiteFailure) -> Int64 { try schemaNumber.read(on: handle) }

  /// Runs statements without parameters and without results.
  /// - Throws: `SQLiteFailure`.
  package func execute(_ sql: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: handle) }
  }

  /// Prepares a statement.
  /// - Parameters:
  ///   - sql: One statement, with `?` for values.
  ///   - isKept: Whether the statement is used many times.
  /// - Throws: `SQLiteFailure`.
  package func prepare(_ sql: String, isKept: Bool = false) throws(SQLiteFailure) -> SQLiteStatement
  {
    try SQLiteStatement(sql, on: self, isKept: isKept)
  }

  /// Runs a body in a transaction that excludes other writers. The transaction is rolled back if
  /// the body throws.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try beginning.run(on: handle)
    let result: Result
    do {
      result = try body()
      try Failpoint.reach("before commit")
      try committing.run(on: handle)
    } catch {
      // Some errors, such as a full disk, have already ended the transaction.
      if sqlite3_get_autocommit(handle) == 0 { rollBack() }
      throw error
    }
    try Failpoint.reach("after commit")
    return result
  }

  /// Runs a body. All its reads are of one version of the database.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { rollBack() }
    return try body()
  }

  /// Protects against the schemas of other programs. SQL in a schema then calls no functions with
  /// side effects, and no statement writes to SQLite's own tables.
  /// - Throws: `SQLiteFailure`.
  func distrustSchema() throws(SQLiteFailure) {
    let code = entia_sqlite_set_defensive(handle)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: handle) }
    try execute("PRAGMA trusted_schema=OFF")
  }

  /// Rolls a transaction back. A failure is ignored, because the caller reports the original error
  /// and SQLite rolls back when the file is opened again.
  private func rollBack() { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

  /// The number of rows that the last statement inserted, updated or deleted.
  var changedRows: Int { Int(sqlite3_changes(handle)) }

  /// The number of rows that all statements of the connection inserted, updated or deleted.
  var changedRowsInAll: Int { Int(sqlite3_total_changes(handle)) }

  /// The ID of the row that was inserted last into a table with integers as IDs.
  var lastInsertedID: Int64 {
    get { sqlite3_last_insert_rowid(handle) }
    set { sqlite3_set_last_insert_rowid(handle, newValue) }
  }

  /// Returns the rows in memory that statements read as a table.
  /// - Throws: `SQLiteFailure`.
  func rowSource() throws(SQLiteFailure) -> RowSource {
    if let source { return source }
    let new = try RowSource(handle)
    source = new
    return new
  }

  /// Returns the function that reads the old cells of changed and deleted rows.
  /// - Throws: `SQLiteFailure`.
  func removedCells() throws(SQLiteFailure) -> RemovedCells {
    if let removed { return removed }
    let new = try RemovedCells(handle)
    removed = new
    return new
  }

  /// Returns the function that copies rows.
  /// - Throws: `SQLiteFailure`.
  func takenRows() throws(SQLiteFailure) -> TakenRows {
    if let taken { return taken }
    let new = try TakenRows(handle)
    taken = new
    return new
  }

  /// Sets whether statements of this connection run triggers.
  /// - Throws: `SQLiteFailure`.
  func setRunsTriggers(_ runs: Bool) throws(SQLiteFailure) {
    if runsTriggers == runs { return }
    let code = entia_sqlite_set_triggers(handle, runs ? 1 : 0)
    if code != SQLITE_OK { throw SQLiteFailure(code, on: handle) }
    runsTriggers = runs
  }

  /// Returns the first value of the first row of a statement's result, or `nil` without a row.
  /// - Throws: `SQLiteFailure`.
  package func value(_ sql: String, _ values: [StoredValue] = []) throws(SQLiteFailure)
    -> StoredValue?
  {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index) }
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Returns a path in the form that a URI requires, with its special characters escaped.
  private static func escaped(_ path: String) -> String {
    var result: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"):
        result += Array("%\(String(byte, radix: 16))".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A statement without parameters that stays prepared.
private struct KeptStatement {
  private let sql: String
  // A `SQLiteStatement` would retain the connection, which owns this structure.
  private var statement: OpaquePointer?

  /// Creates the statement, which is prepared when it first runs.
  init(_ sql: String) { self.sql = sql }

  /// Runs the statement, which has no result.
  /// - Throws: `SQLiteFailure`.
  mutating func run(on connection: OpaquePointer?) throws(SQLiteFailure) {
    try step(on: connection, until: SQLITE_DONE)
    sqlite3_reset(statement)
  }

  /// Runs the statement, whose result has one row.
  /// - Returns: The number in the row.
  /// - Throws: `SQLiteFailure`.
  mutating func read(on connection: OpaquePointer?) throws(SQLiteFailure) -> Int64 {
    try step(on: connection, until: SQLITE_ROW)
    defer { sqlite3_reset(statement) }
    return sqlite3_column_int64(statement, 0)
  }

  private mutating func step(
    on connection: OpaquePointer?, until expected: Int32
  ) throws(SQLiteFailure) {
    if statement == nil {
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      let code = sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil)
      if code != SQLITE_OK { throw SQLiteFailure(code, on: connection) }
    }
    let code = sqlite3_step(statement)
    if code == expected { return }
    let failure = SQLiteFailure(code, on: connection)
    sqlite3_reset(statement)
    throw failure
  }

  /// Releases the statement. The next use prepares it again.
  mutating func release() {
    sqlite3_finalize(statement)
    statement = nil
  }
}

/// The points at which tests end the process or make a write fail.
package enum Failpoint {
  /// Called with the name of each point that a save reaches; `nil` outside tests.
  // Set once, before the first file is opened.
  nonisolated(unsafe) package static var hook: (@Sendable (String) throws -> Void)?

  /// Calls the hook with the name of a point that a save reaches.
  /// - Throws: The error of the hook.
  static func reach(_ name: String) throws {
    if let hook { try hook(name) }
  }
}

/// An error that SQLite reported.
package struct SQLiteFailure: Error, Equatable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  /// SQLite's message.
  let message: String

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xFF }

  /// Whether a row was not written because another row has its ID. The codes are the macros
  /// `SQLITE_CONSTRAINT_PRIMARYKEY` and `SQLITE_CONSTRAINT_ROWID`, which Swift does not import.
  var isRepeatedID: Bool {
    code == SQLITE_CONSTRAINT | 6 << 8 || code == SQLITE_CONSTRAINT | 10 << 8
  }

  package var description: String { "\(message) (SQLite's code \(code))" }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the error that a connection reported last.
  init(_ code: Int32, on connection: OpaquePointer?) {
    guard let connection else {
      self.init(code: code, message: String(cString: sqlite3_errstr(code)))
      return
    }
    let extended = sqlite3_extended_errcode(connection)
    // The connection may have reported another error after the error with `code`.
    guard extended & 0xFF == code & 0xFF else {
      self.init(code: code, message: String(cString: sqlite3_errstr(code)))
      return
    }
    self.init(code: extended, message: String(cString: sqlite3_errmsg(connection)))
  }
}
