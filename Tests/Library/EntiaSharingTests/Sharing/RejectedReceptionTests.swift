import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

@Suite("Sharing: ages and answers of rejected batches")
struct RejectedReceptionTests {
  private static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Two clients with the notes 1 to 4, of which the first has the ages and an answer of two pages.
  private static func clients() async throws -> (
    client: ManualClient<Inbox>, other: ManualClient<Inbox>
  ) {
    let space = MemorySpace<Inbox>()
    let (client, other) = (try ManualClient(space), try ManualClient(space))
    try client.store.edit { context in
      context.modifying.writers.insert(Writer(id: "w"), receivedAt: at(1))
      for id in 1...4 {
        context.modifying.notes.insert(Note(id: id), receivedAt: at(Double(id)))
      }
      context.modifying.answers.receive([2, 1], for: .all, next: "a", at: at(9))
      context.modifying.answers.receive([4, 3], for: .all, after: "a", at: at(10))
    }
    await client.run()
    await other.poll()
    return (client, other)
  }

  private func edit(_ id: Int, in client: ManualClient<Inbox>) async throws {
    try client.store.edit { context in
      context.modifying.notes.updateIfExists(id: .init(id)) { $0.text = "theirs" }
    }
    await client.run()
  }

  @Test("A row of a rejected removal has its age and its place in answers again")
  func removal() async throws {
    let (client, other) = try await Self.clients()
    try await edit(1, in: other)
    try await edit(4, in: other)
    try client.store.edit { $0.modifying.notes.touch([1], at: Self.at(20)) }
    try client.store.edit("Remove") { $0.modifying.notes.remove(1) }
    try client.store.edit("Remove more") { $0.modifying.notes.remove([4]) }
    // What is received after the commits stays.
    try client.store.edit { context in
      context.modifying.notes.touch([2], at: Self.at(21))
      context.modifying.answers.receive([3], for: .by("w"), at: Self.at(22))
    }
    await client.poll()
    expectEqual(client.rejected.map(\.batch.name), ["Remove", "Remove more"])
    let inbox = client.storage
    expectTrue(inbox == other.storage && inbox.verify() == [])
    expectEqual(inbox.noteAges.receivedAt(1), Self.at(20))
    expectEqual(inbox.noteAges.receivedAt(2), Self.at(21))
    expectEqual(inbox.noteAges.receivedAt(4), Self.at(4))
    expectEqual(inbox.answers.ids(for: .all).map(\.raw), [2, 1, 4, 3])
    expectEqual(inbox.answers.ids(for: .by("w")).map(\.raw), [3])
  }

  @Test("The answer of a rejected import is removed, and the former ages and answers are back")
  func importing() async throws {
    let (client, other) = try await Self.clients()
    try other.store.edit { $0.modifying.notes.insert(Note(id: 5, text: "theirs")) }
    await other.run()
    try client.store.edit("Import") { context in
      context.modifying.notes.insert(Note(id: 5, text: "mine"), receivedAt: Self.at(30))
      context.modifying.notes.insert(Note(id: 6), receivedAt: Self.at(30))
      context.modifying.notes.touch([1], at: Self.at(30))
      context.modifying.answers.receive([6, 5, 1], for: .by("w"), at: Self.at(30))
      context.modifying.answers.receive([5], for: .all, next: "b", at: Self.at(30))
    }
    await client.poll()
    expectEqual(client.rejected.map(\.batch.name), ["Import"])
    let inbox = client.storage
    expectTrue(inbox == other.storage && inbox.notes.count == 5 && inbox.verify() == [])
    expectTrue(inbox.answers[.by("w")] == nil && inbox.noteAges.receivedAt(1) == Self.at(1))
    expectEqual(inbox.answers.ids(for: .all).map(\.raw), [2, 1, 4, 3])
    expectTrue(inbox.answers[.all]?.receivedAt == Self.at(9) && inbox.answers[.all]?.cursor == nil)
    expectTrue(inbox.noteAges.receivedAt(5) == nil && inbox.noteAges.count == 4)
  }

  @Test("A rejected eviction leaves the ages and answers as they were", arguments: [false, true])
  func eviction(isReadOnly: Bool) async throws {
    let (client, other) = try await Self.clients()
    let before = client.storage
    if isReadOnly {
      client.log.setPlan { call, _ in
        call == .push ? .error(.refused(space: "team", reasons: ["the file is read-only"])) : nil
      }
    } else {
      try await edit(1, in: other)
    }
    client.store.evict(\.storage, downTo: .rows(0))
    expectTrue(
      client.storage.noteAges.isEmpty && client.storage.answers[.all]?.isInvalidated == true)
    await client.poll()
    expectEqual(client.rejected.count, 1)
    let inbox = client.storage
    expectTrue(inbox == other.storage && inbox.verify() == [])
    expectEqual(inbox.noteAges.ids().map(\.raw), [1, 2, 3, 4])
    expectEqual(inbox.writerAges.receivedAt("w"), Self.at(1))
    expectEqual(inbox.answers[.all], before.answers[.all])
  }

  @Test("A batch that is rebased and confirmed keeps what it received")
  func confirmed() async throws {
    let (client, other) = try await Self.clients()
    try await edit(1, in: other)
    try client.store.edit { context in
      context.modifying.notes.insert(Note(id: 7), receivedAt: Self.at(40))
      context.modifying.answers.receive([7, 2], for: .by("w"), at: Self.at(40))
      context.modifying.notes.remove(3)
    }
    await client.poll()
    let inbox = client.storage
    expectTrue(client.rejected.isEmpty && inbox.verify() == [])
    expectEqual(inbox.answers.ids(for: .by("w")).map(\.raw), [7, 2])
    expectEqual(inbox.answers.ids(for: .all).map(\.raw), [2, 1, 4])
    expectTrue(inbox.noteAges.receivedAt(7) == Self.at(40) && inbox.noteAges.receivedAt(3) == nil)
  }
}
