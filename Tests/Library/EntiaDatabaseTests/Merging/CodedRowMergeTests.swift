import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// A storage of rows of one type.
private struct Rows<Row: EntityType>: NormalizedStorageType where Row.EntityIDRawType == Int {
  struct Contents: StorageContents {
    var rows = Tables.Hash<Row>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }

  var snapshot = Snapshot(Contents())
  var row: Row? { snapshot.contents.rows.find(by: 1) }

  init() {}

  init(_ row: Row) { performBatchUpdates { _ = $0.modifying.rows.insert(row) } }

  func changed(_ edit: (inout Row) -> Void) -> Self {
    var copy = self
    copy.performBatchUpdates { _ = $0.modifying.rows.updateIfExists(id: 1, edit) }
    return copy
  }
}

/// Returns the merged row, or `nil` if the edits are a conflict.
private func merged<Row: EntityType>(
  _ row: Row, mine: (inout Row) -> Void, theirs: (inout Row) -> Void
) throws -> Row? where Row.EntityIDRawType == Int {
  let base = Rows(row)
  let (mine, theirs) = (base.changed(mine), base.changed(theirs))
  do {
    let merged = try mine.merging(theirs, base: base).storage
    let backwards = try theirs.merging(mine, base: base).storage
    expectEqual(merged, backwards)
    return merged.row
  } catch let error as MergeError {
    expectEqual(error.conflicts.map(\.reason), [.edited])
    #expect(throws: MergeError.self) { try theirs.merging(mine, base: base) }
    return nil
  }
}

/// A row whose decoder adjusts one member to another.
private struct Meter: EntityType, Identifiable, Codable {
  let id: Int
  var value: Int
  var limit: Int

  init(value: Int, limit: Int) { (id, self.value, self.limit) = (1, value, limit) }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(Int.self, forKey: .id)
    limit = try members.decode(Int.self, forKey: .limit)
    value = min(try members.decode(Int.self, forKey: .value), limit)
  }
}

/// A row with an enum that is encoded among the row's own members.
private struct Entry: EntityType, Identifiable, Codable {
  enum Kind: Equatable {
    case note(String?)
    case photo(url: String)
  }

  let id: Int
  var kind: Kind

  private enum CodingKeys: CodingKey { case id, kind, text, url }

  init(_ kind: Kind) { (id, self.kind) = (1, kind) }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(Int.self, forKey: .id)
    if try members.decode(String.self, forKey: .kind) == "photo" {
      kind = .photo(url: try members.decode(String.self, forKey: .url))
    } else {
      kind = .note(try members.decodeIfPresent(String.self, forKey: .text))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    switch kind {
    case .note(let text):
      try members.encode("note", forKey: .kind)
      try members.encodeIfPresent(text, forKey: .text)
    case .photo(let url):
      try members.encode("photo", forKey: .kind)
      try members.encode(url, forKey: .url)
    }
  }
}

/// A value whose `==` compares its ID alone.
private struct Writer: Hashable, Codable {
  var id: Int
  var name = ""
  /// Not encoded.
  var draft = ""

  private enum CodingKeys: CodingKey { case id, name }

  init(_ id: Int) { self.id = id }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private struct Essay: EntityType, Identifiable, Codable {
  let id: Int
  var title = ""
  var text = ""
  var writer = Writer(1)
  var readers: Set<Writer> = []
  var ranks: [String: Writer] = [:]
  var words: Set<String> = []
  var summary: String?
  var score = 0.0
}

/// A row that is encoded as a list.
private struct Pair: EntityType, Identifiable, Codable {
  let id: Int
  var first = 0
  var second = 0

  init() { id = 1 }

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    id = try list.decode(Int.self)
    first = try list.decode(Int.self)
    second = try list.decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for number in [id, first, second] { try list.encode(number) }
  }
}

/// A row that cannot be decoded where both of its members are set.
private struct Picky: EntityType, Identifiable, Codable {
  let id: Int
  var first = false
  var second = false

  init() { id = 1 }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(Int.self, forKey: .id)
    first = try members.decode(Bool.self, forKey: .first)
    second = try members.decode(Bool.self, forKey: .second)
    if first && second {
      throw DecodingError.dataCorruptedError(
        forKey: .second, in: members, debugDescription: "either first or second")
    }
  }
}

/// A row with a list and an object that it encodes by hand.
private struct Box: EntityType, Identifiable, Codable {
  enum Keys: CodingKey { case id, size, marks, name }
  enum SizeKeys: CodingKey { case width, height }

  let id: Int
  var (width, height) = (0, 0)
  var marks = [0, 0]
  var name = ""

