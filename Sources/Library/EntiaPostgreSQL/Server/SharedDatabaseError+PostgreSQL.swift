extension SharedDatabaseError {
  /// Creates the error for a failure of a call.
  /// - Parameters:
  ///   - failure: The failure.
  ///   - space: The name of the space.
  init(_ failure: PostgreSQLFailure, space: String) {
    let (code, reason) = (failure.code, failure.message)
    switch failure.kind {
    case .connection: self = .disconnected(space: space, reason: reason)
    case .timeout: self = .timedOut(space: space)
    case .interrupted: self = .isClosed(space: space)
    case .connectionString: self = .cannotConnect(reason: reason)
    case .refused where !Self.passes(code):
      self = .cannotConnect(reason: "\(reason) (SQLSTATE \(code))")
    case .server, .refused:
      switch code {
      case _ where code.hasPrefix("08") || code == "57P01" || code == "57P02":
        self = .disconnected(space: space, reason: reason)
      case _ where Self.passes(code):
        self = .unavailable(space: space, code: code, reason: reason)
      case "42501":
        self = .noRights(space: space, reason: "the role lacks a right: \(reason)")
      case "42P01", "3F000", "42703": self = .notInstalled(reason: reason)
      default: self = .failed(space: space, code: code, reason: reason)
      }
    }
  }

  /// Returns whether the condition of an SQLSTATE is transient. A transient condition may end
  /// without a change of the program or of the server's configuration.
  private static func passes(_ code: String) -> Bool {
    // The codes of a start or shutdown of the server, insufficient resources, a serialization
    // failure, a lock timeout, a cancellation, a server that became a standby, and a disk error.
    code.hasPrefix("57P0") || code.hasPrefix("53") || code.hasPrefix("40")
      || ["55P03", "57014", "25006", "58030"].contains(code)
  }
}
