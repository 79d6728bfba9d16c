import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Outboxes of sharings that are closed")
struct ClosedOutboxTests {
  /// The moment at which a sharing is closed.
  enum Closing: CaseIterable {
    case inHandler, inMerge, inObserver
  }

  @Test(
    "Rejections are reported or remain in the outbox, if the sharing is closed meanwhile",
    arguments: Closing.allCases)
  func closedByRejection(_ moment: Closing) async throws {
    let space = MemorySpace<Library>()
    let folder = try OutboxFolder()
    let other = try ManualClient(space)
    for id in ["a", "b", "c"] { try other.store.setAuthor(id, "Ann") }
    await other.run()
    let closing = Mutex<SharingEngine<Library>?>(nil)
    var merge = ThreeWayMerge<Library>()
    merge.resolve(Author.self) { _ in
      if moment == .inMerge { closing.withLock { $0.take() }?.close() }
      return .refuse
    }
    let first = try ManualClient(space, merge: merge, outbox: folder.url())
    await first.poll()
    first.log.setPlan { _, _ in .lostCall }
    for id in ["a", "b", "c"] {
      try first.store.edit("edit \(id)") {
        $0.modifying.authors.updateIfExists(id: .init(id)) { $0.name = "mine" }
      }
    }
    await first.run()
    try await first.engine.saved()
    for id in ["a", "b"] { try other.store.setAuthor(id, "theirs") }
    await other.run()
    first.log.setPlan(nil)
    let reported = Mutex<[String?]>([])
    first.engine.setRejectionHandler { batch, _ in
      reported.withLock { $0.append(batch.name) }
      if moment == .inHandler { closing.withLock { $0.take() }?.close() }
    }
    let observer = first.store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      if moment == .inObserver { closing.withLock { $0.take() }?.close() }
    }
    closing.withLock { $0 = first.engine }
    first.endPause()
    await first.poll()
    expectTrue(first.engine.isEnded)
    withExtendedLifetime(observer) {}
    let second = try ManualClient(space, outbox: folder.copy())
    await second.poll()
    let both = ["edit a", "edit b"]
    expectEqual(reported.withLock { $0 }, moment == .inHandler ? both : [])
    expectEqual(second.rejected.map(\.batch.name), moment == .inHandler ? [] : both)
    expectEqual(second.engine.waitingBatches, 0)
    expectEqual(second.storage, space.newest)
    expectEqual(space.newest.authors.map(\.name), ["theirs", "theirs", "mine"])
  }
}
