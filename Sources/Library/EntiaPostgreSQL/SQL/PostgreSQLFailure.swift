import EntiaSystemPostgreSQL

/// An error that libpq or the server reported.
struct PostgreSQLFailure: Error, Equatable {
  enum Kind: Equatable {
    /// The server reported an error with an SQLSTATE.
    case server(code: String)
    /// The server refused the connection, with an SQLSTATE.
    case refused(code: String)
    /// The connection was lost, or could not be made.
    case connection
    /// The server did not answer in time.
    case timeout
    /// Another thread ended the call.
    case interrupted
    /// The connection string cannot be used.
    case connectionString
  }

  let kind: Kind
  /// The message, without the connection string.
  let message: String

  /// The server's SQLSTATE; empty for other errors.
  var code: String {
    switch kind {
    case .server(let code), .refused(let code): code
    default: ""
    }
  }

  /// Whether the same statements may succeed if they are repeated immediately.
  var isSerialization: Bool { code == "40001" || code == "40P01" }

  /// Whether the connection cannot be used any more.
  var isConnectionLost: Bool {
    switch kind {
    case .connection, .timeout, .interrupted, .refused: true
    // These codes mean that the connection has ended, for example because of a shutdown, a crash, a
    // dropped database or an idle timeout.
    case .server(let code): code.hasPrefix("57P") || code.hasPrefix("08")
    case .connectionString: false
    }
  }

  /// Creates the error of a result.
  init(result: OpaquePointer?, connection: OpaquePointer?) {
    func field(_ code: UInt8) -> String? {
      PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
    // The fields of the protocol: the SQLSTATE and the primary message.
    if let code = field(UInt8(ascii: "C")) {
      self.init(
        .server(code: code), field(UInt8(ascii: "M")) ?? "the server reported no message")
    } else {
      self.init(.connection, Self.message(of: connection))
    }
  }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Returns the first line of libpq's last message.
  static func message(of connection: OpaquePointer?) -> String {
    let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return line.isEmpty ? "the connection was lost" : line
  }
}

/// The rows of a statement's result.
struct SQLResult: Sendable {
  let rows: [SQLRow]
  /// The number of rows that the statement inserted, updated or deleted.
  let changedRows: Int

  /// Copies a result of libpq.
  init(_ result: OpaquePointer) {
    rows = (0..<PQntuples(result)).map { SQLRow(StreamedRow(result, at: $0)) }
    changedRows = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }
}

/// A row of a result, with the server's text of each value.
struct SQLRow: Sendable {
  private let texts: [String?]

  fileprivate init(_ row: StreamedRow) { texts = (0..<row.count).map(row.text) }

  /// Returns a text, or `nil` for NULL and for a missing column.
  func text(at column: Int) -> String? { texts.indices.contains(column) ? texts[column] : nil }

  /// Returns an integer, or `nil` for NULL and for a text that is no integer.
  func integer(at column: Int) -> Int64? { text(at: column).flatMap { Int64($0) } }
}

/// A row of a result. The row is valid only as long as the result. If rows are read one at a time,
/// the row is valid until the next row is read.
struct StreamedRow {
  private let result: OpaquePointer
  private let row: Int32

  init(_ result: OpaquePointer, at row: Int32 = 0) { (self.result, self.row) = (result, row) }

  var count: Int32 { PQnfields(result) }

  /// Returns the bytes of a value, or `nil` for NULL and for a missing column.
  func bytes(at column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard column < count, PQgetisnull(result, row, column) == 0,
      let bytes = PQgetvalue(result, row, column)
    else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(result, row, column)))
      .bindMemory(to: UInt8.self)
  }

  func text(at column: Int32) -> String? {
    bytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns an integer, or `nil` for NULL and for a text that is no integer.
  func integer(at column: Int32) -> Int64? { text(at: column).flatMap { Int64($0) } }
}
