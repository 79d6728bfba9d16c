import EntiaDatabase
import EntiaLocalServer
import EntiaPostgreSQL
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("An outbox, with a server")
struct OutboxServerTests {
  @Test(
    "A batch that was made without the server is committed once, after two restarts and a backup",
    .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func server() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "entia-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("\(error)") }
    }
    let outbox = folder.appending(path: "outbox")
    let server = try await LocalServer()
    let database = try await server.makeDatabase()
    func start() async throws -> (
      SharedDatabase<Library>, SharedStore<Library>, DatabaseSharing<Library>
    ) {
      let shared = try await server.open(Library.self, database: database)
      let store = SharedStore<Library>(initialState: SharedState(storage: try await shared.load()))
      return (shared, store, try store.share(\.storage, through: shared, outbox: outbox))
    }
    var (shared, store, sharing) = try await start()
    try store.setAuthor("a", "Ann")
    try await sharing.settled()
    server.stop()
    try store.setAuthor("b", "Bob")
    try store.setAuthor("a", "Anne")
    try await sharing.saved()
    expectEqual(sharing.waitingBatches, 2)
    let backup = try Data(contentsOf: outbox)
    sharing.close()
    await shared.close()
    try await server.start()
    for _ in 0..<2 {
      (shared, store, sharing) = try await start()
      try await sharing.settled()
      expectEqual(store.state.storage.authors.map(\.name), ["Anne", "Bob"])
      sharing.close()
      await shared.close()
    }
    let log = try server.query(
      "SELECT mutation FROM entia_log ORDER BY version", database: database)
    expectEqual(log, "1\n2\n3\n")
    // The file of a backup has batches that were pushed, and none that were made since.
    (shared, store, sharing) = try await start()
    try store.setAuthor("c", "Cid")
    try await sharing.settled()
    sharing.close()
    await shared.close()
    try backup.write(to: outbox)
    (shared, store, sharing) = try await start()
    try store.setAuthor("d", "Dan")
    try store.setAuthor("e", "Eve")
    try await sharing.settled()
    let names = ["Anne", "Bob", "Cid", "Dan", "Eve"]
    expectEqual(store.state.storage.authors.map(\.name), names)
    sharing.close()
    try await expectEqual(shared.load().authors.map(\.name), names)
    await shared.close()
  }
}
