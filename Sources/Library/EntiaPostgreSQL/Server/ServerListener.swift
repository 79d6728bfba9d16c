import EntiaStore
import Foundation

/// Announces versions to other clients, and receives their announcements, on a separate connection.
///
/// Announcements are hints. They are sent after the commit, in a separate transaction, because a
/// `NOTIFY` holds a lock of the whole server until its transaction is on disk.
final class ServerListener: Sendable {
  /// The time between two hints if there are no announcements.
  static let interval = Duration.seconds(1)

  private struct State {
    var streams: [Int: AsyncStream<Int64>.Continuation] = [:]
    var nextStream = 0
    /// The newest version that is not announced yet.
    var announcement: Int64?
    var isClosed = false
    var isStarted = false
  }

  private let string: ConnectionString
  private let channel: String
  private let lock: Int64
  private let interruption = Interruption()
  private let state = Mutex(State())

  /// Creates a listener, which connects when it is first used.
  init(_ string: ConnectionString, space: String) {
    self.string = string
    channel = Self.channel(of: space)
    lock = Self.lock(of: space)
  }

  /// Returns the name of the channel of a space. The name is a valid identifier of limited length.
  static func channel(of space: String) -> String { "entia_" + String(hash(of: space), radix: 16) }

  /// Returns the number of the advisory lock that all listeners of a space share. A client that can
  /// acquire the lock exclusively is the only listener.
  static func lock(of space: String) -> Int64 { Int64(bitPattern: hash(of: "entia \(space)")) }

  private static func hash(of name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  func hints() -> AsyncStream<Int64> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int64.self, bufferingPolicy: .bufferingNewest(1))
    let (number, starts) = state.withLock { state in
      if state.isClosed { return (-1, false) }
      defer {
        state.nextStream += 1
        state.isStarted = true
      }
      state.streams[state.nextStream] = continuation
      return (state.nextStream, !state.isStarted)
    }
    if number < 0 {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [state] _ in
      _ = state.withLock { $0.streams.removeValue(forKey: number) }
    }
    if starts { start() }
    return stream
  }

  /// Announces a version to other clients.
  func announce(_ version: Int64) {
    let starts = state.withLock { state in
      if state.isClosed { return false }
      state.announcement = max(version, state.announcement ?? 0)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if starts { start() }
    interruption.signal()
  }

  /// Ends the thread and the streams that `hints()` has returned.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      defer { state.streams = [:] }
      return state.streams
    }
    interruption.close()
    for stream in streams.values { stream.finish() }
  }

  private func start() {
    let thread = Thread { [string, channel, lock, interruption, state] in
      let loop = ListeningLoop(
        session: ServerSession(string, interruption), channel: channel, lock: lock,
        interruption: interruption)
      while !interruption.isClosed {
        let hint = loop.step {
          state.withLock { state in
            defer { state.announcement = nil }
            return state.announcement
          }
        }
        // `state` is unlocked before the hints are added, because `yieldHint` may resume a task.
        let streams = state.withLock { Array($0.streams.values) }
        if let hint { for stream in streams { stream.yieldHint(hint) } }
      }
    }
    thread.name = "entia.listening"
    thread.start()
  }
}

extension AsyncStream.Continuation where Element == Int64 {
  /// Adds a hint to a stream that keeps only one hint. Keeps the greater version if the stream
  /// already has a hint.
  fileprivate func yieldHint(_ hint: Int64) {
    // The second `yield` drops no other hint, because only the thread of the listener adds hints.
    if case .dropped(let unread) = yield(hint), unread > hint { yield(unread) }
  }
}

/// The work of the thread of a listener.
private final class ListeningLoop {
  /// The first and the longest delay between attempts to connect.
  private static let delays = Duration.milliseconds(50)...Duration.seconds(2)

  let session: ServerSession
  let channel: String
  let lock: Int64
  let interruption: Interruption
  /// The number of the connection on which `LISTEN` was run.
  private var listening = 0
  /// Whether the connection is established and listens.
  private var isListening = false
  private var delay = delays.lowerBound
  /// Whether this listener holds the shared lock. A client announces its batches only if a listener
  /// of another client holds the lock.
  private var isKnown = false

  init(session: ServerSession, channel: String, lock: Int64, interruption: Interruption) {
    self.session = session
    self.channel = channel
    self.lock = lock
    self.interruption = interruption
  }

  /// Sends the announcements and waits once.
  /// - Returns: A hint, or `nil` if there is none. A lost connection is a hint too.
  func step(_ takeAnnouncement: () -> Int64?) -> Int64? {
    do {
      return try session.use { connection in
        if session.connections != listening {
          // This connection receives no announcements of batches that were committed before this
          // statement. The hint that follows makes the client read these batches.
          try connection.run("LISTEN \(channel)")
          isKnown = false
          // An announcement need not survive a crash of the server, so it must not wait for the
          // disk.
          try connection.run("SET synchronous_commit = off")
          listening = session.connections
          isListening = true
          delay = Self.delays.lowerBound
        }
        // Registering fails while the announcement of another listener holds the lock exclusively.
        if !isKnown, try register(connection) {
          isKnown = true
          return 0
        }
        interruption.reset()
        while let version = takeAnnouncement() {
          try announce(version, connection)
        }
        return try wait(connection)
      }
    } catch {
      // If an announcement is lost, the other clients find the batch at their next read.
      session.disconnect()
      // A lost connection also counts as a hint. The client then reads the space, and thereby
      // detects that the client is offline.
      if isListening {
        isListening = false
        return 0
      }
      pause()
      return nil
    }
  }

  /// Acquires the shared lock of the listeners of the space.
  /// - Returns: Whether the lock was acquired.
  private func register(_ connection: PostgreSQLConnection) throws -> Bool {
    let result = try connection.run(
      "SELECT pg_try_advisory_lock_shared($1::bigint)", ["\(lock)"])
    return result.rows.first?.text(at: 0) == "t"
  }

  /// Announces a version if the space has other listeners. Without this condition, every
  /// announcement would wake the listeners of all spaces in the server's database.
  private func announce(_ version: Int64, _ connection: PostgreSQLConnection) throws {
    _ = try connection.transact([
      SQLStatement(
        """
        SELECT pg_notify($1::text, $2::text)
        WHERE NOT pg_try_advisory_xact_lock($3::bigint)
        """, [channel, "\(version)", "\(lock)"])
    ])
  }

  private func wait(_ connection: PostgreSQLConnection) throws -> Int64? {
    let deadline = ContinuousClock.now.advanced(by: ServerListener.interval)
    // Announcements may have arrived with the answer to a statement.
    var versions = try connection.notifications()
    while versions.isEmpty {
      switch try connection.poll(until: deadline) {
      case .input: break
      case .signal: return nil
      case .timeout: return 0
      }
      versions = try connection.notifications()
    }
    return versions.compactMap { Int64($0) }.max() ?? 0
  }

  private func pause() {
    let end = ContinuousClock.now.advanced(by: delay)
    delay = min(delay * 2, Self.delays.upperBound)
    while !interruption.isClosed, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.05) }
  }
}
