import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

/// A row whose `Codable` form leaves out a member.
private struct LossyRow: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var secret = ""
  enum CodingKeys: CodingKey { case id, title }
}

private struct LossyStorage: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<LossyRow>()
    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }
  var snapshot = Snapshot(Contents())
}

@Suite("Outboxes")
struct OutboxTests {
  private let space = MemorySpace<Library>()
  private let folder: OutboxFolder
  private let lost: MemoryLog<Library>.Plan = { call, _ in call == .push ? .lostCall : nil }

  init() throws { folder = try OutboxFolder() }

  private func start() throws -> ManualClient<Library> {
    try ManualClient(space, outbox: folder.url())
  }

  /// Kills the process of a client and starts it again.
  private func restart(_ client: ManualClient<Library>) throws -> ManualClient<Library> {
    let url = try folder.copy()
    client.engine.close()
    return try ManualClient(space, outbox: url)
  }

  @Test("Batches that wait survive the process, offline too, and are pushed in their order")
  func waiting() async throws {
    let first = try start()
    first.log.setPlan { _, _ in .lostCall }
    for number in 0..<3 {
      try first.store.setAuthor("a\(number)", "Ann \(number)")
      await first.run()
    }
    expectTrue(first.engine.status.isOffline)
    try await first.engine.saved()

    let second = try restart(first)
    expectEqual(second.engine.status, .behind(by: 3))
    second.log.setPlan(lost)
    await second.run()
    expectEqual(second.store.author("a2"), "Ann 2")
    let third = try restart(second)
    try third.store.setAuthor("b", "Bob")
    await third.run()
    expectEqual(third.engine.status, .live)
    expectEqual(space.log.map(\.mutation), [1, 2, 3, 4])
    // Each batch has the client that made it, whichever process pushed it.
    let (one, two) = (first.worker.client, third.worker.client)
    expectEqual(space.log.map(\.client), [one, one, one, two])
    expectEqual(space.newest.authors.map(\.id), ["a0", "a1", "a2", "b"])
    expectEqual(third.storage, space.newest)
    expectTrue(space.problems.isEmpty)
  }

  @Test("Law 39: a batch whose acknowledgement was lost with the process counts once")
  func lostAcknowledgement() async throws {
    let (first, other) = (try start(), try ManualClient(space))
    first.log.setPlan { call, isAnswered in call == .push && isAnswered ? .lostAnswer : nil }
    try first.store.setAuthor("a", "Ann")
    await first.run()
    expectEqual(space.log.count, 1)
    // A later edit of the same row must stay.
    await other.poll()
    try other.store.setAuthor("a", "Bob")
    await other.run()

    let second = try restart(first)
    await second.run()
    expectEqual(space.log.count, 2)
    expectTrue(second.rejected.isEmpty)
    expectEqual(second.store.author("a"), "Bob")
    expectEqual(second.engine.status, .live)
    // The next batch has a number of its own.
    try second.store.setAuthor("a", "Cid")
    await second.run()
    expectEqual(space.log.count, 3)
    expectEqual(space.newest.authors.map(\.name), ["Cid"])
  }

  @Test("Law 39: a push that arrives after the process has started again counts once")
  func lateArrival() async throws {
    let first = try start()
    first.log.setPlan { call, _ in call == .push ? .lateCall : nil }
    try first.store.setAuthor("a", "Ann")
    try first.store.setAuthor("b", "Bob")
    await first.run()
    expectTrue(space.log.isEmpty)
    let second = try restart(first)
    space.receiveLatePushes()
    await second.run()
    expectEqual(space.log.map(\.mutation), [1, 2])
    expectTrue(second.rejected.isEmpty)
    expectEqual(second.storage, space.newest)
    expectTrue(space.problems.isEmpty)
  }

  @Test("Batches are rebased on what others did meanwhile, as if the process had run on")
  func rebase() async throws {
    let (first, other) = (try start(), try ManualClient(space))
    try first.store.setAuthor("a", "Ann")
    try first.store.setAuthor("b", "Bob")
    await first.run()
    await other.poll()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Mine")
    try first.store.setAuthor("c", "Cid")
    await first.run()
    try other.store.setAuthor("a", "Theirs")
    await other.run()
    try other.store.setAuthor("b", "Ben")
    await other.run()
    let second = try restart(first)
    await second.run()
    // The first is in conflict.
    expectEqual(second.rejected.count, 1)
    expectEqual(second.rejected.first?.batch.changes.authors.updated.map(\.new.name), ["Mine"])
    expectTrue(second.rejected.first?.error is MergeError)
    expectEqual(space.newest.authors.map(\.name), ["Theirs", "Ben", "Cid"])
    expectEqual(second.storage, space.newest)
    // It was taken back once.
    let third = try restart(second)
    await third.run()
    expectTrue(third.rejected.isEmpty)
    expectEqual(third.storage, space.newest)
  }

