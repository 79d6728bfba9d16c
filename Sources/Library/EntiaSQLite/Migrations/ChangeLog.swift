import EntiaSharing
import Foundation

/// The changes of the last versions of a storage, in the table `entia_log` of its file.
///
/// Each batch of a sharing process adds a version. A save of a sole writer adds a version only
/// while another process follows the file. A version usually contains the changes since the version
/// before. It contains no changes if more than `maximumChanges` rows have changed, or if earlier
/// saves added no version. Readers then load the whole file. One thread at a time uses the log.
final class ChangeLog {
  /// The maximum number of versions that are kept with their changes.
  static let maximumCount: Int64 = 1_024
  /// The maximum size in bytes of the kept changes.
  static let maximumSize: Int64 = 1 << 20
  /// The maximum number of changed rows of a version. If more rows have changed, the version has no
  /// changes in the log.
  static let maximumChanges = 256
  /// The number of versions after which the log is trimmed again.
  private static let trimmingInterval: Int64 = 64
  /// The number of versions after which the last batch of a client is no longer recognized.
  private static let clientAge: Int64 = 1 << 20

  private let connection: SQLiteConnection
  private let storage: String
  private var exists = false
  private var findingPosition: SQLiteStatement?
  private var findingOrigin: SQLiteStatement?
  private var findingVersions: SQLiteStatement?
  private var summing: SQLiteStatement?
  private var appending: SQLiteStatement?
  /// Whether rows may have been written since the last version in the log, either by a save that
  /// added no version or by another program.
  var isBehind = true

  init(_ connection: SQLiteConnection, storage: String) {
    self.connection = connection
    self.storage = storage
  }

  /// Releases all statements.
  func releaseStatements() {
    findingPosition = nil
    findingOrigin = nil
    findingVersions = nil
    summing = nil
    appending = nil
  }

  /// Returns whether the file has the table. A file of an earlier version has none.
  private func isStored() throws(SQLiteFailure) -> Bool {
    if exists { return true }
    exists =
      try connection.value("SELECT 1 FROM sqlite_schema WHERE type='table' AND name='entia_log'")
      != nil
    return exists
  }

  private func prepared(
    _ statement: inout SQLiteStatement?, _ sql: String
  ) throws(SQLiteFailure) -> SQLiteStatement {
    if let statement { return statement }
    let new = try connection.prepare(sql, isKept: true)
    statement = new
    return new
  }

  /// Returns the last version in the log; 0 if the log has no version.
  /// - Throws: `SQLiteFailure`.
  func position() throws(SQLiteFailure) -> LogPosition {
    guard try isStored() else { return LogPosition(version: 0) }
    let statement = try prepared(
      &findingPosition,
      """
      SELECT version, client, mutation FROM entia_log WHERE storage=?
      ORDER BY version DESC LIMIT 1
      """)
    defer { statement.reset() }
    try statement.bind(.text(storage), at: 0)
    guard try statement.step() else { return LogPosition(version: 0) }
    return LogPosition(
      version: statement.integer(at: 0), origin: BatchOrigin(statement, client: 1, mutation: 2))
  }

