import EntiaDatabase
import EntiaLocalServer
import EntiaSharedState
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

/// An ID whose `Codable` form leaves out a member.
struct LossyName: Hashable, Codable, Sendable, CustomStringConvertible {
  var text: String
  var isDraft = false
  var description: String { isDraft ? "draft \(text)" : text }

  init(_ text: String, isDraft: Bool = false) { (self.text, self.isDraft) = (text, isDraft) }
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A row whose `Codable` form leaves out a member.
struct LossyRow: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var score = 0.0
  var secret = ""
  enum CodingKeys: CodingKey { case id, title, score }
}

/// A row with all members in its `Codable` form, but not its ID.
struct LossyCard: EntityType, Codable {
  typealias EntityIDRawType = LossyName
  var entityID: EntityID { EntityID(LossyName(name, isDraft: isDraft)) }
  var name: String
  var isDraft = false
}

/// A row that is encoded as something else than it is decoded from.
struct OneWayRow: EntityType, Identifiable, Codable {
  let id: Int
  var date = ""
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(1, forKey: .date)
  }
}

/// A row with a member that is not encoded.
struct TransientRow: EntityType, Identifiable, Codable {
  enum IsOpenDefault: TransientMemberDefault {
    static var value: Bool { false }
  }

  let id: Int
  var isOpen = TransientMember<IsOpenDefault>(false)
}

struct LossyStorage: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<LossyRow>()
    var ordered = Tables.Ordered<OneWayRow>()
    var cards = Tables.Hash<LossyCard>()
    var papers = Tables.Hash<Paper>()
    var transients = Tables.Hash<TransientRow>()
    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("rows", \.rows)
      visitor.table("ordered", \.ordered)
      visitor.table("cards", \.cards)
      visitor.table("papers", \.papers)
      visitor.table("transients", \.transients)
    }
  }
  var snapshot = Snapshot(Contents())
}

@Suite("Rows that cannot be stored as they are")
struct LossyCodingTests {
  /// A batch, and the parts of its message.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    var entity: String
    var row: String
    var column: String?
    var reason: String
    let change: @Sendable (inout BatchContext<LossyStorage>) -> Void
    var testDescription: String { name }
  }

  static let refusals = [
    Refusal(
      name: "a new row", entity: "rows", row: "1", column: "secret",
      reason: "its Codable form decodes to  instead of x"
    ) { $0.modifying.rows.insert(LossyRow(id: 1, title: "a", secret: "x")) },
    Refusal(
      name: "a changed row", entity: "rows", row: "0", column: "secret",
      reason: "its Codable form decodes to  instead of y"
    ) { context in context.modifying.rows.updateIfExists(id: 0) { $0.secret = "y" } },
    Refusal(
      name: "a row that cannot be decoded", entity: "ordered", row: "2", column: "date",
      reason: "its Codable form cannot be decoded: expected a string, found a number"
    ) { $0.modifying.ordered.insert(OneWayRow(id: 2)) },
    Refusal(
      name: "an ID of a row", entity: "cards", row: "draft a", column: "id",
      reason: "the Codable form of draft a decodes to a"
    ) { $0.modifying.cards.insert(LossyCard(name: "a", isDraft: true)) },
    Refusal(
      name: "a long ID", entity: "papers", row: String(repeating: "i", count: 64) + "…",
      column: "id",
      reason: """
        the ID has 1801 bytes as JSON, and an index of the server can hold 1800: use a shorter ID
        """
    ) { $0.modifying.papers.insert(Paper(id: String(repeating: "i", count: 1_799), text: "")) },
  ]

  private static func storage() -> LossyStorage {
    var storage = LossyStorage()
    storage.performBatchUpdates { context in
      context.modifying.rows.insert(LossyRow(id: 0, title: "a", score: .nan))
      context.modifying.cards.insert(LossyCard(name: "a"))
      context.modifying.transients.insert(TransientRow(id: 0, isOpen: .init(true)))
    }
    return storage
  }

  @Test("A batch with one is refused with the place, before anything is sent", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let old = Self.storage()
    var new = old
    new.performBatchUpdates { refusal.change(&$0) }
    let parts = try SpaceParts<LossyStorage>(space: "space")
    let expected = SharedDatabaseError.cannotEncode(
      space: "space", entity: refusal.entity, row: refusal.row, column: refusal.column,
      reason: refusal.reason)
    #expect(throws: expected) {
      try PushStatements(
        new.changes(since: old), client: UUID(), mutation: 1, base: LogPosition(version: 0),
        schemaVersion: 1, parts)
    }
    // Rows without a loss are not refused, NaN and transient members included.
    _ = try PushStatements(
      old.changes(since: LossyStorage()), client: UUID(), mutation: 1,
      base: LogPosition(version: 0), schemaVersion: 1,
      parts)
  }

  @Test(
    "A commit with one is taken back, and sharing goes on",
    .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func takenBack() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let shared = try await server.open(LossyStorage.self, database: database)
    let store = SharedStore(initialState: SharedState(storage: try await shared.load()))
    let sharing = try store.share(\.storage, through: shared)
    let rejected = Mutex<[String]>([])
    sharing.onRejection { _, error in rejected.withLock { $0.append("\(error)") } }
    try store.edit { $0.modifying.rows.insert(LossyRow(id: 1, title: "a", secret: "x")) }
    try store.edit { $0.modifying.rows.insert(LossyRow(id: 2, title: "b")) }
    try await sharing.settled()
    expectEqual(
      rejected.withLock { $0 },
      [
        """
        space: row 1 of rows, column secret, cannot be stored: its Codable form decodes to  \
        instead of x
        """
      ])
    expectEqual(store.state.storage.snapshot.contents.rows.map(\.id), [2])
    try await expectEqual(shared.load(), store.state.storage)
    sharing.close()
    await shared.close()
  }

  @Test(
    "The longest IDs and names of spaces fit into the server's indexes, and longer names are refused",
    .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func longest() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    // Characters without repetition: an index compresses its entries.
    var random = SystemRandomNumberGenerator()
    func text(_ count: Int) -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
      return String((0..<count).map { _ in letters[Int.random(in: 0..<64, using: &random)] })
    }
    let shared = try await server.open(LossyStorage.self, database: database, space: text(500))
    var storage = try await shared.load()
    let id = text(ServerKey.maximumLength - 2)
    storage.performBatchUpdates { $0.modifying.papers.insert(Paper(id: id, text: "")) }
    _ = try await shared.push(
      storage.changes(since: LossyStorage()), client: UUID(), mutation: 1, base: 0)
    try await expectEqual(shared.load(), storage)
    await shared.close()
    await #expect {
      _ = try await server.open(LossyStorage.self, database: database, space: text(501))
    } throws: {
      "\($0)".contains(
        "column space, cannot be stored: the name has 501 bytes, and one can have 500")
    }
  }
}
