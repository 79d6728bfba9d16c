import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Sharing: begin and end")
struct SharingLifetimeTests {
  private let space = MemorySpace<Library>()

  private func makeStore() -> SharedStore<Library> {
    SharedStore(initialState: SharedState(storage: space.newest))
  }

  @Test("A part that does not come from the last load is not shared")
  func notLoaded() throws {
    let log = MemoryLog(space)
    let store = makeStore()
    try store.setAuthor("a", "Ann")
    #expect(throws: SharedDatabaseError.notLoaded(space: "team")) {
      _ = try store.share(\.storage, log: log)
    }
    store.undo()
    log.forgetLoaded()
    #expect(throws: SharedDatabaseError.notLoaded(space: "team")) {
      _ = try store.share(\.storage, log: log)
    }
    // Nothing is recorded, so that another log can share the part.
    _ = try store.share(\.storage, log: MemoryLog(space))
  }

  @Test("A part is shared once at a time")
  func once() throws {
    let store = makeStore()
    let sharing = try store.share(\.storage, log: MemoryLog(space))
    #expect(throws: SharedDatabaseError.partIsShared(space: "team")) {
      _ = try store.share(\.storage, log: MemoryLog(space))
    }
    sharing.close()
    _ = try store.share(\.storage, log: MemoryLog(space))
  }

  @Test("Two clients share through the tasks of their sharings")
  func tasks() async throws {
    let (first, second) = (makeStore(), makeStore())
    let log = MemoryLog(space)
    let sharing = try first.share(\.storage, log: log)
    let other = try second.share(\.storage, log: MemoryLog(space))
    for number in 0..<20 { try first.setAuthor("a\(number)", "Ann") }
    try await sharing.settled()
    expectEqual(space.log.count, 20)
    try await until { second.state.storage == first.state.storage }
    try await until { sharing.status == .live && other.status == .live }
  }

  @Test("Notifications are hints: a poll finds what they have missed")
  func poll() async throws {
    let (first, second) = (makeStore(), makeStore())
    let sharing = try first.share(\.storage, log: MemoryLog(space, hears: false))
    let other = try second.share(\.storage, log: MemoryLog(space, hears: false))
    try first.setAuthor("a", "Ann")
    try await sharing.settled()
    space.announce(0)
    try await until { second.author("a") == "Ann" }
    withExtendedLifetime(other) {}
  }

  @Test("Closing ends at once, and settled() throws")
  func close() async throws {
    let store = makeStore()
    let log = MemoryLog(space)
    log.setPlan { call, _ in call == .push ? .lostCall : nil }
    let sharing = try store.share(\.storage, log: log)
    try store.setAuthor("a", "Ann")
    let waiting = Task { try await sharing.settled() }
    while sharing.engine.waiterCount == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    sharing.close()
    sharing.close()
    await #expect(throws: SharedDatabaseError.isClosed(space: "team")) { try await waiting.value }
    log.setPlan(nil)
    try store.setAuthor("b", "Bob")
    let other = makeStore()
    let otherSharing = try other.share(\.storage, log: MemoryLog(space))
    try other.setAuthor("c", "Cid")
    try await otherSharing.settled()
    expectEqual(space.log.count, 1)
    expectEqual(store.author("a"), "Ann")
    expectNil(store.author("c"))
  }

  @Test("When the sharing is released, what waits is pushed, and later commits are not")
  func sharingReleased() async throws {
    let client = try ManualClient(space)
    weak let weakEngine = client.engine
    expectTrue(weakEngine != nil)
    var sharing: DatabaseSharing<Library>? = DatabaseSharing(client.engine)
    try client.store.setAuthor("a", "Ann")
    sharing = nil
    expectNil(sharing)
    try client.store.setAuthor("b", "Bob")
    expectFalse(client.engine.isEnded)
    await client.run()
    expectTrue(client.engine.isEnded)
    expectEqual(space.log.count, 1)
    expectEqual(space.newest.authors.map(\.name), ["Ann"])
    // The part can be shared again, once it is loaded again.
    try await client.engine.settled()
  }

  @Test("When the store is released, what waits is pushed, also after a lost connection")
  func storeReleased() async throws {
    let log = MemoryLog(space)
    let other = makeStore()
    let otherSharing = try other.share(\.storage, log: MemoryLog(space))
    log.setPlan { call, _ in call == .push ? .lostCall : nil }
    var store: SharedStore<Library>? = makeStore()
    let sharing = try store!.share(\.storage, log: log)
    weak let weakStore = store
    try store!.setAuthor("a", "Ann")
    store = nil
    expectNil(weakStore)
    try other.setAuthor("b", "Bob")
    try await otherSharing.settled()
    try await until { sharing.status.isOffline }
    log.setPlan(nil)
    try await sharing.settled()
    try await until { other.state.storage.authors.count == 2 }
    try await until { sharing.engine.isEnded }
  }

  @Test("A sharing is released with its store, and holds nothing afterwards")
  func released() async throws {
    var store: SharedStore<Library>? = makeStore()
    weak let sharing = try store!.share(\.storage, log: MemoryLog(space))
      .storeWhileSourceActive()
    weak let engine = sharing?.engine
    expectTrue(engine != nil)
    try store!.setAuthor("a", "Ann")
    store = nil
    expectNil(sharing)
    try await until { engine == nil }
    expectEqual(space.log.count, 1)
  }

  @Test("A log that is closed ends the sharing with an error")
  func logClosed() async throws {
    let store = makeStore()
    let log = MemoryLog(space)
    let sharing = try store.share(\.storage, log: log)
    let error = SharedDatabaseError.isClosed(space: "team")
    log.setPlan { _, _ in .error(error) }
    space.endHints()
    try await until { sharing.status.isOffline }
    await #expect(throws: error) { try await sharing.settled() }
  }

  @Test("Law 38: clients converge while their tasks and threads run, and connections are lost")
  func chaos() async throws {
    let logs = (0..<4).map { _ in MemoryLog(space) }
    let stores = logs.map { _ in makeStore() }
    for log in logs {
      log.setPlan { _, isAnswered in
        switch Int.random(in: 0..<12) {
        case 0: isAnswered ? nil : .lostCall
        case 1: .lostAnswer
        case 2: isAnswered ? nil : .shortPage
        default: nil
        }
      }
    }
    let sharings = try zip(stores, logs).map { try $0.share(\.storage, log: $1) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<100 {
            try store.setAuthor("\(index)-\(number)", "Ann")
            try store.setAuthor("common", "\(index)-\(number)")
            if number % 10 == 0 { try await Task.sleep(for: .milliseconds(1)) }
          }
        }
      }
      try await group.waitForAll()
    }
    for log in logs { log.setPlan(nil) }
    for sharing in sharings { try await sharing.settled() }
    space.announce(0)
    let newest = space.newest
    for (store, sharing) in zip(stores, sharings) {
      try await until { store.state.storage == newest && sharing.status == .live }
    }
    // No batch of these was in conflict.
    expectEqual(newest.authors.count, 401)
    expectTrue(space.problems.isEmpty)
  }
}

/// Waits for a condition that another thread brings about.
private func until(_ condition: @Sendable () throws -> Bool) async throws {
  for _ in 0..<10_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(2))
  }
  Issue.record("the condition did not come about")
}
