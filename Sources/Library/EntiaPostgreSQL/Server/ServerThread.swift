import EntiaStore
import Foundation

/// A thread with a connection, which runs calls one after another.
final class ServerThread: Sendable {
  /// A call; it is passed `nil` when the thread has ended.
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

  /// Runs a closure on the thread, after the calls before it.
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

  /// Runs a closure on the thread later; it is dropped after `close()`.
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
    // A thread of its own: a call blocks it until the server answers.
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
