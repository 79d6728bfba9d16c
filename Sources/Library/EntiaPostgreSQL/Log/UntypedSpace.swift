package import EntiaCoding
import EntiaSharing
import Foundation

/// A space without Swift types for its rows. Each row has a part, a key and a JSON form.
///
/// Calls block the thread.
package final class UntypedSpace {
  /// A row of a part.
  package struct Row: Sendable {
    /// The name of the table or of the held IDs.
    package let part: String
    /// The key of the row's ID.
    package let key: String
    /// The form of the row.
    package let body: JSONValue
    /// Whether the part has held IDs, and no rows.
    package fileprivate(set) var isHeldID = false

    /// Creates a row.
    package init(part: String, key: String, body: JSONValue) {
      self.part = part
      self.key = key
      self.body = body
    }
  }

  /// The contents that a space may have when its rows are replaced.
  package enum Expectation: Sendable {
    /// No rows except those of the given part.
    case empty(besides: String)
    case anything
  }

  /// The error for a space that already has rows.
  package struct NotEmpty: Error {
    /// The number of rows.
    package let count: Int64
  }

  /// The name of the space.
  package let space: String
  private let session: ServerSession

  /// Creates a space without connecting. The first call connects.
  /// - Parameters:
  ///   - connection: The connection string.
  ///   - space: The name of the space.
  /// - Throws: `SharedDatabaseError`.
  package init(connecting connection: String, space: String) throws {
    try Self.checkName(space)
    self.space = space
    let string = try SharedDatabaseError.describing(space) { try ConnectionString(connection) }
    session = ServerSession(string, Interruption())
  }

  /// Checks the name of a space. Each index entry of the server contains the name.
  /// - Throws: `SharedDatabaseError.cannotEncode` if the name has U+0000, or is too long.
  static func checkName(_ space: String) throws {
    let longest = 500
    let reason: String
    if space.utf8.contains(0) {
      reason = "a name cannot contain U+0000"
    } else if space.utf8.count > longest {
      reason = "the name has \(space.utf8.count) bytes, and one can have \(longest)"
    } else {
      return
    }
    let shown = space.utf8.count > longest ? "\(space.prefix(64))…" : space
    throw SharedDatabaseError.cannotEncode(
      space: shown, entity: "entia_space", row: shown, column: "space", reason: reason)
  }

  /// The statements of `install(connecting:)`, as a script for `psql`.
  package static var installationScript: String { ServerSchema.script }

  /// Creates the tables in the server, unless they exist.
  /// - Throws: `SharedDatabaseError`.
  package static func install(connecting connection: String) throws {
    try SharedDatabaseError.describing("") {
      let session = ServerSession(try ConnectionString(connection), Interruption())
      try session.use(ServerSchema.install)
    }
  }

  /// Calls a closure with each row of one version, part by part, in the order of the rows.
  /// - Throws: `SharedDatabaseError`; the error of the closure.
  package func read(_ row: (Row) throws -> Void) throws {
    // After a lost connection, the call is not repeated, because the closure may already have
    // received rows.
    try SharedDatabaseError.describing(space) {
      try session.use { try ServerSchema.checkVersion($0) }
      var failure: (any Error)?
      try session.use { connection in
        do {
          try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
          try connection.run("SET LOCAL enable_seqscan = on")
          let header = try SpaceHeader(of: space, on: connection)
          var part: (name: String, hasHeldIDs: Bool)?
          try connection.streamRows(of: space) { streamed in
            var next = try self.row(streamed)
            if part?.name != next.part {
              part = (next.part, header.hasHeldIDs(in: next.part))
            }
            next.isHeldID = part?.hasHeldIDs == true
            try row(next)
          }
          try connection.run("COMMIT")
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  private func row(_ row: StreamedRow) throws -> Row {
    let key = row.text(at: 1)
    let reason: String
    if let part = row.text(at: 0), let key, let body = row.bytes(at: 2) {
      do throws(JSONError) {
        return Row(part: part, key: key, body: try JSONValue.parse(Array(body)))
      } catch {
        reason = error.message
      }
    } else {
      reason = "a column is NULL"
    }
    throw SharedDatabaseError.cannotDecode(
      space: space, entity: row.text(at: 0) ?? "entia_row", row: key ?? "NULL", column: "body",
      reason: reason)
  }

  /// Replaces all rows in one version. Creates the space if it does not exist.
  ///
  /// The log does not contain the changes, so clients load the space again. A space that a program
  /// has used keeps the schema version of that program. Any other space receives the schema version
  /// of the first program that loads it.
  /// - Parameters:
  ///   - rows: The new rows, in their order.
  ///   - expectation: The contents that the space may have before the call.
  /// - Throws: `NotEmpty` if the space has other contents; `SharedDatabaseError`. If the connection
  ///   is lost, the space may have the new rows. After any other error, the space is unchanged.
  package func replace(_ rows: [Row], expecting expectation: Expectation) throws {
    let client = ClientID().uuidString
    let texts = JSONChunks.texts(of: rows.enumerated().map(Self.element))
    try SharedDatabaseError.describing(space) {
      try session.use { try ServerSchema.checkVersion($0) }
      try session.use { try replace(texts, client, expectation, on: $0) }
    }
  }

  private static func element(_ index: Int, _ row: Row) -> JSONValue {
    // The positions are the same as for rows that a program inserts in one batch.
    let digits = String(index)
    let zeros = String(repeating: "0", count: max(0, 9 - digits.count))
    return .array([
      .string(row.part), .string(row.key), .string(zeros + digits), row.body,
    ])
  }

  private func replace(
    _ texts: [String], _ client: String, _ expectation: Expectation,
    on connection: PostgreSQLConnection
  ) throws {
    try connection.run("BEGIN")
    let lock = "SELECT version FROM entia_space WHERE space = $1 FOR UPDATE"
    var locked = try connection.run(lock, [space])
    // A role may replace the rows of a space without the right to create one.
    if locked.rows.isEmpty {
      // Without the right, an error of the server has ended the transaction.
      guard try connection.insertSpace(space, schemaVersion: 0, "rows of the tool entia") else {
        throw SharedDatabaseError.spaceNotFound(space: space)
      }
      locked = try connection.run(lock, [space])
    }
    guard let current = locked.rows.first?.integer(at: 0) else {
      throw SharedDatabaseError.spaceNotFound(space: space)
    }
    // The call is repeated after a lost connection, so the first attempt may have been committed.
    let own = try connection.run(
      "SELECT 1 FROM entia_log WHERE space = $1 AND client = $2::uuid", [space, client])
    guard own.rows.isEmpty else {
      try connection.run("COMMIT")
      return
    }
    if case .empty(let part) = expectation {
      let counted = try connection.run(
        "SELECT count(*) FROM entia_row WHERE space = $1 AND entity <> $2", [space, part])
      let count = counted.rows.first?.integer(at: 0) ?? 0
      if count > 0 { throw NotEmpty(count: count) }
    }
    try connection.run("DELETE FROM entia_row WHERE space = $1", [space])
    let version = "\(current + 1)"
    for text in texts {
      try connection.run(
        """
        INSERT INTO entia_row (space, entity, id, version, position, body)
        SELECT $1, e->>0, e->>1, $2::bigint, ($2 || '.' || (e->>2))::numeric, (e->3)::jsonb
        FROM json_array_elements($3::json) e
        """, [space, version, text])
    }
    try connection.run(
      "UPDATE entia_space SET version = $2::bigint, first_logged = $2::bigint + 1 WHERE space = $1",
      [space, version])
    // The logged batch has no changes, like a trimmed batch.
    try connection.run(
      """
      INSERT INTO entia_log (space, version, part, client, mutation)
      VALUES ($1, $2::bigint, 0, $3::uuid, 1)
      """, [space, version, client])
    try connection.run("COMMIT")
  }
}
