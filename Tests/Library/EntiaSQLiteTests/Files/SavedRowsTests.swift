import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Rows that are saved")
struct SavedRowsTests {
  /// A table whose IDs need not be the member `id`.
  struct Box<Row: EntityType & Codable>: NormalizedStorageType {
    struct Contents: StorageContents {
      var rows = Tables.Hash<Row>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("rows", \.rows) }
    }

    var snapshot = Snapshot(Contents())
  }

  /// Encodes a member only when it has a value.
  struct Sparse: EntityType, Identifiable, Codable, Equatable {
    let id: Int
    var refuses = false
    var extra: Int?

    struct Refusal: Error {}

    enum CodingKeys: CodingKey { case id, refuses, extra }

    func encode(to encoder: any Encoder) throws {
      if refuses { throw Refusal() }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(refuses, forKey: .refuses)
      if let extra { try container.encode(extra, forKey: .extra) }
    }
  }

  @Test("A save depends on held IDs that only the file has if it inserts rows that can be held")
  func insertedRows() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    func dependsOnFile(_ shop: Shop) throws -> Bool {
      try file.withTurn { open in
        defer { open.discardRows() }
        var saving = try open.prepare(shop, isReplacing: false)
        try saving.encode()
        return saving.dependsOnFile
      }
    }
    var shop = Shop()
    try expectFalse(dependsOnFile(shop))
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "a", text: "")) }
    try expectTrue(dependsOnFile(shop))
  }

  @Test("A member that is no longer encoded is removed, also after a save that failed")
  func unclaimed() throws {
    let file = try DatabaseFile<Box<Sparse>>.inMemory()
    var box = Box<Sparse>()
    box.performBatchUpdates { $0.modifying.rows.insert(Sparse(id: 1, extra: 5)) }
    try file.save(box)
    box.performBatchUpdates { $0.modifying.rows.insert(Sparse(id: 2, refuses: true)) }
    #expect(throws: DatabaseFileError.self) { try file.save(box) }
    box.performBatchUpdates { context in
      context.modifying.rows.remove(2)
      context.modifying.rows.updateIfExists(id: 1) { $0.extra = nil }
    }
    try file.save(box)
    try expectEqual(file.load(), box)
  }

  /// A storage whose initial database has a row that differs each time.
  struct Seeded: NormalizedStorageType {
    struct Contents: StorageContents {
      var rows = Tables.Hash<Sparse>()
      var notes = Tables.Hash<Note>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("rows", \.rows)
        visitor.table("notes", \.notes)
      }
    }

    var snapshot = Snapshot(Contents())

    init() {
      performBatchUpdates { context in
        context.modifying.notes.insert(Note(id: UUID().uuidString, text: ""))
      }
    }
  }

  @Test("The initial database is saved when it is, also the part that the file does not have")
  func initial() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Seeded>(path: folder.file())
    var first = try file.load()
    try file.save(first)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try expectEqual(file.load(), first)
    try file.close()
    // A file that has one of the two parts.
    let other = folder.file("other.sqlite")
    let smaller = try DatabaseFile<Box<Sparse>>(path: other)
    try smaller.save(Box())
    try smaller.close()
    file = try DatabaseFile(path: other)
    first = try file.load()
    try file.save(first)
    try file.close()
    try expectEqual(DatabaseFile<Seeded>(path: other).load(), first)
  }

  /// An ID that is not always the member `id`.
  struct Lowered: EntityType, Identifiable, Codable, Equatable {
    let id: String
    var text = ""
    var entityID: EntityID { EntityID(id.lowercased()) }
  }

  @Test("The member that is the ID of the first rows need not be that of the others")
  func differingID() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Box<Lowered>>(path: folder.file())
    var box = Box<Lowered>()
    box.performBatchUpdates { $0.modifying.rows.insert([Lowered(id: "a"), Lowered(id: "b")]) }
    try file.save(box)
    try file.withTurn {
      try $0.connection.execute("CREATE VIEW others AS SELECT * FROM rows")
    }
    box.performBatchUpdates { context in
      context.modifying.rows.updateIfExists(id: "a") { $0.text = "x" }
      context.modifying.rows.insert(Lowered(id: "ABC", text: "y"))
    }
    try file.save(box)
    try expectEqual(file.read(), box)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try expectEqual(file.load(), box)
    box.performBatchUpdates { context in
      context.modifying.rows.updateIfExists(id: "abc") { $0.text = "z" }
      context.modifying.rows.remove("b")
    }
    try file.save(box)
    try expectEqual(file.load(), box)
  }

  /// An integer or a floating-point number, which differ.
  enum Number: Hashable, Codable, Sendable {
    case int(Int)
    case double(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .int(try container.decode(Int.self)) } catch {
        self = .double(try container.decode(Double.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .int(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      }
    }
  }

  struct Numbered: EntityType, Identifiable, Codable, Equatable {
    let id: Number
    var text: String
  }

  @Test("IDs that are one key in SQLite, 1 and 1.0, are two rows")
  func numericallyEqual() throws {
    let file = try DatabaseFile<Box<Numbered>>.inMemory()
    var box = Box<Numbered>()
    box.performBatchUpdates { $0.modifying.rows.insert(Numbered(id: .int(1), text: "int")) }
    try file.save(box)
    box.performBatchUpdates { context in
      context.modifying.rows.insert(Numbered(id: .double(1), text: "double"))
      context.modifying.rows.insert(Numbered(id: .double(-0.0), text: "zero"))
    }
    try file.save(box)
    try expectEqual(file.load(), box)
    box.performBatchUpdates { context in
      context.modifying.rows.updateIfExists(id: .init(.double(1))) { $0.text = "changed" }
      context.modifying.rows.remove(.init(.int(1)))
      context.modifying.rows.remove(.init(.double(0)))
    }
    try file.save(box)
    try expectEqual(file.load(), box)
  }

  @Test("Parts whose names differ in case have a table each, also before they have rows")
  func reservedNames() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    var header = try FileHeader(connection)
    try header.create(on: connection)
    let first = try header.addTable(of: "books", on: connection)
    header = try FileHeader(connection)
    let second = try header.addTable(of: "Books", on: connection)
    expectTrue(SQLName.lowercased(first) != SQLName.lowercased(second))
  }

  @Test("Rows whose IDs the file spells otherwise are found with one reading of the IDs")
  func manySpellings() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    var shop = Shop()
    let count = 200
    shop.performBatchUpdates { context in
      for number in 0..<count {
        context.modifying.notes.insert(Note(id: "e\u{301}\(number)", text: "a"))
      }
    }
    try file.save(shop)
    // The file has the other spelling.
    try file.withTurn { file in
      for number in 0..<count {
        _ = try file.connection.value(
          "UPDATE notes SET id=? WHERE id=?",
          [.text("é\(number)"), .text("e\u{301}\(number)")])
      }
    }
    shop.performBatchUpdates { context in
      for number in 0..<count {
        context.modifying.notes.updateIfExists(id: .init("é\(number)")) { $0.text = "b" }
      }
    }
    try file.save(shop)
    try expectEqual(file.load(), shop)
    let table = try #require(try file.withTurn { try $0.table(of: "notes") })
    expectEqual(table.readingsOfIDs, 1)
  }
}
