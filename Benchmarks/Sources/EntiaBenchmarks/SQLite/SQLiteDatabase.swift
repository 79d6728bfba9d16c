#if canImport(CSQLite)
  import CSQLite

  /// A database of the system's SQLite for one thread, in memory or in a file.
  final class SQLiteDatabase {
    private let handle: OpaquePointer

    /// Opens a database in memory.
    convenience init() throws { try self.init(":memory:", flags: SQLITE_OPEN_MEMORY) }

    /// Opens or creates a file, whose transactions survive power loss.
    convenience init(path: String) throws {
      try self.init(path, flags: 0)
      try execute(
        """
        PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
        PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON
        """)
    }

    private init(_ name: String, flags: Int32) throws {
      var handle: OpaquePointer?
      let flags = flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
      let code = sqlite3_open_v2(name, &handle, flags, nil)
      guard code == SQLITE_OK, let handle else {
        sqlite3_close_v2(handle)
        throw SQLiteError(action: "opening \(name)", code: code)
      }
      self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ text: String) throws {
      let code = sqlite3_exec(handle, text, nil, nil, nil)
      guard code == SQLITE_OK else { throw SQLiteError(action: text, code: code) }
    }

    func prepare(_ text: String) throws -> SQLiteStatement {
      var statement: OpaquePointer?
      let code = sqlite3_prepare_v3(
        handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard code == SQLITE_OK, let statement else { throw SQLiteError(action: text, code: code) }
      return SQLiteStatement(statement, text, of: self)
    }

    /// Runs the body in a transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
      try execute("BEGIN")
      let result = try body()
      try execute("COMMIT")
      return result
    }
  }

  /// A prepared statement.
  final class SQLiteStatement {
    private let handle: OpaquePointer
    private let text: String
    /// The database, which must exist as long as the statement.
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer, _ text: String, of database: SQLiteDatabase) {
      self.handle = handle
      self.text = text
      self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ value: Int, at place: Int32) {
      sqlite3_bind_int64(handle, place, Int64(value))
    }

    func bind(_ value: Double, at place: Int32) { sqlite3_bind_double(handle, place, value) }

    func bindNull(at place: Int32) { sqlite3_bind_null(handle, place) }

    func bind(_ value: String, at place: Int32) {
      var value = value
      value.withUTF8 { bytes in
        // `SQLITE_TRANSIENT`, a cast that is not imported: SQLite makes its own copy.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, place, start, Int32(bytes.count), copies)
      }
    }

    /// Moves to the next row. Returns `false` if there is none; the statement can then be used
    /// again.
    func step() throws -> Bool {
      let code = sqlite3_step(handle)
      if code == SQLITE_ROW { return true }
      sqlite3_reset(handle)
      guard code == SQLITE_DONE else { throw SQLiteError(action: text, code: code) }
      return false
    }

    /// Runs a statement that returns no rows.
    func run() throws { while try step() {} }

    /// Resets the statement and skips its remaining rows.
    func reset() { sqlite3_reset(handle) }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func string(_ column: Int32) -> String {
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column))
      )
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The error of an SQLite call.
  struct SQLiteError: Error, CustomStringConvertible {
    let action: String
    let code: Int32

    var description: String { "SQLite, \(action): \(String(cString: sqlite3_errstr(code)))" }
  }
#endif
