import EntiaDatabase
import EntiaLaws
import EntiaLocalServer
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite(
  "Sharing through a server", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct SharedServerTests {
  /// A store on a space, with a connection of its own.
  private struct Client<Storage: NormalizedStorageType> {
    let shared: SharedDatabase<Storage>
    let store: SharedStore<Storage>
    let sharing: DatabaseSharing<Storage>

    init(
      _ server: LocalServer, _ database: String, merge: ThreeWayMerge<Storage> = ThreeWayMerge()
    ) async throws {
      shared = try await server.open(Storage.self, database: database)
      store = SharedStore(initialState: SharedState(storage: try await shared.load()))
      store.onProblem { _ in }.storeWhileSourceActive()
      sharing = try store.share(\.storage, through: shared, merge: merge)
    }

    func close() async {
      sharing.close()
      await shared.close()
    }
  }

  @Test("An edit in one store is seen in the other, through lost connections and a restart")
  func restart() async throws {
    let server = try await LocalServer()
    let database = try await server.makeDatabase()
    let first = try await Client<Library>(server, database)
    let second = try await Client<Library>(server, database)
    try first.store.setAuthor("a", "Ann")
    try await first.sharing.settled()
    try await until { second.store.author("a") == "Ann" }

    server.stop()
    try first.store.setAuthor("b", "Bob")
    try second.store.setAuthor("c", "Cid")
    try await until { first.sharing.status.isOffline && second.sharing.status.isOffline }
    try await server.start()
    try await first.sharing.settled()
    try await second.sharing.settled()
    for store in [first.store, second.store] {
      try await until { store.state.storage.authors.count == 3 }
    }
    try await until { first.sharing.status == .live && second.sharing.status == .live }
    await first.close()
    await second.close()
    server.stop()
  }

  @Test("Of 16 clients with one unique key, one wins, and the others get the error")
  func uniqueKey() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    var clients: [Client<Feed>] = []
    for _ in 0..<16 { clients.append(try await Client(server, database)) }
    let rejected = Mutex<[any Error]>([])
    for (index, client) in clients.enumerated() {
      client.sharing.onRejection { _, error in rejected.withLock { $0.append(error) } }
      try client.store.setUser(index, "same")
    }
    for client in clients { try await client.sharing.settled() }
    expectEqual(rejected.withLock { $0 }.count, 15)
    expectTrue(rejected.withLock { $0 }.allSatisfy { $0 is BatchError })
    let shared = try await server.open(Feed.self, database: database)
    let newest = try await shared.load()
    expectEqual(shared.lastLoaded?.version, 1)
    for client in clients {
      try await until { client.store.state.storage == newest }
      await client.close()
    }
    await shared.close()
  }

  @Test(
    "Law 38: a client follows a server that was restored to an earlier version, also to none",
    arguments: [true, false])
  func restored(isComplete: Bool) async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let first = try await Client<Library>(server, database)
    for name in ["a", "b", "c"] { try first.store.setAuthor(.init(name), name) }
    try await first.sharing.settled()
    let admin = try server.connection(database: database)
    // A clumsy restore leaves the log.
    try admin.run("BEGIN")
    try admin.run("UPDATE entia_space SET version = 0")
    try admin.run("DELETE FROM entia_row")
    if isComplete { try admin.run("DELETE FROM entia_log") }
    try admin.run("COMMIT")
    let shared = try await server.open(Library.self, database: database)
    var library = try await shared.load()
    for version in 0..<3 {
      let before = library
      try library.performBatchUpdates {
        $0.modifying.authors.insert(Author(id: "other \(version)", name: "other"))
      }
      let outcome = try await shared.push(
        library.changes(since: before), client: ClientID(), mutation: 1, base: Int64(version))
      expectEqual(outcome, .committed(version: Int64(version) + 1))
    }
    try first.store.setAuthor("d", "d")
    try await first.sharing.settled()
    let newest = try await shared.load()
    expectEqual(newest.authors.count, 4)
    try await until { first.store.state.storage == newest }
    expectEqual(first.sharing.status, .live)
    await first.close()
    await shared.close()
  }

  @Test(
    "Law 38: clients converge while the server is restored from backups at random", arguments: 0..<3
  )
  func randomRestores(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let clients = [
      try await Client<Library>(server, database), try await Client<Library>(server, database),
    ]
    let admin = try server.connection(database: database)
    let tables = ["entia_space", "entia_row", "entia_log"]
    for table in tables { try admin.run("CREATE TABLE backup_\(table) AS TABLE \(table)") }
    for step in 0..<40 {
      let client = clients[Int(random.next() % 2)]
      switch random.next() % 6 {
      case 0:
        try admin.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        for table in tables {
          try admin.run("DELETE FROM backup_\(table)")
          try admin.run("INSERT INTO backup_\(table) SELECT * FROM \(table)")
        }
        try admin.run("COMMIT")
      case 1:
        try admin.run("BEGIN")
        try admin.run("LOCK entia_space, entia_row, entia_log IN EXCLUSIVE MODE")
        for table in tables {
          try admin.run("DELETE FROM \(table)")
          try admin.run("INSERT INTO \(table) SELECT * FROM backup_\(table)")
        }
        try admin.run("COMMIT")
      case 2: try await client.sharing.settled()
      default:
        try client.store.setAuthor("\(random.next() % 5)", "\(step)")
      }
    }
    for client in clients { try client.store.setAuthor("last", "same") }
    for client in clients { try await client.sharing.settled() }
    let shared = try await server.open(Library.self, database: database)
    let newest = try await shared.load()
    for client in clients {
      try await until { client.store.state.storage == newest }
      expectEqual(client.sharing.status, .live)
      await client.close()
    }
    await shared.close()
  }

  @Test("Law 38: stores that commit at once while the server ends connections converge")
  func converging() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let merge = ThreeWayMerge<Library>(otherwise: .mine)
    var clients: [Client<Library>] = []
    for _ in 0..<4 { clients.append(try await Client(server, database, merge: merge)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, client) in clients.enumerated() {
        let store = client.store
        group.addTask {
          var random = SeededGenerator(seed: UInt64(index))
          for number in 0..<50 {
            do {
              try store.edit { context in
                SharedLibrary.insertTickets("\(index)-\(number)", &context)
                for _ in 0..<2 { try SharedLibrary.edit(&context, using: &random) }
              }
            } catch is BatchError {
              // Refused locally.
              continue
            }
            if number % 10 == 0 { try await Task.sleep(for: .milliseconds(2)) }
          }
        }
      }
      group.addTask {
        for _ in 0..<4 {
          try await Task.sleep(for: .milliseconds(20))
          try server.connection(database: database).run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        }
      }
      try await group.waitForAll()
    }
    for client in clients { try await client.sharing.settled() }
    let shared = try await server.open(Library.self, database: database)
    let newest = try await shared.load()
    for client in clients {
      try await until { client.store.state.storage == newest }
      await client.close()
    }
    let tickets = Dictionary(
      SharedLibrary.tickets(newest).map { ($0, 1) }, uniquingKeysWith: +)
    expectTrue(!tickets.isEmpty && tickets.values.allSatisfy { $0 == 2 })
    await shared.close()
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

extension DatabaseSharing.Status {
  fileprivate var isOffline: Bool { if case .offline = self { true } else { false } }
}
