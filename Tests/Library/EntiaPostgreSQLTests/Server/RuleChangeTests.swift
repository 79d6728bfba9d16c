import Entia
import EntiaCoding
import EntiaDatabase
import EntiaLocalServer
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL

@NormalizedStorage
private struct Loose: Equatable {
  @Table var members: Tables.Hash<Member> = .init()

  @Entity
  struct Member {
    let id: String
    var email: String?
    var age: Int?
  }
}

/// `Loose` with rules.
@NormalizedStorage
private struct Strict: Equatable {
  @Table var members: Tables.Hash<Member> = .init()
  @Index var email: Indexes.Unique<Member, String> = .init(\.email)
  @Check var age: Checks.Entity<Member> = .init("the age is positive") { ($0.age ?? 1) > 0 }

  @Entity
  struct Member {
    let id: String
    var email: String?
    var age: Int?
  }
}

/// `Loose` with another type of a member.
@NormalizedStorage
private struct Retyped: Equatable {
  @Table var members: Tables.Hash<Member> = .init()

  @Entity
  struct Member {
    let id: String
    var email: String?
    var age: String?
  }
}

/// A program that shares a space.
private struct Program<Storage: NormalizedStorageType & Equatable>: Sendable {
  let shared: SharedDatabase<Storage>
  let store: SharedStore<Storage>
  let sharing: DatabaseSharing<Storage>
  private let rejections = Mutex<[String]>([])

  init(_ shared: SharedDatabase<Storage>) async throws {
    self.shared = shared
    store = SharedStore(initialState: SharedState(storage: try await shared.load()))
    sharing = try store.share(\.storage, through: shared)
    sharing.onRejection { [rejections] _, error in rejections.withLock { $0.append("\(error)") } }
  }

  var storage: Storage { store.state.storage }
  var rejected: [String] { rejections.withLock { $0 } }

  func edit(_ edit: (inout BatchContext<Storage>) -> Void) async throws {
    try store.commit { try $0.storage.performBatchUpdates { edit(&$0) } }
    try await sharing.settled()
  }
}

