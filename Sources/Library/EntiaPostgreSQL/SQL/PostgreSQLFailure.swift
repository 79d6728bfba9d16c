import EntiaSystemPostgreSQL

/// An error that libpq or the server reported.
struct PostgreSQLFailure: Error, Equatable {
  /// The kind of the error.
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

  /// Whether the same statements may succeed when they are run again at once.
  var isSerialization: Bool { code == "40001" || code == "40P01" }

  /// Whether the connection cannot be used any more.
  var isConnectionLost: Bool {
    switch kind {
    case .connection, .timeout, .interrupted, .refused: true
    // The server ends the connection with these: admin shutdown, crash, database dropped,
    // idle timeouts.
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
