import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Sharing: the work of many batches")
struct SharingWorkTests {
  private let count = isScaled ? 10_000 : 3_000
  private let space = MemorySpace<Library>()
  private let lost: MemoryLog<Library>.Plan = { call, _ in call == .push ? .lostCall : nil }

  @Test("Thousands of waiting batches are rebased as one, and cost a commit nothing")
  func waiting() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    first.log.setPlan(lost)
    for number in 0..<count { try first.store.setAuthor("a\(number)", "Ann") }
    await first.run()
    var work = await first.worker.part.work
    expectEqual(work, RebaseWork())
    expectTrue(first.engine.status.isOffline)

    try second.store.setAuthor("b", "Bob")
    await second.run()
    first.endPause()
    await first.run()
    work = await first.worker.part.work
    expectEqual(work.compositions, 1)
    // The one that is pushed next.
    #expect(work.batches <= 1)
    expectEqual(first.store.author("b"), "Bob")
    expectEqual(first.store.author("a\(count - 1)"), "Ann")
    // A commit on top is appended as it is.
    for number in 0..<10 { try first.store.setAuthor("c\(number)", "Cid") }
    let after = await first.worker.part.work
    expectEqual(after, work)

    first.log.setPlan(nil)
    first.endPause()
    await first.run()
    expectEqual(first.engine.status, .live)
    expectEqual(space.log.count, count + 11)
    expectEqual(first.storage, space.newest)
    work = await first.worker.part.work
    // Each is applied once on the version that it is pushed on, and none is merged again.
    expectEqual(work.compositions, 1)
    #expect(work.batches <= count + 11)
  }

  @Test("A client that is thousands of batches behind applies them as one commit")
  func behind() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    for number in 0..<count { try first.store.setAuthor("a\(number % 50)", "\(number)") }
    await first.run()
    expectEqual(space.log.count, count)
    try second.store.setAuthor("mine", "Mia")
    second.log.setPlan(lost)
    let commits = Mutex(0)
    let subscription = second.store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      commits.withLock { $0 += 1 }
    }
    await second.poll()
    expectEqual(commits.withLock { $0 }, 1)
    expectEqual(second.store.author("a49"), "\(count - 1)")
    expectEqual(second.store.author("mine"), "Mia")
    expectEqual(second.store.undoNames.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("Batches that a rule refuses at once are applied one by one, as one commit")
  func refusedAtOnce() async throws {
    let space = MemorySpace<Shop>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    for id in 0..<5 {
      try first.store.tryCommit { state in
        try state.storage.performBatchUpdates { context in
          context.modifying.customers.insert(Customer(id: id, email: "\(id)"))
        }
      }
    }
    await first.run()
    expectEqual(space.log.count, 5)
    let commits = Mutex(0)
    let subscription = second.store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      commits.withLock { $0 += 1 }
    }
    await second.poll()
    expectTrue(second.storage == space.newest && space.newest.customers.count == 5)
    expectEqual(second.log.count(of: .batches), 2)
    expectEqual(second.log.count(of: .load), 0)
    expectEqual(commits.withLock { $0 }, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("A batch without other clients is pushed as it was committed")
  func alone() async throws {
    let client = try ManualClient(space)
    for number in 0..<100 {
      try client.store.setAuthor("a\(number)", "Ann")
      if number % 7 == 0 { await client.run() }
    }
    await client.run()
    let part = await client.worker.part
    expectEqual(part.work, RebaseWork())
    // The confirmed version is the one that the store shows, so that comparing them is free.
    expectTrue(part.confirmed.storage.snapshot.isIdentical(to: client.storage.snapshot))
  }

  @Test("A client that is older than the log loads again, and rebases its own batches")
  func trimmed() async throws {
    for count in [1, 20] {
      let space = MemorySpace<Library>()
      let (first, second) = (try ManualClient(space), try ManualClient(space))
      try first.store.setAuthor("a", "Ann")
      await first.run()
      for number in 0..<count { try second.store.setAuthor("b\(number)", "Bob") }
      space.trim()
      let commits = Mutex(0)
      let subscription = second.store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
        commits.withLock { $0 += 1 }
      }
      await second.run()
      expectEqual(second.log.count(of: .load), 1)
      expectEqual(commits.withLock { $0 }, 1)
      expectTrue(second.rejected.isEmpty)
      expectEqual(second.storage, space.newest)
      expectEqual(space.newest.authors.count, count + 1)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("Law 39: a committed push whose acknowledgement and log are lost is recognized")
  func trimmedAfterPush() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    second.log.setPlan { call, isAnswered in call == .push && isAnswered ? .lostAnswer : nil }
    try second.store.setAuthor("a", "Ann")
    await second.run()
    expectEqual(space.log.count, 1)
    // Another client edits the row, so that inserting it again would be a conflict.
    await first.poll()
    try first.store.setAuthor("a", "Eve")
    await first.run()
    space.trim()
    second.log.setPlan(nil)
    second.endPause()
    await second.run()
    expectTrue(second.rejected.isEmpty)
    expectEqual(second.store.author("a"), "Eve")
    expectEqual(space.log.count, 2)
    expectEqual(second.engine.status, .live)
  }
}

extension DatabaseSharing.Status {
  var isOffline: Bool { if case .offline = self { true } else { false } }
}