@Suite(
  "Rules that only some programs have",
  .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"), .prompt)
struct RuleChangeTests {
  private static let broken = [
    Loose.Member(id: "a", email: "x"), Loose.Member(id: "b", email: "x", age: -1),
  ]

  @Test("A program that cannot load a space does not mark it, so that an older one corrects it")
  func newRule() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await Program(server.open(Loose.self, database: database))
    try await old.edit { $0.modifying.members.insert(Self.broken) }
    let new = try await server.open(Strict.self, database: database, schemaVersion: 2)
    for policy in [BrokenRowPolicy.throw, .skip] {
      let error = await #expect(throws: SharedDatabaseError.self) {
        _ = try await new.load(onBrokenRow: policy)
      }
      guard case .refused("space", let reasons) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(reasons.count, 2)
    }
    // A later start of the older program may write, too.
    let late = try await Program(server.open(Loose.self, database: database))
    try await late.edit { $0.modifying.members.updateIfExists(id: "b") { $0.age = 1 } }
    try await old.edit { $0.modifying.members.updateIfExists(id: "b") { $0.email = "y" } }
    expectTrue(old.rejected == [] && late.rejected == [])
    try await expectEqual(new.load().members.count, 2)
    // The space is marked now.
    try await old.edit { $0.modifying.members.insert(Loose.Member(id: "c", email: "x")) }
    expectEqual(old.rejected.count, 1)
    expectEqual(old.rejected.first?.contains("it has schema version 2"), true)
    expectEqual(old.storage.members.count, 2)
    await old.shared.close()
    await late.shared.close()
    await new.close()
  }

  @Test("A failed change of a type leaves the space to the older program")
  func newType() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await Program(server.open(Loose.self, database: database))
    try await old.edit { $0.modifying.members.insert(Self.broken) }
    let new = try await server.open(Retyped.self, database: database, schemaVersion: 2)
    await #expect(throws: SharedDatabaseError.self) { _ = try await new.load() }
    try await old.edit { $0.modifying.members.remove("b") }
    expectEqual(old.rejected, [])
    // A load that leaves rows out succeeds, and marks the space.
    try await expectEqual(new.load(onBrokenRow: .skip).database.members.count, 1)
    try await old.edit { $0.modifying.members.remove("a") }
    expectEqual(old.rejected.count, 1)
    await old.shared.close()
    await new.close()
  }

  @Test("Of two programs with the same new version and other rules, one marks the space")
  func twoVersions() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await server.open(Loose.self, database: database)
    let first = try await server.open(Strict.self, database: database, schemaVersion: 2)
    let second = try await server.open(Loose.self, database: database, schemaVersion: 2)
    _ = try await first.load()
    let error = await #expect(throws: SharedDatabaseError.self) { _ = try await second.load() }
    guard case .schemaDiffers("space", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectTrue(reason.contains("both have schema version 2"))
    try await expectEqual(old.load(), Loose())
    await old.close()
    await first.close()
    await second.close()
  }

  @Test("A batch that is committed while a newer program loads is loaded, or refused")
  func pushWhileMarking() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await server.open(Loose.self, database: database)
    var loose = Loose()
    for round: Int64 in 2...20 {
      let new = try await server.open(Loose.self, database: database, schemaVersion: round)
      let before = loose
      loose.performBatchUpdates {
        $0.modifying.members.insert(Loose.Member(id: "\(round)", email: "\(round)"))
      }
      let again = try await server.open(
        Loose.self, database: database, schemaVersion: round - 1)
      let changes = loose.changes(since: before)
      let base = try await old.loadVersion().version
      async let loading = new.loadVersion()
      let isPushed: Bool
      do {
        _ = try await again.push(changes, client: UUID(), mutation: 1, base: base)
        isPushed = true
      } catch SharedDatabaseError.schemaDiffers {
        isPushed = false
      }
      let loaded = try await loading
      expectEqual(loaded.version, isPushed ? base + 1 : base)
      if !isPushed { loose = before }
      expectEqual(loaded.storage.members.count, loose.members.count)
      await new.close()
      await again.close()
    }
    await old.close()
  }

  @Test("A program whose rules the rows break goes on when they are corrected")
  func following() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let strict = try await Program(server.open(Strict.self, database: database))
    let problems = Mutex<[String]>([])
    strict.store.onProblem { problem in problems.withLock { $0.append("\(problem)") } }
      .storeWhileSourceActive()
    let loose = try await Program(
      server.open(Loose.self, database: database, schemaVersion: 2))
    try await loose.edit { $0.modifying.members.insert(Self.broken[0]) }
    try await until { strict.storage.members.count == 1 }
    for round in 1...2 {
      try await loose.edit { $0.modifying.members.insert(Self.broken[1]) }
      try await until { strict.sharing.status.isRefused }
      expectEqual(strict.storage.members.count, 1)
      // A commit waits like one without a connection.
      try strict.store.commit {
        try $0.storage.performBatchUpdates {
          $0.modifying.members.insert(Strict.Member(id: "mine \(round)"))
        }
      }
      expectEqual(strict.sharing.waitingBatches, 1)
      try await loose.edit { $0.modifying.members.remove("b") }
      try await strict.sharing.settled()
      try await until { strict.sharing.status == .live }
      // An older program may follow, and not write.
      expectEqual(strict.rejected.count, round)
      expectEqual(strict.storage.members.map(\.id), ["a"])
    }
    expectTrue(problems.withLock { $0.allSatisfy { $0.contains("is tried again") } })
    expectEqual(problems.withLock { $0.count }, 2)
    await strict.shared.close()
    await loose.shared.close()
  }

  @Test("The same with rows that a tool has replaced")
  func replaced() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let strict = try await Program(server.open(Strict.self, database: database))
    let tool = try UntypedSpace(connecting: server.string(database: database), space: "space")
    func rows(_ emails: [String]) throws -> [UntypedSpace.Row] {
      try emails.enumerated().map { index, email in
        UntypedSpace.Row(
          part: "members", key: "\"\(index)\"",
          body: try JSONValue.parse(#"{"id": "\#(index)", "email": "\#(email)"}"#))
      }
    }
    try tool.replace(try rows(["x", "x"]), expecting: .anything)
    try await until { strict.sharing.status.isRefused }
    try tool.replace(try rows(["x", "y"]), expecting: .anything)
    try await until { strict.storage.members.count == 2 && strict.sharing.status == .live }
    try await strict.edit { $0.modifying.members.remove("0") }
    expectEqual(strict.rejected, [])
    await strict.shared.close()
  }
}

extension DatabaseSharing.Status {
  /// Whether rows of another program violate rules of this one.
  fileprivate var isRefused: Bool {
    if case .offline(_, .refused) = self { true } else { false }
  }
}

/// Waits for a condition that another thread brings about.
private func until(
  _ condition: @Sendable () throws -> Bool, at location: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<12_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("the condition did not come about", sourceLocation: location)
}