  @Test("A batch that was rejected behind one that waits does not survive the process")
  func rejectedBehindOthers() async throws {
    let (first, other) = (try start(), try ManualClient(space))
    try first.store.setAuthor("a", "Ann")
    await first.run()
    await other.poll()
    first.log.setPlan(lost)
    try first.store.setAuthor("b", "Bob")
    try first.store.setAuthor("a", "Mine")
    await first.run()
    try other.store.setAuthor("a", "Theirs")
    await other.run()
    first.endPause()
    await first.poll()
    expectEqual(first.rejected.count, 1)
    expectEqual(first.engine.waitingBatches, 1)
    // It would fit again.
    try other.store.setAuthor("a", "Ann")
    await other.run()

    let second = try restart(first)
    expectEqual(second.engine.waitingBatches, 1)
    await second.run()
    expectTrue(second.rejected.isEmpty)
    expectEqual(space.newest.authors.map(\.name), ["Ann", "Bob"])
    expectEqual(second.storage, space.newest)
    // Its number is not used again.
    try second.store.setAuthor("c", "Cid")
    await second.run()
    let clients = [first.worker.client, second.worker.client]
    let origins = space.log.flatMap(\.origins).filter { clients.contains($0.client) }
    expectEqual(origins.map(\.mutation), [1, 2, 4])
  }

  @Test("A batch that was made on a rejected one fits after a restart if it did before")
  func rebasedByRejection() async throws {
    let (first, other) = (try start(), try ManualClient(space))
    try first.store.setAuthor("a", "Ann")
    try first.store.setBook("Title", by: "a")
    await first.run()
    await other.poll()
    first.log.setPlan(lost)
    try first.store.setAuthor("b", "Bob")
    try first.store.setBook("Mine", by: "a")
    try first.store.setBook("Mine", by: "b")
    await first.run()
    try other.store.setBook("Theirs", by: "a")
    await other.run()
    first.endPause()
    await first.poll()
    expectEqual(first.rejected.count, 1)

    let second = try restart(first)
    await second.run()
    expectTrue(second.rejected.isEmpty)
    let book = Book(rawID: "book", title: "Theirs", authorID: .init("b"))
    expectEqual(Array(space.newest.books), [book])
    expectEqual(second.storage, space.newest)
  }

  @Test("A rejected batch is not committed by a late push, also if the process loaded before it")
  func lateArrivalOfRejected() async throws {
    let other = try ManualClient(space)
    let first = try ManualClient(
      space, merge: ThreeWayMerge(otherwise: .mine), outbox: folder.url())
    try other.store.setAuthor("a", "Ann")
    await other.run()
    await first.poll()
    try first.store.setAuthor("a", "Mine")
    first.log.setPlan(lost)
    await first.run()
    let loaded = MemoryLog(space)
    try other.store.setAuthor("a", "Theirs")
    await other.run()
    first.log.setPlan { call, _ in call == .push ? .lateCall : nil }
    first.endPause()
    await first.poll()
    // The next process refuses conflicts, which this one merged.
    let url = try folder.copy()
    first.engine.close()
    let second = try ManualClient(space, outbox: url, log: loaded)
    await second.run()
    expectEqual(second.rejected.count, 1)
    space.receiveLatePushes()
    second.engine.noteHint(0)
    await second.run()
    expectEqual(space.newest.authors.map(\.name), ["Theirs"])
    expectEqual(second.storage, space.newest)
  }

  @Test("After the log was trimmed, batches are added to the loaded rows")
  func trimmed() async throws {
    let (first, other) = (try start(), try ManualClient(space))
    first.log.setPlan { call, isAnswered in call == .push && isAnswered ? .lostAnswer : nil }
    try first.store.setAuthor("a", "Ann")
    await first.run()
    first.log.setPlan(lost)
    try first.store.setAuthor("b", "Bob")
    first.endPause()
    await first.run()
    await other.poll()
    try other.store.setAuthor("c", "Cid")
    await other.run()
    space.trim()
    let second = try restart(first)
    await second.run()
    expectEqual(space.newest.authors.map(\.name), ["Ann", "Cid", "Bob"])
    expectEqual(space.log.count, 3)
    expectEqual(second.storage, space.newest)
    expectTrue(second.rejected.isEmpty)
  }

