import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite(
  "Lost connections", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"),
  .timeLimit(.minutes(15)))
struct ConnectionLossTests {
  @Test("pg_terminate_backend: the next call connects again, and hints go on")
  func terminated() async throws {
    let server = try await LocalServer()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    var hints = shared.wake().makeAsyncIterator()
    _ = await hints.next()
    let admin = try server.connection()
    for mutation: Int64 in 0..<5 {
      try admin.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [database])
      let outcome = try await shared.push(
        Cabinet.ChangeSet(), client: UUID(), mutation: mutation, base: mutation)
      expectEqual(outcome, .committed(version: mutation + 1))
      _ = await hints.next()
    }
    try await expectEqual(shared.loadVersion().version, 5)
    await shared.close()
  }

  @Test(
    "While the server is stopped, calls fail with an error that passes; nothing is lost", .prompt)
  func restarted() async throws {
    let server = try await LocalServer(isDurable: true)
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let client = UUID()
    _ = try await shared.push(Cabinet.ChangeSet(), client: client, mutation: 1, base: 0)
    for signal in ["INT", "QUIT"] {
      server.stop(signal: signal)
      do {
        _ = try await shared.batches(since: 0, limit: 1)
        Issue.record("a stopped server answered")
      } catch let error as SharedDatabaseError {
        expectTrue(error.isTransient, "\(error)")
        // The lost connection is reported, without waiting for an answer.
        expectTrue(error != .timedOut(space: "space"))
      }
      try await server.start()
      let outcome = try await shared.push(
        Cabinet.ChangeSet(), client: client, mutation: 1, base: 0)
      expectEqual(outcome, .committed(version: 1))
    }
    await shared.close()
  }

  @Test(
    "A version that one client pushes wakes another one at once; without, there is a hint a second")
  func hints() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let (one, other) = (
      try await server.open(Cabinet.self, database: database),
      try await server.open(Cabinet.self, database: database)
    )
    var hints = other.wake().makeAsyncIterator()
    await expectEqual(hints.next(), 0)
    var found: Int64?
    _ = try await one.push(Cabinet.ChangeSet(), client: UUID(), mutation: 1, base: 0)
    // Without the announcement there are only hints of 0. It stays until it is read, however late.
    for _ in 0..<60 where found != 1 { found = await hints.next() }
    expectEqual(found, 1)
    await expectEqual(hints.next(), 0)
    await other.close()
    // A hint from before may be buffered.
    if await hints.next() != nil { await expectNil(hints.next()) }
    await one.close()
  }

  @Test("close() ends a call that waits for the server, and later calls")
  func closing() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(Cabinet.self, database: database)
    let admin = try server.connection(database: database)
    try admin.run("BEGIN")
    try admin.run("SELECT * FROM entia_space FOR UPDATE")
    let push = Task {
      try await shared.push(Cabinet.ChangeSet(), client: UUID(), mutation: 1, base: 0)
    }
    try await Task.sleep(for: .milliseconds(200))
    await shared.close()
    let closed = SharedDatabaseError.isClosed(space: "space")
    await #expect(throws: closed) { try await push.value }
    await #expect(throws: closed) { try await shared.load() }
    try admin.run("ROLLBACK")
    await shared.close()
  }
}
