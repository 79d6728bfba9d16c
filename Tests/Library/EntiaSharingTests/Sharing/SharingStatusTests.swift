import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

@Suite("Sharing: lost connections and status")
struct SharingStatusTests {
  private let space = MemorySpace<Library>()
  private let lost = SharedDatabaseError.disconnected(space: "team", reason: "lost")

  @Test("Without a connection, batches wait, and the server is tried again at most 2 s later")
  func offline() async throws {
    let client = try ManualClient(space)
    let start = Date()
    client.log.setPlan { _, _ in .lostCall }
    try client.store.setAuthor("a", "Ann")
    var delays: [Duration] = []
    for _ in 0..<10 {
      await client.run()
      guard case .offline(let since, let error) = client.engine.status else {
        Issue.record("\(client.engine.status)")
        return
      }
      expectEqual(error, lost)
      expectTrue(since >= start && since <= start.addingTimeInterval(60))
      delays += client.endPause()
    }
    expectEqual(delays.first, .milliseconds(50))
    expectEqual(delays[1], .milliseconds(100))
    expectEqual(delays.last, .seconds(2))
    expectEqual(delays.count, 10)
    // One report for one reason.
    expectEqual(client.reported.count, 1)
    expectEqual(
      client.reported.first,
      """
      the sharing of team failed and is tried again: there is no connection to the server: lost
      """)
    client.log.setPlan(nil)
    await client.run()
    expectEqual(client.engine.status, .live)
    expectEqual(space.log.count, 1)
    // The next failure begins with a short delay again.
    client.log.setPlan { _, _ in .lostCall }
    await client.poll()
    expectEqual(client.endPause(), [.milliseconds(50)])
  }

  @Test("Commits during a pause do not try the server")
  func pause() async throws {
    let client = try ManualClient(space)
    let calls = Mutex(0)
    client.log.setPlan { _, _ in
      calls.withLock { $0 += 1 }
      return .lostCall
    }
    await client.run()
    for number in 0..<10 {
      try client.store.setAuthor("\(number)", "Ann")
      await client.run()
    }
    expectEqual(calls.withLock { $0 }, 1)
  }

  @Test("settled() waits through lost connections, and for its own batches only")
  func settled() async throws {
    let client = try ManualClient(space)
    let engine = client.engine
    try await engine.settled()
    client.log.setPlan { call, _ in call == .push ? .lostCall : nil }
    try client.store.setAuthor("a", "Ann")
    let isSettled = Mutex(false)
    let waiting = Task {
      try await engine.settled()
      isSettled.withLock { $0 = true }
    }
    await client.run()
    client.endPause()
    await client.run()
    expectFalse(isSettled.withLock { $0 })
    client.log.setPlan(nil)
    client.endPause()
    await client.run()
    try await waiting.value
    expectEqual(space.log.count, 1)
  }

  @Test("settled() returns after a rejection")
  func settledByRejection() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("a", "first")
    try second.store.setAuthor("a", "second")
    await first.run()
    let engine = second.engine
    let waiting = Task { try await engine.settled() }
    await second.run()
    try await waiting.value
    expectEqual(second.rejected.count, 1)
  }

  @Test("A cancelled task does not wait any longer")
  func cancellation() async throws {
    let client = try ManualClient(space)
    let engine = client.engine
    try client.store.setAuthor("a", "Ann")
    for _ in 0..<20 {
      let waiting = Task { try await engine.settled() }
      if Bool.random() { await Task.yield() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    await client.run()
    try await engine.settled()
  }

  @Test("An error that does not pass ends the calls, and settled() throws it")
  func permanent() async throws {
    let client = try ManualClient(space)
    let error = SharedDatabaseError.spaceNotFound(space: "team")
    client.log.setPlan { _, _ in .error(error) }
    try client.store.setAuthor("a", "Ann")
    let engine = client.engine
    let waiting = Task { try await engine.settled() }
    while engine.waiterCount == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    await client.run()
    await #expect(throws: error) { try await waiting.value }
    await #expect(throws: error) { try await engine.settled() }
    expectTrue(client.engine.status.isOffline)
    expectTrue(client.endPause().isEmpty)
    expectEqual(client.reported.count, 1)
    expectEqual(client.store.author("a"), "Ann")
  }

  @Test(
    "Rows that another program has to correct are tried again, and commits wait",
    arguments: [
      SharedDatabaseError.refused(space: "team", reasons: ["the same key"]),
      .cannotDecode(space: "team", entity: "books", row: "1", column: "id", reason: "twice"),
    ])
  func rowsToCorrect(error: SharedDatabaseError) async throws {
    let client = try ManualClient(space)
    client.log.setPlan { call, _ in call == .batches ? .edited : .error(error) }
    await client.run()
    for number in 1...3 {
      try client.store.setAuthor("\(number)", "Ann")
      expectEqual(client.engine.waitingBatches, number)
      expectEqual(client.endPause().count, 1)
      await client.run()
      guard case .offline(since: _, error: error) = client.engine.status else {
        Issue.record("\(client.engine.status)")
        return
      }
    }
    expectEqual(client.reported.count, 1)
    expectEqual(client.reported.first?.contains("is tried again"), true)
    client.log.setPlan(nil)
    client.endPause()
    await client.run()
    try await client.engine.settled()
    expectEqual(client.engine.status, .live)
    expectTrue(client.rejected.isEmpty && space.log.count == 3)
  }

  @Test("A server that announces newer batches but does not return them is tried again later")
  func stale() async throws {
    let client = try ManualClient(space)
    client.log.setPlan { _, _ in .stale }
    try client.store.setAuthor("a", "Ann")
    await client.run()
    expectTrue(client.engine.status.isOffline)
    expectEqual(client.endPause().count, 1)
    client.log.setPlan(nil)
    await client.run()
    expectEqual(client.engine.status, .live)
    expectEqual(space.log.count, 1)
  }

  @Test(
    "Rows that were edited and edited back are loaded again, and a batch is pushed without a pause",
    arguments: [1, 3])
  func editedBack(count: Int) async throws {
    let client = try ManualClient(space)
    let edits = Mutex(count)
    client.log.setPlan { call, isAnswered in
      guard !isAnswered, edits.withLock({ $0 }) > 0 else { return nil }
      if call == .batches { edits.withLock { $0 -= 1 } }
      return .edited
    }
    try client.store.setAuthor("a", "Ann")
    await client.run()
    expectEqual(client.engine.status, .live)
    expectTrue(client.endPause().isEmpty && client.reported.isEmpty)
    expectTrue(client.log.count(of: .load) == count && space.log.count == 1)
    expectEqual(space.newest.authors.find(by: "a")?.name, "Ann")
  }

  @Test("The status is observed as it changes")
  func observed() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    let seen = Mutex<[DatabaseSharing<Library>.Status]>([])
    let subscription = second.engine.statuses.sinkState(queue: .passthrough) { status in
      let status = status.primitive
      seen.withLock { $0.append(status) }
    }
    for number in 0..<3 { try first.store.setAuthor("\(number)", "Ann") }
    await first.run()
    await second.poll()
    second.log.setPlan { _, _ in .lostCall }
    await second.poll()
    second.log.setPlan(nil)
    second.endPause()
    await second.poll()
    let statuses = seen.withLock { $0 }
    expectEqual(statuses.map(\.isOffline), [false, false, false, true, false])
    expectEqual(statuses.filter { !$0.isOffline }, [.live, .behind(by: 3), .live, .live])
    withExtendedLifetime(subscription) {}
  }
}