  @Test("A torn line is the end of the journal, wherever it is torn")
  func tornTail() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Ann")
    await first.run()
    let size = try Data(contentsOf: folder.url()).count
    try first.store.setAuthor("b", "Bob")
    await first.run()
    first.engine.close()
    let bytes = try Data(contentsOf: folder.url())
    for length in stride(from: size, to: bytes.count, by: 7) {
      try bytes.prefix(length).write(to: folder.url())
      let outbox = try Outbox<Library>(folder.url(), space: space.name)
      expectEqual(outbox.restored.map(\.number), [1], "\(length)")
      outbox.close()
    }
    try bytes.write(to: folder.url())
    try expectEqual(
      Outbox<Library>(folder.url(), space: space.name).restored.map(\.number), [1, 2])
    // A byte that changed is no complete line either.
    var changed = bytes
    changed[size + 30] ^= 1
    try changed.write(to: folder.url())
    try expectEqual(Outbox<Library>(folder.url(), space: space.name).restored.map(\.number), [1])
  }

  @Test("A second sharing is refused, and so are another file and another space")
  func refused() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Ann")
    await first.run()
    let path = folder.url().path(percentEncoded: false)
    let error = #expect(throws: SharedDatabaseError.self) { try start() }
    expectEqual(error, .outboxIsOpen(file: path))
    expectEqual(
      "\(try #require(error))",
      "the outbox \(path) is open elsewhere: give each process an outbox of its own")
    first.engine.close()
    #expect(
      throws: SharedDatabaseError.outboxFailed(
        file: path, reason: "it has batches of the space team, not other")
    ) { try Outbox<Library>(folder.url(), space: "other") }
    try Data("no outbox\n".utf8).write(to: folder.url(of: 1))
    #expect(
      throws: SharedDatabaseError.outboxFailed(
        file: folder.url(of: 1).path(percentEncoded: false), reason: "it is no outbox")
    ) { try Outbox<Library>(folder.url(of: 1), space: "team") }
    // What was refused is unchanged.
    try expectEqual(Data(contentsOf: folder.url(of: 1)), Data("no outbox\n".utf8))
    try expectEqual(Outbox<Library>(folder.url(), space: "team").restored.count, 1)
  }

  @Test("The journal does not grow with the batches that were confirmed")
  func compaction() async throws {
    let client = try start()
    for number in 0..<400 {
      try client.store.setAuthor("a", String(repeating: "x", count: 400) + "\(number)")
      await client.run()
    }
    expectEqual(client.engine.status, .live)
    let size = try Data(contentsOf: folder.url()).count
    #expect(size < 80_000, "\(size)")
    let next = try restart(client)
    try next.store.setAuthor("a", "last")
    await next.run()
    expectEqual(space.log.map(\.mutation), Array(1...401))
  }

  @Test("saved() waits for the file, and settled() for the server")
  func saved() async throws {
    let client = try start()
    try await client.engine.saved()
    client.log.setPlan(lost)
    try client.store.setAuthor("a", "Ann")
    let saving = Task { try await client.engine.saved() }
    while client.engine.waiterCount == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    await client.run()
    try await saving.value
    expectEqual(client.engine.waitingBatches, 1)
    // Also while the worker waits before it tries again.
    try client.store.setAuthor("b", "Bob")
    await client.run()
    try await client.engine.saved()
    try expectEqual(restart(client).engine.waitingBatches, 2)
  }

  @Test("saved() does not return for a batch that cannot be encoded while it waits")
  func unencodable() async throws {
    let space = MemorySpace<LossyStorage>()
    let client = try ManualClient(space, outbox: folder.url())
    client.log.setPlan { call, _ in call == .push ? .lostCall : nil }
    func insert(_ row: LossyRow) {
      client.store.batch(\.storage) { $0.rows.insert(row) }
    }
    insert(LossyRow(id: 1, title: "a"))
    insert(LossyRow(id: 2, title: "b", secret: "not encoded"))
    insert(LossyRow(id: 3, title: "c"))
    await client.run()
    expectEqual(client.engine.waitingBatches, 3)
    try #require(client.engine.storedNumber == 1)
    // Ends when the batch is no longer waiting.
    let saving = Task { try await client.engine.saved() }
    while client.engine.waiterCount == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    await client.run()
    expectEqual(client.engine.waiterCount, 1)
    client.log.setPlan(nil)
    client.endPause()
    await client.run()
    try await saving.value
    expectEqual(client.engine.waitingBatches, 0)
    expectEqual(client.engine.storedNumber, 3)
  }

  @Test("The rejection of such a batch is reported, even if an observer closes the sharing")
  func unencodableAndClosed() async throws {
    let client = try ManualClient(MemorySpace<LossyStorage>(), outbox: folder.url())
    client.log.setPlan { call, _ in
      let error = SharedDatabaseError.cannotEncode(
        space: "", entity: "rows", row: "2", column: "secret", reason: "it is not encoded")
      return call == .push ? .error(error) : nil
    }
    client.store.batch(\.storage) {
      $0.rows.insert(LossyRow(id: 2, title: "b", secret: "not encoded"))
    }
    let observer = client.store.sinkState(dropsFirst: true, queue: .passthrough) {
      [engine = client.engine] _ in engine.close()
    }
    await client.run()
    withExtendedLifetime(observer) {}
    expectTrue(client.engine.isEnded)
    expectEqual(client.rejected.count, 1)
    expectTrue(client.storage.snapshot.contents.rows.isEmpty)
  }
}
