import EntiaCoding
import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

@Suite("Outboxes: copies, older states and damage")
struct OutboxCopyTests {
  private let space = MemorySpace<Library>()
  private let folder: OutboxFolder
  private let lost: MemoryLog<Library>.Plan = { call, _ in call == .push ? .lostCall : nil }

  init() throws { folder = try OutboxFolder() }

  private func start(_ url: URL? = nil) throws -> ManualClient<Library> {
    try ManualClient(space, outbox: url ?? folder.url())
  }

  /// Commits authors, and ends the process.
  private func run(_ names: String..., at url: URL? = nil) async throws {
    let client = try start(url)
    for name in names { try client.store.setAuthor(name, name) }
    await client.run()
    try await client.engine.settled()
    client.engine.close()
  }

  @Test("Law 39: an outbox that is older than the log of the server loses no batch")
  func older() async throws {
    try await run("one")
    let copy = try Data(contentsOf: folder.url())
    try await run("two", "three")
    try copy.write(to: folder.url())
    let client = try start()
    for name in ["four", "five", "six"] { try client.store.setAuthor(name, name) }
    await client.run()
    expectEqual(client.engine.status, .live)
    expectEqual(space.newest.authors.map(\.id), ["one", "two", "three", "four", "five", "six"])
    expectEqual(client.storage, space.newest)
    expectTrue(client.rejected.isEmpty)
    expectTrue(space.problems.isEmpty)
  }