  /// Returns the version of a batch; `nil` if the log does not have it.
  /// - Throws: `SQLiteFailure`.
  func version(of origin: BatchOrigin) throws(SQLiteFailure) -> Int64? {
    guard try isStored() else { return nil }
    let statement = try prepared(
      &findingOrigin,
      "SELECT version FROM entia_log WHERE storage=? AND client=? AND mutation=? LIMIT 1")
    defer { statement.reset() }
    try statement.bind(.text(storage), at: 0)
    try statement.bind(.text(origin.client.uuidString), at: 1)
    try statement.bind(origin.mutation, at: 2)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// Returns the number of the last batch of a client; 0 without one.
  /// - Throws: `SQLiteFailure`.
  func lastMutation(of client: ClientID) throws(SQLiteFailure) -> Int64 {
    guard try isStored() else { return 0 }
    let last = try connection.value(
      "SELECT max(mutation) FROM entia_log WHERE storage=? AND client=?",
      [.text(storage), .text(client.uuidString)])
    if case .integer(let number) = last { return number }
    return 0
  }

  /// Returns the sum of the versions of all storages in the file.
  /// - Throws: `SQLiteFailure`.
  func versionsInAll() throws(SQLiteFailure) -> Int64 {
    guard try isStored() else { return 0 }
    // The query looks up one row of each storage. `GROUP BY` would read all rows with their
    // changes.
    let statement = try prepared(
      &summing,
      """
      WITH RECURSIVE storages(name) AS (
        SELECT min(storage) FROM entia_log
        UNION ALL
        SELECT (SELECT min(storage) FROM entia_log WHERE storage>name) FROM storages
        WHERE name IS NOT NULL)
      SELECT sum((SELECT max(version) FROM entia_log WHERE storage=name)) FROM storages
      """)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  /// Calls a closure with the number, the origin and the changes of each version after `version`,
  /// in order. The changes are `nil` for a version that has none. The calls end when the closure
  /// returns `false` or has been called `limit` times.
  /// - Throws: `SQLiteFailure`; the error of the closure.
  func forEachVersion(
    after version: Int64, limit: Int,
    _ body: (Int64, BatchOrigin, UnsafeBufferPointer<UInt8>?) throws -> Bool
  ) throws {
    guard try isStored() else { return }
    let statement = try prepared(
      &findingVersions,
      """
      SELECT version, client, mutation, changes FROM entia_log
      WHERE storage=? AND version>? ORDER BY version LIMIT ?
      """)
    defer { statement.reset() }
    try statement.bind(.text(storage), at: 0)
    try statement.bind(version, at: 1)
    try statement.bind(Int64(limit), at: 2)
    var client: (text: String, id: ClientID)?
    while try statement.step() {
      // Consecutive versions often have the same client, whose ID is then not parsed again.
      let text = statement.text(at: 1)
      if client?.text != text { client = ClientID(uuidString: text).map { (text, $0) } }
      guard let client else {
        throw FileHeader.Damaged(
          reason: "version \(statement.integer(at: 0)) of its table entia_log has no client")
      }
      let origin = BatchOrigin(client: client.id, mutation: statement.integer(at: 2))
      var changes: UnsafeBufferPointer<UInt8>?
      if case .text(let bytes) = statement.row.column(3) {
        changes = bytes.bindMemory(to: UInt8.self)
      }
      guard try body(statement.integer(at: 0), origin, changes) else { return }
    }
  }

  /// Creates the table, unless the file has it.
  /// - Throws: `SQLiteFailure`.
  func create() throws(SQLiteFailure) {
    if try isStored() { return }
    try connection.execute(
      """
      CREATE TABLE entia_log(
        storage TEXT, version INTEGER, client TEXT, mutation INTEGER, changes TEXT,
        PRIMARY KEY(storage, version)) WITHOUT ROWID
      """)
    exists = true
  }

  /// Adds a version, in the transaction that writes the rows of the version. The table must exist.
  /// - Parameters:
  ///   - changes: The changes since the version before; `nil` if they are not kept.
  ///   - origin: The client, and the client's number of the batch.
  ///   - version: The number of the version.
  /// - Throws: `SQLiteFailure`.
  func append(
    _ changes: String?, by origin: BatchOrigin, as version: Int64
  ) throws(SQLiteFailure) {
    let statement = try prepared(&appending, "INSERT INTO entia_log VALUES (?, ?, ?, ?, ?)")
    try statement.bind(.text(storage), at: 0)
    try statement.bind(version, at: 1)
    try statement.bind(.text(origin.client.uuidString), at: 2)
    try statement.bind(origin.mutation, at: 3)
    try statement.bind(changes.map { .text($0) } ?? .null, at: 4)
    try statement.run()
    if version % Self.trimmingInterval == 0 { try trim(after: version) }
  }

  /// Notes that a transaction, which may have created the table, was rolled back.
  func noteRollback() {
    exists = false
    isBehind = true
    connection.addsVersions = nil
    releaseStatements()
  }

  /// Removes old versions. The last version of each client is kept longer, without its changes.
  private func trim(after version: Int64) throws(SQLiteFailure) {
    var first = version - Self.maximumCount
    var size: Int64 = 0
    let sizes = try connection.prepare(
      """
      SELECT version, length(changes) FROM entia_log WHERE storage=? AND version>?
      ORDER BY version DESC
      """)
    try sizes.bind(.text(storage), at: 0)
    try sizes.bind(first, at: 1)
    while try sizes.step() {
      size += sizes.integer(at: 1)
      if size > Self.maximumSize {
        first = sizes.integer(at: 0)
        break
      }
    }
    sizes.reset()
    let bounds: [StoredValue] = [.text(storage), .integer(first)]
    try connection.prepare(
      """
      DELETE FROM entia_log WHERE storage=?1 AND version<=?2 AND (version<=?2-\(Self.clientAge)
        OR version NOT IN (SELECT max(version) FROM entia_log WHERE storage=?1 GROUP BY client))
      """
    ).run(bounds)
    try connection.prepare(
      """
      UPDATE entia_log SET changes=NULL WHERE storage=?1 AND version<=?2 AND changes IS NOT NULL
      """
    ).run(bounds)
  }
}

extension BatchOrigin {
  /// Reads the origin of a version from a row; `nil` if the client is no UUID.
  fileprivate init?(_ row: SQLiteStatement, client: Int, mutation: Int) {
    guard let id = ClientID(uuidString: row.text(at: client)) else { return nil }
    self.init(client: id, mutation: row.integer(at: mutation))
  }
}
