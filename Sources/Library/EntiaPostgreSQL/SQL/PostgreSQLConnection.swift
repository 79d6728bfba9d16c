import EntiaSystemPostgreSQL
import Foundation

/// A connection to a PostgreSQL server.
///
/// Only one thread uses a connection. Every wait ends when the socket is ready, at a deadline, or
/// after an interruption by another thread. Values are bound as parameters, and are never a part of
/// the SQL.
final class PostgreSQLConnection {
  /// The time after which an attempt to connect fails.
  static let connectTimeout = Duration.seconds(5)
  /// The time without an answer after which a statement fails.
  static let answerTimeout = Duration.seconds(30)

  let handle: OpaquePointer
  private let interruption: Interruption
  var prepared: [String: String] = [:]
  var names = 0

  /// Connects to a server.
  /// - Parameters:
  ///   - string: The connection string.
  ///   - interruption: The interruption. Closing it ends the waits of the connection.
  /// - Throws: `PostgreSQLFailure`.
  init(_ string: ConnectionString, _ interruption: Interruption) throws(PostgreSQLFailure) {
    var options = string.options
    options["client_encoding"] = "UTF8"
    options["fallback_application_name"] = options["fallback_application_name"] ?? "entia"
    guard let handle = Self.start(options) else {
      throw PostgreSQLFailure(.connection, "there is no memory for a connection")
    }
    self.handle = handle
    self.interruption = interruption
    // Without this receiver, libpq prints the server's notices.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    // With this verbosity, the message of a refused connection contains the SQLSTATE.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    try finishConnecting()
    PQsetnonblocking(handle, 1)
  }

  deinit { PQfinish(handle) }

  /// Whether no transaction and no result is in progress.
  var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

  private static func start(_ options: [String: String]) -> OpaquePointer? {
    let pairs = options.sorted { $0.key < $1.key }
    let keywords = pairs.map { strdup($0.key) }
    let values = pairs.map { strdup($0.value) }
    defer { for text in keywords + values { free(text) } }
    let keys = keywords.map { UnsafePointer($0) } + [nil]
    let texts = values.map { UnsafePointer($0) } + [nil]
    return PQconnectStartParams(keys, texts, 0)
  }

  private func finishConnecting() throws(PostgreSQLFailure) {
    let deadline = ContinuousClock.now.advanced(by: Self.connectTimeout)
    guard PQstatus(handle) != CONNECTION_BAD else { throw connectFailure() }
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      switch state {
      case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
        try wait(writing: state == PGRES_POLLING_WRITING, until: deadline)
      default: throw connectFailure()
      }
      state = PQconnectPoll(handle)
    }
  }

  /// Returns the error of an attempt to connect. Neither the server's nor libpq's messages contain
  /// the password.
  private func connectFailure() -> PostgreSQLFailure {
    let message = PostgreSQLFailure.message(of: handle)
    // For example: `… failed: FATAL:  28P01: password authentication failed for user "app"`.
    let parts = message.split(separator: ":  ", omittingEmptySubsequences: false)
    for part in parts.dropFirst() {
      let code = part.prefix { $0.isASCII && ($0.isNumber || $0.isUppercase) }
      if code.utf8.count == 5, part.dropFirst(5).first == ":" {
        let reason = part.dropFirst(6).drop { $0 == " " }
        return PostgreSQLFailure(.refused(code: String(code)), String(reason))
      }
    }
    // The message shows that the server does not accept the authentication or the encryption.
    if ["password", "SSL", "certificate", "SCRAM", "GSS"].contains(where: message.contains) {
      return PostgreSQLFailure(.refused(code: "08004"), message)
    }
    return PostgreSQLFailure(.connection, message)
  }

  /// Waits until the socket is ready.
  /// - Throws: `PostgreSQLFailure` after the deadline or an interruption.
  func wait(writing: Bool = false, until deadline: ContinuousClock.Instant)
    throws(PostgreSQLFailure)
  {
    while true {
      switch try poll(writing: writing, until: deadline) {
      case .input: return
      // The signal can be discarded, because the thread looks for other work after this call.
      case .signal: interruption.reset()
      case .timeout: throw PostgreSQLFailure(.timeout, "the server did not answer in time")
      }
    }
  }

  /// The reason why a wait ended.
  enum Wakeup {
    /// The socket is ready.
    case input
    /// Another thread signaled.
    case signal
    /// The deadline has passed.
    case timeout
  }

  /// Waits until the socket is ready, another thread signals, or the deadline has passed.
  /// - Throws: `PostgreSQLFailure` for an interruption.
  func poll(writing: Bool = false, until deadline: ContinuousClock.Instant)
    throws(PostgreSQLFailure) -> Wakeup
  {
    while true {
      if interruption.isClosed { throw PostgreSQLFailure(.interrupted, "closed") }
      let rest = ContinuousClock.now.duration(to: deadline)
      if rest <= .zero { return .timeout }
      let events = Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0)
      var descriptors = [
        pollfd(fd: PQsocket(handle), events: events, revents: 0),
        pollfd(fd: interruption.reader, events: Int16(POLLIN), revents: 0),
      ]
      // Without a pipe, `isClosed` is read ten times a second.
      let limit = Duration.milliseconds(interruption.reader < 0 ? 100 : 60_000)
      let count = Foundation.poll(
        &descriptors, 2, Int32((min(rest, limit) / .milliseconds(1)).rounded(.up)))
      if count < 0, errno != EINTR {
        throw PostgreSQLFailure(.connection, "the socket cannot be waited for")
      }
      if count > 0, descriptors[0].revents != 0 { return .input }
      if count > 0, descriptors[1].revents != 0, !interruption.isClosed { return .signal }
    }
  }

  /// Sends the output that libpq has buffered.
  func flush() throws(PostgreSQLFailure) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        try wait(writing: true, until: ContinuousClock.now.advanced(by: Self.answerTimeout))
        // The server may stop reading until this connection has read the server's answers.
        try consume()
      default: throw connectionLost()
      }
    }
  }

  /// Reads the input that has arrived.
  func consume() throws(PostgreSQLFailure) {
    if PQconsumeInput(handle) != 1 { throw connectionLost() }
  }

  /// Returns the next result, or `nil` at the end of a statement's results. The caller must clear
  /// the result.
  func nextResult() throws(PostgreSQLFailure) -> OpaquePointer? {
    while PQisBusy(handle) == 1 {
      try wait(until: ContinuousClock.now.advanced(by: Self.answerTimeout))
      try consume()
    }
    return PQgetResult(handle)
  }
}

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

  /// Runs a statement, and calls the closure with each row before all rows have arrived.
  ///
  /// If the closure throws, the rest of the result is unread, and the connection must be discarded.
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
  /// - Throws: `PostgreSQLFailure`. If the connection was lost, the transaction may be committed.
  ///   After any other error, it is not.
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
    // The commit at the end of the transaction may fail too.
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
