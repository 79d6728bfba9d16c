import EntiaCoding
import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
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
      #expect(reason.contains("is damaged"))
      #expect(try Data(contentsOf: folder.url()) == changed)
    }
    // Also the end of a line.
    var changed = bytes
    changed[lastLine] ^= 1
    try changed.write(to: folder.url())
    #expect(throws: SharedDatabaseError.self) { try start() }
    #expect(try Data(contentsOf: folder.url()) == changed)
    try bytes.write(to: folder.url())
    let second = try start()
    #expect(second.engine.waitingBatches == 6)
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
    #expect(first.engine.storedNumber == 1)
    #expect(first.reported.contains { $0.contains("it was removed while it was open") })
    first.endPause()
    await first.run()
    try await first.engine.saved()
    first.engine.close()
    let second = try start()
    await second.run()
    #expect(space.newest.authors.map(\.name) == ["Ann", "Bob"])
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
    #expect(first.engine.storedNumber == 1)
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
    #expect(try start().engine.waitingBatches == 1)
  }
}
