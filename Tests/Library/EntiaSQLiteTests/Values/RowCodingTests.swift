import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Rows of one table")
struct RowCodingTests {
  /// Stores rows one after the other with one encoder, and reads them back with one decoder.
  private func check<Row: Codable & Equatable>(_ rows: [Row]) throws -> [String] {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let encoder = RowEncoder()
    for row in rows { try encoder.encode(row) }
    let columns = encoder.members.map { "\"\($0)\"" }.joined(separator: ", ")
    try connection.execute("CREATE TABLE t(\(columns))")
    let marks = encoder.members.map { _ in "?" }.joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO t VALUES (\(marks))", isKept: true)
    for row in rows {
      try encoder.encode(row)
      try encoder.bind(Array(encoder.members.indices), to: insert)
      try insert.run()
    }
    let select = try connection.prepare("SELECT * FROM t ORDER BY rowid")
    let decoder = RowDecoder(members: encoder.members)
    var found: [Row] = []
    while try select.step() { found.append(try decoder.decode(Row.self, from: select)) }
    expectEqual(found, rows)
    return encoder.members
  }

  /// A row that encodes and decodes its members in an order of its own, some of them twice.
  private struct Shuffled: Codable, Equatable {
    struct Key: CodingKey, Hashable {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { return nil }
    }

    var numbers: [String: Int]
    var texts: [String: String]
    var order: [String]

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.numbers == rhs.numbers && lhs.texts == rhs.texts
    }

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let names = ["a", "b", "c", "a name that is not stored inline", "d"]
        .filter { _ in Bool.random(using: &random) }
      (numbers, texts, order) = ([:], [:], names.shuffled(using: &random))
      for name in names {
        if Bool.random(using: &random) {
          numbers[name] = Int.random(in: -9...9, using: &random)
        } else {
          texts[name] = String(repeating: "é", count: Int.random(in: 0...40, using: &random))
        }
      }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      (numbers, texts, order) = ([:], [:], [])
      for key in container.allKeys.shuffled() where container.contains(key) {
        do {
          numbers[key.stringValue] = try container.decode(Int.self, forKey: key)
        } catch {
          texts[key.stringValue] = try container.decodeIfPresent(String.self, forKey: key)
        }
      }
    }

    func encode(to encoder: any Encoder) throws {
      for name in order {
        // Another container for each member.
        var container = encoder.container(keyedBy: Key.self)
        let key = Key(stringValue: name)
        try container.encode("replaced", forKey: key)
        if let number = numbers[name] { try container.encode(number, forKey: key) }
        if let text = texts[name] { try container.encode(text, forKey: key) }
      }
    }
  }

  @Test(
    "Rows with other members, in other orders and of other types",
    arguments: LawRuns(count: 5).seeds
  )
  func members(seed: UInt64) throws {
    _ = try check((0..<20).map { Shuffled(seed: seed &+ $0) } + [Shuffled(seed: seed)])
  }

  struct Numbered: EntityType, Identifiable, Codable {
    let id: Int
    var next: Numbered.EntityID?
    var others: [Named.EntityID]
  }
  struct Named: EntityType, Identifiable, Codable {
    let id: String
    var number: Numbered.EntityID
    var name: Named.EntityID?
    var unique: Unique.EntityID
    var small: Small.EntityID
  }
  struct Unique: EntityType, Identifiable, Codable { let id: UUID }
  struct Small: EntityType, Identifiable, Codable { let id: UInt8 }

  @Test("Typed IDs are stored as their raw values, by whatever storage they have in memory")
  func identifiers() throws {
    let encoder = RowEncoder()
    let unique = UUID()
    let row = Named(
      id: "a", number: 7, name: "a name that is not stored inline", unique: .init(unique), small: 3)
    try encoder.encode(row)
    expectEqual(
      encoder.cells,
      [
        .text("a"), .integer(7), .text("a name that is not stored inline"),
        .text(unique.uuidString), .integer(3),
      ])
    _ = try check([row, Named(id: "b", number: -1, name: nil, unique: .init(UUID()), small: 255)])
    _ = try check([
      Numbered(id: 1, next: 2, others: ["a"]), Numbered(id: .max, next: nil, others: []),
    ])
  }

  /// A row that keeps the container that it was decoded from.
  private struct Keeping: Decodable {
    enum CodingKeys: CodingKey { case text, number }
    let container: KeyedDecodingContainer<CodingKeys>

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
    }
  }

  @Test("A container that outlives its decoder has no values")
  func escaped() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let pool = RowColumnsPool()
    func row() throws -> Keeping {
      let select = try connection.prepare("SELECT 'a', 1")
      try expectTrue(select.step())
      return try RowDecoder(members: ["text", "number"], pool: pool).decode(
        Keeping.self, from: select)
    }
    let kept = try row()
    #expect(throws: DecodingError.self) { try kept.container.decode(String.self, forKey: .text) }
    try expectNil(kept.container.decodeIfPresent(Int.self, forKey: .number))
    expectTrue(kept.container.allKeys.isEmpty)
  }
}
