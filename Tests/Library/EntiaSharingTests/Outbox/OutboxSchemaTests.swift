import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

/// A storage with one table, "rows".
private struct Rows<Row: EntityType>: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<Row>()
    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }
  var snapshot = Snapshot(Contents())
}

/// The table of authors of a library, under a name.
private struct AuthorsOnly: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("authors", \.authors) }
  }
  var snapshot = Snapshot(Contents())
}

/// A newer and an older entity, and other forms of the newer one.
private struct Person: EntityType, Identifiable, Codable {
  struct Address: Hashable, Codable {
    var street = ""
    var zip: String?
  }
  let id: Int
  var name = ""
  var age: Int?
  var addresses: [Address] = []
}
private struct PersonWithoutAge: EntityType, Identifiable, Codable {
  let id: Int
  var name = ""
  var addresses: [Person.Address] = []
}
private struct PersonWithShortAddresses: EntityType, Identifiable, Codable {
  struct Address: Hashable, Codable { var street = "" }
  let id: Int
  var name = ""
  var age: Int?
  var addresses: [Address] = []
}
private struct PersonWithNumber: EntityType, Identifiable, Codable {
  let id: Int
  var name = 0
  var age: Int?
}
/// Has another name for `age`, and writes addresses without reading them.
private struct RenamedPerson: EntityType, Identifiable, Codable {
  private enum Keys: CodingKey { case id, name, age, years, addresses }
  let id: Int
  var name: String
  var years: Int?

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Keys.self)
    id = try row.decode(Int.self, forKey: .id)
    name = try row.decode(String.self, forKey: .name)
    years = try row.decodeIfPresent(Int.self, forKey: row.contains(.years) ? .years : .age)
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Keys.self)
    try row.encode(id, forKey: .id)
    try row.encode(name, forKey: .name)
    try row.encode([String](), forKey: .addresses)
    try row.encodeIfPresent(years, forKey: .years)
  }
}

/// A row with many members and a dictionary, of which a program reads the first ones.
private struct WideRow<Width: RowWidth>: EntityType, Identifiable, Codable {
  let id: Int
  var numbers: [Int]
  var words = ["a": 1, "$b": 2]

  init(id: Int) {
    self.id = id
    numbers = (0..<Width.count).map { $0 * id }
  }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: NameKey.self)
    id = try row.decode(Int.self, forKey: NameKey("id"))
    numbers = try (0..<Width.count).map { try row.decode(Int.self, forKey: NameKey("m\($0)")) }
    words = try row.decode([String: Int].self, forKey: NameKey("words"))
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: NameKey.self)
    try row.encode(id, forKey: NameKey("id"))
    for (index, number) in numbers.enumerated() {
      try row.encode(number, forKey: NameKey("m\(index)"))
    }
    try row.encode(words, forKey: NameKey("words"))
  }
}
private protocol RowWidth: Sendable { static var count: Int { get } }
private enum Twenty: RowWidth { static let count = 20 }
private enum Nineteen: RowWidth { static let count = 19 }
private struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A sheet without a title, which generated code reads.
private struct ShortSheet: EntityType, Identifiable, Equatable, RowCodable {
  let id: Int

  init<Row: RowReader & ~Copyable>(row: inout Row) throws { id = try row.member("id") }
  init(from decoder: any Decoder) throws { try self.init(rowFrom: decoder) }
  func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }
  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: id)
  }
  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self = mine
  }
}

@Suite("Outboxes of programs with other schemas")
struct OutboxSchemaTests {
  private let folder: OutboxFolder

  init() throws { folder = try OutboxFolder() }

  /// Stores batches as an outbox of the space "team".
  private func store<Storage: NormalizedStorageType>(
    _ start: Storage, _ batches: [(inout BatchContext<Storage>) -> Void]
  ) throws {
    let outbox = try Outbox<Storage>(folder.url(), space: "team")
    var storage = start
    for (index, batch) in batches.enumerated() {
      let before = storage
      try storage.performBatchUpdates { batch(&$0) }
      let number = Int64(index + 1)
      let stored = OutboxBatch(
        number: number, client: ClientID(), name: nil, base: LogPosition(version: 0),
        changes: storage.changes(since: before))
      try outbox.store([(number, try outbox.line(of: stored))])
    }
    outbox.close()
  }

