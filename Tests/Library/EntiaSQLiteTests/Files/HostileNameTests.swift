import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Names of tables and members")
struct HostileNameTests {
  struct Row: EntityType, Identifiable, Codable {
    let id: Int
    var plain = 1
    var other = 2
    var quoted = 3
    var keyword = 4
    var emoji = 5
    var own = 6
    var system = 7
    var empty = 8
    var nul = 9

    enum CodingKeys: String, CodingKey {
      case id
      case plain = "a name"
      case other = "A Name"
      case quoted = "\"; DROP TABLE x --"
      case keyword = "select"
      case emoji = "😀'`["
      case own = "entia_order"
      case system = "sqlite_sequence"
      case empty = ""
      case nul = "a\0b"
    }
  }

  struct Other: EntityType, Identifiable, Codable { let id: String }

  struct Third: EntityType, Identifiable, Codable { let id: Int }

  struct Box: NormalizedStorageType {
    struct Contents: StorageContents {
      var first = Tables.Hash<Row>()
      var second = Tables.Ordered<Other>()
      var third = Tables.Hash<Third>()
      var held = Indexes.OrderedID<Other>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("order \"by\" 😀", \.first)
        visitor.table("ORDER \"by\" 😀", \.second)
        visitor.table("entia_parts", \.third)
        visitor.index("sqlite_master", \.held)
      }
    }

    var snapshot = Snapshot(Contents())
    var first: Tables.Hash<Row> { snapshot.contents.first }
  }

  @Test("Names with quotes, spaces, keywords and emoji, and those that SQLite or Entia reserves")
  func names() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Box>(path: folder.file())
    var box = Box()
    box.performBatchUpdates { context in
      context.modifying.first.insert([Row(id: 1), Row(id: 2, plain: 20, other: 21, nul: 22)])
      context.modifying.second.insert([Other(id: "b"), Other(id: "a")])
      context.modifying.third.insert(Third(id: 1))
      context.modifying.held.append("a")
    }
    try file.save(box)
    box.performBatchUpdates { $0.modifying.first.updateIfExists(id: 1) { $0.other = 77 } }
    try file.save(box)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    let found = try file.load()
    expectEqual(found, box)
    expectEqual(found.first.map(\.other), [77, 21])
  }
}
