import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

@Suite("Sharing: eviction")
struct UnsentRowsTests {
  private static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static func insert(
    _ ids: ClosedRange<Int>, in client: ManualClient<Inbox>
  ) throws {
    try client.store.edit { context in
      context.modifying.writers.insert(Writer(id: "w"))
      for id in ids { context.modifying.notes.insert(Note(id: id), receivedAt: at(Double(id))) }
    }
  }

  @Test("Rows of waiting batches are not evicted before the batches are confirmed")
  func waiting() async throws {
    let space = MemorySpace<Inbox>()
    let client = try ManualClient(space)
    try Self.insert(1...4, in: client)
    await client.run()
    try client.store.edit { context in
      context.modifying.notes.updateIfExists(id: 2) { $0.text = "edited" }
    }
    client.store.evict(\.storage, downTo: .rows(0))
    expectEqual(client.storage.notes.map(\.id), [2])
    // The worker has taken the batch, and cannot push it.
    client.log.setPlan { call, _ in call == .push ? .lostCall : nil }
    await client.run()
    client.store.evict(\.storage, downTo: .rows(0))
    expectEqual(client.storage.notes.map(\.id), [2])
    client.log.setPlan(nil)
    client.endPause()
    await client.poll()
    expectTrue(client.engine.waitingBatches == 0 && client.rejected.isEmpty)
    client.store.evict(\.storage, downTo: .rows(0))
    expectTrue(client.storage.notes.isEmpty && client.storage.verify() == [])
    await client.run()
    expectTrue(space.newest.notes.isEmpty)
  }

  @Test("Rows of batches of an earlier process are not evicted before the log has been read")
  func restoring() async throws {
    let space = MemorySpace<Inbox>()
    let folder = try OutboxFolder()
    let first = try ManualClient(space, outbox: folder.url())
    try Self.insert(1...4, in: first)
    try first.store.edit { $0.modifying.writers.insert(Writer(id: "v")) }
    await first.run()
    first.log.setPlan { _, _ in .lostCall }
    try first.store.edit { context in
      context.modifying.notes.updateIfExists(id: 2) { $0.text = "edited" }
    }
    try first.store.edit { $0.modifying.notes.insert(Note(id: 5, writerID: "v")) }
    try first.store.edit { $0.modifying.notes.remove(4) }
    await first.run()
    try await first.engine.saved()
    let url = try folder.copy()
    first.engine.close()

    let second = try ManualClient(space, outbox: url)
    second.log.setPlan { _, _ in .lostCall }
    await second.run()
    try second.store.edit { context in
      context.modifying.notes.touch([1, 2, 3, 4], at: Self.at(9))
      context.modifying.writers.touch(["w", "v"], at: Self.at(9))
    }
    second.store.evict(\.storage, downTo: .rows(0))
    expectTrue(
      second.storage.notes.map(\.id) == [2] && second.storage.notes.find(by: 2)?.text == "")
    expectEqual(Set(second.storage.writers.map(\.id)), ["w", "v"])
    second.log.setPlan(nil)
    second.endPause()
    await second.poll()
    expectTrue(second.engine.waitingBatches == 0 && second.rejected.isEmpty)
    expectTrue(space.newest.notes.map(\.id) == [2, 5] && second.storage == space.newest)
    expectEqual(space.newest.notes.find(by: 2)?.text, "edited")
    second.store.evict(\.storage, downTo: .rows(0))
    expectTrue(second.storage.writers.isEmpty && second.storage.notes.isEmpty)
  }

  @Test("Ages are not sent: another client has the rows without them")
  func ages() async throws {
    let space = MemorySpace<Inbox>()
    let (client, other) = (try ManualClient(space), try ManualClient(space))
    try Self.insert(1...2, in: client)
    try client.store.edit { context in
      context.modifying.answers.receive([2, 1], for: .all, at: Self.at(9))
    }
    await client.run()
    await other.poll()
    expectTrue(other.storage == client.storage && other.storage.notes.count == 2)
    expectTrue(other.storage.noteAges.isEmpty && other.storage.answers.isEmpty)
    try Self.insert(2...3, in: other)
    try other.store.edit { $0.modifying.notes.updateIfExists(id: 1) { $0.text = "theirs" } }
    await other.run()
    await client.poll()
    // The ages of this client stay, and rows of the other have none.
    expectEqual(client.storage, other.storage)
    expectEqual(client.storage.noteAges.ids().map(\.raw), [1, 2])
    expectEqual(client.storage.answers.ids(for: .all).map(\.raw), [2, 1])
    expectEqual(other.storage.noteAges.ids().map(\.raw), [2, 3])
  }

  @Test("A commit of ages alone is no batch, and ages stay when the space is loaded again")
  func agesAlone() async throws {
    let space = MemorySpace<Inbox>()
    let (client, other) = (try ManualClient(space), try ManualClient(space))
    try Self.insert(1...3, in: client)
    await client.run()
    await other.poll()
    try client.store.edit { $0.modifying.notes.touch([1], at: Self.at(30)) }
    await client.run()
    expectTrue(client.engine.waitingBatches == 0 && space.log.count == 1)
    try other.store.edit { $0.modifying.notes.remove(2) }
    await other.run()
    space.trim()
    await client.poll()
    expectTrue(client.storage == other.storage && client.storage.verify() == [])
    expectEqual(client.storage.noteAges.ids().map(\.raw), [3, 1])
    expectEqual(client.storage.noteAges.receivedAt(1), Self.at(30))
  }
}