  /// Returns the error with which a program with another storage opens the outbox, which stays
  /// unchanged.
  private func failure<Storage: NormalizedStorageType>(
    of type: Storage.Type
  ) throws -> SharedDatabaseError? {
    let bytes = try Data(contentsOf: folder.url())
    let error = #expect(throws: SharedDatabaseError.self) {
      try Outbox<Storage>(folder.url(), space: "team")
    }
    try expectEqual(Data(contentsOf: folder.url()), bytes)
    return error
  }

  private var path: String { folder.url().path(percentEncoded: false) }

  private func unreadable(
    _ part: String, _ column: String? = nil, batch: Int, _ reason: String
  ) -> SharedDatabaseError {
    .cannotDecode(
      space: "team", entity: part, row: "batch \(batch)", column: column,
      reason: "in the outbox \(path), \(reason)")
  }

  @Test("A batch of a table that the program lacks is an error, which names outbox, batch and part")
  func table() throws {
    try store(
      Library(),
      [
        { $0.modifying.authors.insert(Author(id: "a", name: "Ann")) },
        { $0.modifying.books.insert(Book(rawID: "b", title: "One", authorID: "a")) },
      ])
    let error = try failure(of: AuthorsOnly.self)
    expectEqual(error, unreadable("books", batch: 2, "this program has no part of this name"))
    expectEqual(
      error?.description,
      """
      team: row batch 2 of books cannot be read: in the outbox \(path), this program has \
      no part of this name
      """)
    // A program that has it reads it.
    try expectEqual(Outbox<Library>(folder.url(), space: "team").restored.count, 2)
  }

  @Test("So are held IDs and relationships that the program lacks")
  func heldIDs() throws {
    try store(try Feed.sample(), [{ $0.modifying.favorites.append(4) }])
    try expectEqual(
      failure(of: AuthorsOnly.self),
      unreadable("favorites", batch: 1, "this program has no part of this name"))
  }

  private func storePerson(_ person: Person) throws {
    try store(
      Rows<Person>(),
      [
        { $0.modifying.rows.insert(Person(id: 1)) },
        { $0.modifying.rows.insert(person) },
      ])
  }

  @Test("A member that the program lacks is an error, also in a nested value")
  func member() throws {
    try storePerson(Person(id: 1, age: 30, addresses: [.init(street: "s", zip: "z")]))
    let reason = "this program has no member of this name"
    try expectEqual(
      failure(of: Rows<PersonWithoutAge>.self), unreadable("rows", "age", batch: 2, reason))
    try expectEqual(
      failure(of: Rows<PersonWithShortAddresses>.self),
      unreadable("rows", "addresses.zip", batch: 2, reason))
    try expectEqual(Outbox<Rows<Person>>(folder.url(), space: "team").restored.count, 2)
  }

  @Test("A value of another type is an error, which names the outbox and the batch")
  func value() throws {
    try storePerson(Person(id: 1, name: "Ann"))
    let error = try failure(of: Rows<PersonWithNumber>.self)
    guard case .cannotDecode("team", "rows", "batch 1", "name", let reason)? = error else {
      Issue.record("another error: \(error.map { "\($0)" } ?? "none")")
      return
    }
    expectTrue(reason.hasPrefix("in the outbox \(path), expected an integer"))
  }

  @Test("Members that are read under another name, or written and not read, are known")
  func renamed() throws {
    try storePerson(Person(id: 1, name: "Ann", age: 30, addresses: [.init(street: "s")]))
    let restored = try Outbox<Rows<RenamedPerson>>(folder.url(), space: "team").restored
    expectEqual(restored.last?.changes.rows.updated.map(\.new.years), [30])
  }

  @Test("So is a member of a row with many members")
  func manyMembers() throws {
    let reason = "this program has no member of this name"
    try store(Rows<WideRow<Twenty>>(), [{ $0.modifying.rows.insert(WideRow(id: 1)) }])
    try expectEqual(Outbox<Rows<WideRow<Twenty>>>(folder.url(), space: "team").restored.count, 1)
    try expectEqual(
      failure(of: Rows<WideRow<Nineteen>>.self), unreadable("rows", "m19", batch: 1, reason))
  }

  @Test("So is one that generated code does not read")
  func generated() throws {
    let reason = "this program has no member of this name"
    try store(
      Rows<GeneratedSheet>(), [{ $0.modifying.rows.insert(GeneratedSheet(Sheet(id: 1))) }])
    try expectEqual(Outbox<Rows<GeneratedSheet>>(folder.url(), space: "team").restored.count, 1)
    try expectEqual(
      failure(of: Rows<ShortSheet>.self), unreadable("rows", "title", batch: 1, reason))
  }

  @Test("A removed row may have members that the program lacks")
  func removal() throws {
    var start = Rows<Person>()
    start.performBatchUpdates { _ = $0.modifying.rows.insert(Person(id: 1, age: 30)) }
    try store(start, [{ _ = $0.modifying.rows.remove(1) }])
    let restored = try Outbox<Rows<PersonWithoutAge>>(folder.url(), space: "team").restored
    expectEqual(restored.first?.changes.rows.removed.count, 1)
  }
}
