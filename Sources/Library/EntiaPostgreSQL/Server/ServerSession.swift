/// A connection that is made when it is needed, and made again when it was lost.
///
/// One thread uses it.
final class ServerSession {
  /// The number of times that a serialization failure is tried again.
  private static let attempts = 5

  private let string: ConnectionString
  private let interruption: Interruption
  private var connection: PostgreSQLConnection?
  /// The number of connections that were made.
  private(set) var connections = 0

  init(_ string: ConnectionString, _ interruption: Interruption) {
    self.string = string
    self.interruption = interruption
  }

  /// Whether there is a connection, which may have been lost since it was used.
  var isConnected: Bool { connection != nil }

  /// Calls the closure with the connection. When an older connection proves to be lost, or the
  /// server could not order transactions, the closure is called again: it must have the same effect
  /// when it is repeated.
  /// - Throws: `PostgreSQLFailure`, and the error of the closure.
  func use<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    var attempt = 1
    while true {
      let isOld = connection != nil
      do {
        let result = try body(try connected())
        disconnectUnlessIdle()
        return result
      } catch let failure as PostgreSQLFailure {
        if failure.isConnectionLost { connection = nil }
        disconnectUnlessIdle()
        let canReconnect = failure.isConnectionLost && isOld && failure.kind != .timeout
        let canRepeat = failure.isSerialization && attempt < Self.attempts
        guard (canReconnect || canRepeat) && !interruption.isClosed else { throw failure }
        attempt += 1
      } catch {
        disconnectUnlessIdle()
        throw error
      }
    }
  }

  /// Ends the connection.
  func disconnect() { connection = nil }

  /// Ends a connection that is in the middle of a transaction or a result.
  private func disconnectUnlessIdle() {
    if connection?.isIdle == false { connection = nil }
  }

  private func connected() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let connection { return connection }
    let made = try PostgreSQLConnection(string, interruption)
    // Rows are found by their keys, also when the server has no statistics yet, and whatever the
    // values are. The other settings may have other defaults for the role or the database.
    try made.run(
      """
      SELECT set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
        set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false),
        set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('default_transaction_isolation', 'read committed', false),
        set_config('default_transaction_read_only', 'off', false)
      """)
    connections += 1
    connection = made
    return made
  }
}
