import EntiaStore
import Foundation

/// A thread with a connection, which runs calls one after another.
final class ServerThread: Sendable {
  /// A call. Its argument is `nil` if the thread has ended.
  private typealias Call = @Sendable (ServerSession?) -> Void

  private struct State {
    var calls: [Call] = []
    var isClosed = false
    var isStarted = false
  }

  private let string: ConnectionString
  private let interruption = Interruption()
  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  init(_ string: ConnectionString) { self.string = string }

  /// Runs a closure on the thread, after earlier calls.
  /// - Parameter closed: The error that is thrown after `close()`.
  /// - Throws: The error of the closure.
  func run<Result: Sendable>(
    closed: some Error, _ body: @escaping @Sendable (ServerSession) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let call: Call = { session in
        guard let session else { return continuation.resume(throwing: closed) }
        do {
          continuation.resume(returning: try body(session))
        } catch {
          continuation.resume(throwing: error)
        }
      }
      enqueue(call)
    }
  }

  /// Schedules a closure on the thread. The closure is dropped after `close()`.
  func runLater(_ body: @escaping @Sendable (ServerSession) -> Void) {
    enqueue { session in if let session { body(session) } }
  }

  /// Ends all calls and the thread.
  func close() {
    let calls = state.withLock { state in
      state.isClosed = true
      defer { state.calls = [] }
      return state.calls
    }
    interruption.close()
    signal.signal()
    for call in calls { call(nil) }
  }

  private func enqueue(_ call: @escaping Call) {
    let (isClosed, starts) = state.withLock { state in
      if state.isClosed { return (true, false) }
      state.calls.append(call)
      defer { state.isStarted = true }
      return (false, !state.isStarted)
    }
    if isClosed { return call(nil) }
    if starts { start() }
    signal.signal()
  }

  private func start() {
    // The calls run on a separate thread, because each call blocks its thread until the server
    // answers.
    let thread = Thread { [string, interruption, state, signal] in
      let session = ServerSession(string, interruption)
      while true {
        signal.wait()
        let (call, isClosed) = state.withLock { state in
          (state.calls.isEmpty ? nil : state.calls.removeFirst(), state.isClosed)
        }
        if let call { call(session) } else if isClosed { return }
      }
    }
    thread.name = "entia.shared"
    thread.start()
  }
}

/// A connection that is opened when it is first used, and is opened again after a loss.
///
/// Only one thread uses a session.
final class ServerSession {
  /// The maximum number of attempts if the server reports serialization failures.
  private static let attempts = 5

  private let string: ConnectionString
  private let interruption: Interruption
  private var connection: PostgreSQLConnection?
  private(set) var connections = 0

  init(_ string: ConnectionString, _ interruption: Interruption) {
    self.string = string
    self.interruption = interruption
  }

  /// Whether there is a connection. It may have been lost since its last use.
  var isConnected: Bool { connection != nil }

  /// Calls the closure with the connection. Calls it again if a connection that was already open is
  /// lost, or after a serialization failure. Repeated calls of the closure must therefore have the
  /// same effect as one.
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

  func disconnect() { connection = nil }

  /// Discards a connection if a transaction or a result is in progress.
  private func disconnectUnlessIdle() {
    if connection?.isIdle == false { connection = nil }
  }

  private func connected() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let connection { return connection }
    let made = try PostgreSQLConnection(string, interruption)
    // The first five settings make the server find rows by their keys, even without statistics and
    // regardless of the values of the parameters. The other two are set because the role or the
    // database may have other defaults.
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
