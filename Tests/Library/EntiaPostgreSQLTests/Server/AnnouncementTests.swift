import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("Announcements", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct AnnouncementTests {
  @Test(
    "A batch is announced when another client listens, and wakes no server process otherwise",
    .prompt)
  func announced() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    // It receives announcements, but does not count as a client.
    let spy = try server.connection(database: database)
    try spy.run("LISTEN \(ServerListener.channel(of: "space"))")
    func received() throws -> [String] {
      try spy.run("SELECT 1")
      return try spy.notifications()
    }

    let first = try await server.open(Cabinet.self, database: database)
    var cabinet = try await first.load()
    func push(_ id: Int) async throws {
      let before = cabinet
      cabinet.performBatchUpdates { $0.modifying.folders.insert(Folder(id: id, name: "")) }
      let outcome = try await first.push(
        cabinet.changes(since: before), client: UUID(), mutation: 1, base: Int64(id))
      expectEqual(outcome, .committed(version: Int64(id + 1)))
    }
    var hints = first.wake().makeAsyncIterator()
    await expectEqual(hints.next(), 0)
    try await push(0)
    // A look of each second follows what is to be announced.
    await expectEqual(hints.next(), 0)
    try expectTrue(received().isEmpty)

    let second = try await server.open(Cabinet.self, database: database)
    var others = second.wake().makeAsyncIterator()
    await expectEqual(others.next(), 0)
    try await push(1)
    var hint = await others.next()
    while hint == 0 { hint = await others.next() }
    expectEqual(hint, 2)
    try expectEqual(received(), ["2"])
    await first.close()
    await second.close()
  }
}