  @Test("Law 39: an older outbox with a batch that was pushed meanwhile pushes it no second time")
  func olderWithBatch() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Ann")
    await first.run()
    let copy = try Data(contentsOf: folder.url())
    first.log.setPlan(nil)
    first.endPause()
    try first.store.setAuthor("b", "Bob")
    try first.store.setAuthor("a", "Anne")
    await first.run()
    first.engine.close()
    for isTrimmed in [false, true] {
      if isTrimmed { space.trim() }
      try copy.write(to: folder.url())
      let count = space.log.count
      let second = try start()
      try second.store.setAuthor("c\(count)", "Cid")
      try second.store.setAuthor("d\(count)", "Dan")
      await second.run()
      expectEqual(space.log.filter { !$0.changes.isEmpty }.count, isTrimmed ? 7 : 5)
      expectEqual(space.newest.authors.find(by: "a")?.name, "Anne")
      expectTrue(space.newest.authors.find(by: "d\(count)") != nil)
      expectEqual(second.storage, space.newest)
      expectTrue(second.rejected.isEmpty)
      second.engine.close()
    }
    expectTrue(space.problems.isEmpty)
  }

  @Test(
    "Law 39: two processes with copies of one outbox lose no batch, and push the common one once")
  func copies() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("common", "Common")
    await first.run()
    let bytes = try Data(contentsOf: folder.url())
    first.engine.close()
    for name in 1...2 { try bytes.write(to: folder.url(of: name)) }
    let clients = try (1...2).map { try start(folder.url(of: $0)) }
    for round in 0..<3 {
      for (index, client) in clients.enumerated() {
        try client.store.setAuthor("\(index)-\(round) first", "name")
        try client.store.setAuthor("\(index)-\(round) second", "name")
      }
      for client in clients { await client.poll() }
    }
    for client in clients {
      await client.poll()
      expectEqual(client.storage, space.newest)
      expectTrue(client.rejected.isEmpty)
    }
    expectEqual(space.newest.authors.count, 13)
    expectEqual(
      space.log.filter { $0.changes.authors.inserted.contains { $0.id == "common" } }.count, 1)
    expectTrue(space.problems.isEmpty)
  }

  @Test(
    "An outbox of an earlier version opens, and its batches keep their client",
    arguments: [false, true])
  func formerFormat(isCommitted: Bool) async throws {
    let first = try start()
    first.log.setPlan { call, isAnswered in
      call != .push || isAnswered != isCommitted ? nil : isCommitted ? .lostAnswer : .lostCall
    }
    try first.store.setAuthor("a", "Ann")
    await first.run()
    expectEqual(space.log.count, isCommitted ? 1 : 0)
    first.engine.close()
    let id = first.worker.client.uuidString
    let path = folder.url().path(percentEncoded: false)
    let file = try OutboxFile(path)
    let lines = try file.read().lines
    // The header named the client, and the batches did not.
    try file.replace(
      lines.map { line in
        guard case .object(let members) = line else { return line }
        if case .string? = line["format"] {
          return .object([
            .init("format", .string("entia outbox 1")), .init("space", .string("team")),
            .init("client", .string(id)),
          ])
        }
        return .object(members.filter { $0.name != "client" })
      })
    file.close()
    let second = try start()
    expectEqual(second.engine.waitingBatches, 1)
    try second.store.setAuthor("b", "Bob")
    await second.run()
    let origins = space.log.flatMap(\.origins)
    expectEqual(origins.map(\.mutation), [1, 2])
    expectEqual(origins.map(\.client), [first.worker.client, second.worker.client])
    expectEqual(second.storage, space.newest)
  }

  @Test("A process that starts while an outbox is closed does not keep it locked")
  func inheritedDescriptor() throws {
    let path = folder.url().path(percentEncoded: false)
    let file = try OutboxFile(path)
    var opened = stat()
    try #require(stat(path, &opened) == 0)
    let descriptors = (Int32(0)..<4096).filter { descriptor in
      var found = stat()
      return fstat(descriptor, &found) == 0 && found.st_ino == opened.st_ino
        && found.st_dev == opened.st_dev
    }
    expectEqual(descriptors.count, 1)
    // The copy stands for that of a process that has not executed its program.
    let copy = dup(descriptors[0])
    defer { close(copy) }
    file.close()
    try OutboxFile(path).close()
  }

  @Test("Damage before the last line is an error, and the file is left as it is")
  func damage() async throws {
    let first = try start()
    first.log.setPlan(lost)
    for number in 1...6 {
      try first.store.setAuthor("a\(number)", "Ann")
      await first.run()
    }
    try await first.engine.saved()
    first.engine.close()
    let path = folder.url().path(percentEncoded: false)
    let bytes = try Data(contentsOf: folder.url())
    let lastLine = try #require(bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")))
    for position in stride(from: 0, to: lastLine, by: 13) {
      var changed = bytes
      changed[position] ^= 1
      try changed.write(to: folder.url())
      let error = #expect(throws: SharedDatabaseError.self, "\(position)") { try start() }
      guard case .outboxFailed(path, let reason)? = error else {
        Issue.record("another error: \(error.map { "\($0)" } ?? "none")")
        return
      }
      expectTrue(reason.contains("is damaged"))
      try expectEqual(Data(contentsOf: folder.url()), changed)
    }
    // Also the end of a line.
    var changed = bytes
    changed[lastLine] ^= 1
    try changed.write(to: folder.url())
    #expect(throws: SharedDatabaseError.self) { try start() }
    try expectEqual(Data(contentsOf: folder.url()), changed)
    try bytes.write(to: folder.url())
    let second = try start()
    expectEqual(second.engine.waitingBatches, 6)
  }

  @Test("An outbox that is removed while it is open is created again")
  func removed() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Ann")
    await first.run()
    try FileManager.default.removeItem(at: folder.url())
    first.endPause()
    try first.store.setAuthor("b", "Bob")
    await first.run()
    expectEqual(first.engine.storedNumber, 1)
    expectTrue(first.reported.contains { $0.contains("it was removed while it was open") })
    first.endPause()
    await first.run()
    try await first.engine.saved()
    first.engine.close()
    let second = try start()
    await second.run()
    expectEqual(space.newest.authors.map(\.name), ["Ann", "Bob"])
  }

  @Test("Another file in the place of an open outbox is not overwritten")
  func replaced() async throws {
    let first = try start()
    first.log.setPlan(lost)
    try first.store.setAuthor("a", "Ann")
    await first.run()
    try FileManager.default.removeItem(at: folder.url())
    let other = try start()
    for _ in 0..<3 {
      first.endPause()
      try first.store.setAuthor("b", "Bob")
      await first.run()
    }
    expectEqual(first.engine.storedNumber, 1)
    let path = folder.url().path(percentEncoded: false)
    let failure = SharedDatabaseError.outboxFailed(
      file: path, reason: "another file is in its place")
    guard case .offline(_, failure) = first.engine.status else {
      Issue.record("the status is \(first.engine.status)")
      return
    }
    other.log.setPlan(lost)
    try other.store.setAuthor("c", "Cid")
    await other.run()
    other.engine.close()
    first.engine.close()
    try expectEqual(start().engine.waitingBatches, 1)
  }
}
