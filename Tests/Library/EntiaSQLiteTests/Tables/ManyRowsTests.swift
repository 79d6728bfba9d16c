import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Many rows by one statement")
struct ManyRowsTests {
  struct Item: EntityType, Identifiable, Codable, Equatable {
    let id: Int
    var text: String
  }

  struct Items: NormalizedStorageType {
    struct Contents: StorageContents {
      var items = Tables.Hash<Item>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("items", \.items) }
    }

    var snapshot = Snapshot(Contents())
    var items: Tables.Hash<Item> { snapshot.contents.items }

    init() {}

    init(_ ids: some Sequence<Int>, text: String = "text") {
      performBatchUpdates { context in
        context.modifying.items.insert(ids.map { Item(id: $0, text: text) })
      }
    }

    mutating func setText(_ text: String) {
      let ids = items.map(\.entityID)
      performBatchUpdates { context in
        for id in ids { context.modifying.items.updateIfExists(id: id) { $0.text = text } }
      }
    }
  }

  private func value(_ sql: String, on file: DatabaseFile<Items>) throws -> StoredValue? {
    try file.withTurn { try $0.connection.value(sql) }
  }

  private func execute(_ sql: String, on file: DatabaseFile<Items>) throws {
    try file.withTurn { try $0.connection.edit(sql) }
  }

  @Test("Rows in any order of their IDs fill the pages of the file as those in ascending order")
  func pages() throws {
    let shuffled = (0..<5_000).map { $0 * 2_003 % 5_000 }
    let pages = try [Array(0..<5_000), shuffled].map { ids in
      let file = try DatabaseFile<Items>.inMemory()
      let items = Items(ids)
      try file.save(items)
      try expectEqual(file.load().items.map(\.id), ids)
      return try value("PRAGMA page_count", on: file)
    }
    expectEqual(pages[0], pages[1])
  }

  @Test("A first save larger than the limit is written in several parts, in the rows' order")
  func parts() throws {
    let file = try DatabaseFile<Items>.inMemory()
    let text = String(repeating: "x", count: RowEncoder.sizeLimit / 40)
    let items = Items((0..<100).map { $0 * 37 % 100 }, text: text)
    try file.save(items)
    try expectTrue(file.load().items.elementsEqual(items.items))
    try file.expectRowCounts()
  }

  @Test("An update of a row that the file no longer has is reported, and nothing is saved")
  func missing() throws {
    let file = try DatabaseFile<Items>.inMemory()
    var items = Items(0..<20)
    try file.save(items)
    try execute("DELETE FROM items WHERE id IN (7, 11)", on: file)
    items.setText("new")
    let error = #expect(throws: DatabaseFileError.self) { try file.save(items) }
    let message = "\(try #require(error))"
    expectTrue(message.contains("the file no longer has the row") && message.contains("11"))
    try expectEqual(value("SELECT count(*) FROM items", on: file), .integer(18))
    try expectEqual(value("SELECT count(*) FROM items WHERE text='new'", on: file), .integer(0))
  }

  @Test("A first row with the ID of a skipped row is reported, and nothing is saved")
  func skipped() throws {
    let file = try DatabaseFile<Items>.inMemory()
    try file.save(Items([3]))
    try execute("UPDATE items SET text=5", on: file)
    try expectEqual(file.load(onBrokenRow: .skip).database, Items())
    let error = #expect(throws: DatabaseFileError.self) { try file.save(Items([9, 3, 1])) }
    guard case .cannotEncode(_, "items", "3", nil, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectTrue(reason.contains("replacing: true"))
    try expectEqual(value("SELECT count(*) FROM items", on: file), .integer(1))
  }

  @Test(
    "A table with objects or columns of another program is written row by row",
    arguments: [
      """
      CREATE TABLE noted(id); \
      CREATE TRIGGER noting BEFORE INSERT ON items BEGIN INSERT INTO noted VALUES (NEW.id); END
      """,
      "CREATE UNIQUE INDEX other ON items(text, id)",
      "ALTER TABLE items ADD COLUMN other TEXT NOT NULL DEFAULT 'x' CHECK (other = 'x')",
    ])
  func otherObjects(_ sql: String) throws {
    let folder = try TemporaryFolder()
    var items = Items((0..<20).reversed())
    var file = try DatabaseFile<Items>(path: folder.file())
    try file.save(items)
    try execute(sql, on: file)
    try file.close()
    file = try DatabaseFile<Items>(path: folder.file())
    _ = try file.load()
    items.setText("new")
    try file.save(items)
    let table = try #require(try file.withTurn { try $0.table(of: "items") })
    expectEqual(table.manyRows?.areUsable, false)
    if sql.contains("noted") {
      try expectEqual(value("SELECT count(*) FROM noted", on: file), .integer(0))
    }
    try expectEqual(file.load(), items)
  }

  @Test("A table as Entia creates it is written by one statement, and again after it was emptied")
  func plain() throws {
    let file = try DatabaseFile<Items>.inMemory()
    var items = Items(0..<20)
    try file.save(items)
    items.setText("new")
    try file.save(items)
    let table = try #require(try file.withTurn { try $0.table(of: "items") })
    expectEqual(table.manyRows?.areUsable, true)
    try file.save(Items(5..<9), replacing: true)
    try expectEqual(file.load(), Items(5..<9))
  }

  /// A row with more members than SQLite passes to one call of a function.
  struct WideRow: EntityType, Identifiable, Codable, Equatable {
    static let count = 200

    let id: Int
    var numbers = Array(0..<WideRow.count)

    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(id: Int) { self.id = id }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      id = try members.decode(Int.self, forKey: Key(stringValue: "id"))
      numbers = try (0..<Self.count).map {
        try members.decode(Int.self, forKey: Key(stringValue: "m\($0)"))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      try members.encode(id, forKey: Key(stringValue: "id"))
      for (index, number) in numbers.enumerated() {
        try members.encode(number, forKey: Key(stringValue: "m\(index)"))
      }
    }
  }

  struct WideRows: NormalizedStorageType {
    struct Contents: StorageContents {
      var rows = Tables.Hash<WideRow>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("rows", \.rows) }
    }

    var snapshot = Snapshot(Contents())
    var rows: Tables.Hash<WideRow> { snapshot.contents.rows }
  }

  @Test("The sum of a table with many columns follows a change of any of them")
  func manyColumns() throws {
    let file = try DatabaseFile<WideRows>.inMemory()
    var rows = WideRows()
    rows.performBatchUpdates { context in
      for id in 0..<3 { context.modifying.rows.insert(WideRow(id: id)) }
    }
    try file.save(rows)
    for index in [0, 88, 89, 90, 91, 178, 179, 180, 181, WideRow.count - 1] {
      rows.performBatchUpdates { context in
        context.modifying.rows.updateIfExists(id: 1) { $0.numbers[index] += 1_000 }
      }
      try file.save(rows)
      try file.expectRowCounts("column \(index)")
    }
    rows.performBatchUpdates { context in
      for id in 0..<3 {
        context.modifying.rows.updateIfExists(id: .init(id)) { $0.numbers.reverse() }
      }
    }
    try file.save(rows)
    try file.expectRowCounts()
    try expectEqual(file.load(), rows)
  }
}
