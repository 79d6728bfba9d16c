import EntiaSystemPostgreSQL
import Foundation

/// A statement with its values.
struct SQLStatement: Sendable {
  let sql: String
  let values: [String?]

  init(_ sql: String, _ values: [String?] = []) {
    self.sql = sql
    self.values = values
  }
}

extension PostgreSQLConnection {
  /// Runs a statement.
  /// - Throws: `PostgreSQLFailure`.
  @discardableResult
  func run(_ sql: String, _ values: [String?] = []) throws(PostgreSQLFailure) -> SQLResult {
    try send(SQLStatement(sql, values))
    var result: SQLResult?
    var failure: PostgreSQLFailure?
    while let next = try nextResult() {
      defer { PQclear(next) }
      switch PQresultStatus(next) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: result = SQLResult(next)
      default: failure = failure ?? PostgreSQLFailure(result: next, connection: handle)
      }
    }
    if let failure { throw failure }
    guard let result else { throw connectionLost() }
    return result
  }

  /// Runs a statement, and returns its failure.
  func failure(of sql: String, _ values: [String?]) -> PostgreSQLFailure? {
    do throws(PostgreSQLFailure) {
      try run(sql, values)
      return nil
    } catch {
      return error
    }
  }

  /// Runs a statement and calls the closure with each row, while further ones arrive.
  ///
  /// If the closure throws, the connection is left in the middle of the result, and must be
  /// discarded.
  /// - Throws: `PostgreSQLFailure`, and the error of the closure.
  func stream(
    _ sql: String, _ values: [String?], row: (StreamedRow) throws -> Void
  ) throws {
    try send(SQLStatement(sql, values))
    PQsetSingleRowMode(handle)
    var failure: PostgreSQLFailure?
    while let next = try nextResult() {
      defer { PQclear(next) }
      switch PQresultStatus(next) {
      case PGRES_SINGLE_TUPLE: try row(StreamedRow(next))
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
      default: failure = failure ?? PostgreSQLFailure(result: next, connection: handle)
      }
    }
    if let failure { throw failure }
  }

  /// Runs statements in one transaction and one round trip. The first error ends the transaction.
  /// - Throws: `PostgreSQLFailure`; nothing was then committed, unless the connection was lost.
  func transact(_ statements: [SQLStatement]) throws(PostgreSQLFailure) -> [SQLResult] {
    guard PQenterPipelineMode(handle) == 1 else { throw connectionLost() }
    var names: [String?] = []
    for statement in statements {
      let name: String
      if let known = prepared[statement.sql] {
        name = known
      } else {
        name = "entia_\(self.names)"
        self.names += 1
        prepared[statement.sql] = name
        names.append(statement.sql)
        guard PQsendPrepare(handle, name, statement.sql, 0, nil) == 1 else {
          throw connectionLost()
        }
      }
      names.append(nil)
      let isSent = withValues(statement.values) { count, values in
        PQsendQueryPrepared(handle, name, count, values, nil, nil, 0)
      }
      guard isSent == 1 else { throw connectionLost() }
    }
    guard PQpipelineSync(handle) == 1 else { throw connectionLost() }
    try flush()
    var results: [SQLResult] = []
    var failure: PostgreSQLFailure?
    for name in names {
      var isDone = false
      while let next = try nextResult() {
        defer { PQclear(next) }
        switch PQresultStatus(next) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
          isDone = true
          if name == nil { results.append(SQLResult(next)) }
        case PGRES_PIPELINE_ABORTED: break
        default: failure = failure ?? PostgreSQLFailure(result: next, connection: handle)
        }
      }
      if let name, !isDone { prepared[name] = nil }
      if PQstatus(handle) == CONNECTION_BAD { throw failure ?? connectionLost() }
    }
    // The end of the transaction: its commit may fail too.
    while let next = try nextResult() {
      defer { PQclear(next) }
      if PQresultStatus(next) == PGRES_PIPELINE_SYNC { break }
      failure = failure ?? PostgreSQLFailure(result: next, connection: handle)
    }
    guard PQexitPipelineMode(handle) == 1 else { throw failure ?? connectionLost() }
    if let failure { throw failure }
    return results
  }

  private func send(_ statement: SQLStatement) throws(PostgreSQLFailure) {
    let isSent = withValues(statement.values) { count, values in
      PQsendQueryParams(handle, statement.sql, count, nil, values, nil, nil, 0)
    }
    guard isSent == 1 else { throw connectionLost() }
    try flush()
  }

  private func withValues(
    _ values: [String?], _ body: (Int32, [UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = values.map { value in value.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(Int32(values.count), copies.map { UnsafePointer($0) })
  }

  private func connectionLost() -> PostgreSQLFailure {
    PostgreSQLFailure(.connection, PostgreSQLFailure.message(of: handle))
  }

  /// Returns the payloads of the notifications that have arrived.
  func notifications() throws(PostgreSQLFailure) -> [String] {
    try consume()
    var payloads: [String] = []
    while let notification = PQnotifies(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }
}
