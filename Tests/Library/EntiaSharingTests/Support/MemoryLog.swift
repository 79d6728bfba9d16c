import EntiaDatabase
import EntiaStore

@testable import EntiaSharing

/// A client's connection to a space in memory, with the faults that a test chooses.
final class MemoryLog<Storage: NormalizedStorageType>: SharedLog {
  enum Call: Equatable { case load, push, batches, lastMutation }

  enum Fault: Equatable {
    /// The server does not receive the call.
    case lostCall
    /// The client does not receive the answer.
    case lostAnswer
    /// The server receives the call after the client has given up.
    case lateCall
    /// The server refuses the call.
    case error(SharedDatabaseError)
    /// The server returns fewer batches than there are.
    case shortPage
    /// The server answers as if it had not received later batches, or this one.
    case stale
    /// The server answers as if another program had edited rows of the same version.
    case edited
  }

  typealias Plan = @Sendable (_ call: Call, _ isAnswered: Bool) async -> Fault?

  let server: MemorySpace<Storage>
  private let loaded: Mutex<SharedVersion<Storage>?>
  private let plan = Mutex<Plan?>(nil)
  private let counts = Mutex<[Call: Int]>([:])

  /// Whether the log hears of versions that are announced, or only polls.
  private let hears: Bool

  init(_ server: MemorySpace<Storage>, hears: Bool = true) {
    self.server = server
    self.hears = hears
    loaded = Mutex(server.load())
  }

  var space: String { server.name }
  var lastLoaded: SharedVersion<Storage>? { loaded.withLock { $0 } }

  /// Sets the faults of the next calls: the plan is called before each call with `false`, and after
  /// the server has performed it with `true`.
  func setPlan(_ plan: Plan?) { self.plan.withLock { $0 = plan } }

  func forgetLoaded() { loaded.withLock { $0 = nil } }

  /// The number of calls that the server performed.
  func count(of call: Call) -> Int { counts.withLock { $0[call] ?? 0 } }

  func loadVersion() async throws -> SharedVersion<Storage> {
    let version = try await perform(.load, late: nil) { _ in self.server.load() }
    loaded.withLock { $0 = version }
    return version
  }

  func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    let push: @Sendable () -> PushOutcome = { [self] in
      server.push(changes, client: client, mutation: mutation, base: base)
    }
    return try await perform(.push, late: push) { fault in
      fault == .stale || fault == .edited ? .behind(current: base.version) : push()
    }
  }

  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Storage> {
    try await perform(.batches, late: nil) { fault in
      if fault == .stale { return .batches([], current: position.version) }
      if fault == .edited { return .trimmed(current: position.version) }
      return self.server.batches(
        since: position, limit: fault == .shortPage ? 1 : limit, combining: combines)
    }
  }

  func lastMutation(of client: ClientID) async throws -> Int64 {
    try await perform(.lastMutation, late: nil) { _ in self.server.lastMutation(of: client) }
  }

  func wake() -> AsyncStream<Int64> { server.listen(to: hears ? 0 : Int64.max) }

  func close() async {}

  private func perform<Result: Sendable>(
    _ call: Call, late: (@Sendable () -> Result)?, _ body: @Sendable (Fault?) -> Result
  ) async throws -> Result {
    let plan = self.plan.withLock { $0 }
    let fault = await plan?(call, false)
    switch fault {
    case .lostCall: throw SharedDatabaseError.disconnected(space: space, reason: "lost")
    case .lateCall:
      if let late { server.pushLater { _ = late() } }
      throw SharedDatabaseError.timedOut(space: space)
    case .error(let error): throw error
    case .lostAnswer, .shortPage, .stale, .edited, nil: break
    }
    counts.withLock { $0[call, default: 0] += 1 }
    let result = body(fault)
    let second = await plan?(call, true)
    if fault == .lostAnswer || second == .lostAnswer {
      throw SharedDatabaseError.disconnected(space: space, reason: "lost")
    }
    return result
  }
}