  init() { id = 1 }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Keys.self)
    id = try members.decode(Int.self, forKey: .id)
    name = try members.decode(String.self, forKey: .name)
    let size = try members.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    width = try size.decode(Int.self, forKey: .width)
    height = try size.decode(Int.self, forKey: .height)
    var list = try members.nestedUnkeyedContainer(forKey: .marks)
    marks = []
    while !list.isAtEnd { marks.append(try list.decode(Int.self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Keys.self)
    try members.encode(id, forKey: .id)
    try members.encode(name, forKey: .name)
    var size = members.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    try size.encode(width, forKey: .width)
    try size.encode(height, forKey: .height)
    var list = members.nestedUnkeyedContainer(forKey: .marks)
    for mark in marks { try list.encode(mark) }
  }
}

@Suite("Merges of rows that are coded in unusual ways")
struct CodedRowMergeTests {
  @Test("A decoder that adjusts members to each other makes a conflict, not another value")
  func adjusted() throws {
    let meter = Meter(value: 10, limit: 100)
    try expectNil(merged(meter, mine: { $0.value = 90 }, theirs: { $0.limit = 50 }))
    try expectEqual(
      merged(meter, mine: { $0.value = 40 }, theirs: { $0.limit = 50 }), Meter(value: 40, limit: 50)
    )
  }

  @Test("A member that the merged row would not have is a conflict")
  func dropped() throws {
    let note = Entry(.note(nil))
    try expectNil(
      merged(
        note, mine: { $0.kind = .photo(url: "u") }, theirs: { $0.kind = .note("hi") }))
  }

  @Test("A nested value whose == ignores members is compared by its members too")
  func ignored() throws {
    let row = try #require(
      try merged(
        Essay(id: 1), mine: { $0.title = "T" },
        theirs: { ($0.writer.name, $0.text) = ("Ann", "t") }))
    expectTrue(row.writer.name == "Ann" && row.title == "T" && row.text == "t")
    try expectNil(
      merged(
        Essay(id: 1), mine: { ($0.writer.name, $0.title) = ("Bea", "T") },
        theirs: { ($0.writer.name, $0.text) = ("Ann", "t") }))
  }

  @Test("Elements of sets and dictionaries are compared by their members, in any order")
  func unordered() throws {
    var base = Essay(id: 1)
    base.readers = [Writer(1), Writer(2)]
    base.ranks = ["a": Writer(1), "b": Writer(2)]
    base.words = Set((0..<50).map(String.init))
    var ann = Writer(2)
    ann.name = "Ann"
    let row = try #require(
      try merged(
        base,
        mine: {
          $0.title = "T"
          // An equal set in another order.
          $0.words = Set(minimumCapacity: 1000).union((0..<50).reversed().map(String.init))
        },
        theirs: {
          $0.text = "t"
          $0.readers.update(with: ann)
          $0.ranks["b"] = ann
          $0.words.insert("more")
        }))
    expectTrue(row.readers.map(\.name).sorted() == ["", "Ann"] && row.ranks["b"]?.name == "Ann")
    expectTrue(row.words.count == 51 && row.title == "T" && row.text == "t")
  }

  @Test("An optional that one side removed stays removed; NaN is no change")
  func optionals() throws {
    var base = Essay(id: 1)
    (base.summary, base.score) = ("s", .nan)
    let row = try #require(
      try merged(base, mine: { $0.summary = nil }, theirs: { $0.title = "T" }))
    expectTrue(row.summary == nil && row.title == "T" && row.score.isNaN)
    try expectNil(merged(base, mine: { $0.summary = nil }, theirs: { $0.summary = "x" }))
    let number = try #require(
      try merged(base, mine: { $0.score = 1 }, theirs: { $0.summary = nil }))
    expectTrue(number.score == 1 && number.summary == nil)
    try expectNil(merged(base, mine: { $0.score = 1 }, theirs: { $0.score = 2 }))
  }

  @Test("Nested containers are one member each")
  func nested() throws {
    let row = try #require(
      try merged(
        Box(), mine: { ($0.width, $0.height) = (1, 2) },
        theirs: { ($0.marks, $0.name) = ([3], "n") }))
    expectTrue(row.width == 1 && row.height == 2 && row.marks == [3] && row.name == "n")
    try expectNil(merged(Box(), mine: { $0.width = 1 }, theirs: { $0.height = 1 }))
    try expectNil(merged(Box(), mine: { $0.marks[0] = 1 }, theirs: { $0.marks[1] = 1 }))
  }

  @Test("A row that is no object, and one that cannot be decoded, is one value")
  func whole() throws {
    try expectNil(merged(Pair(), mine: { $0.first = 1 }, theirs: { $0.second = 1 }))
    try expectNil(merged(Picky(), mine: { $0.first = true }, theirs: { $0.second = true }))
  }
}
