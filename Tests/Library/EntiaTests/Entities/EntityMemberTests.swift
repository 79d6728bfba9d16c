public import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// Types and names of members, and places of entities, as a user writes them.
@Suite("Members of entities, as a user writes them")
struct EntityMemberTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test("A member of any type with raw values needs no Codable, with and without a default")
  func rawValues() throws {
    var job = Job(id: 1, plain: .low, byte: .low)
    let text = """
      {"byte":1,"byteWithValue":9,"coded":"high","id":1,"long":9,"mode":"print","optionalMode":"print",\
      "optionalSize":9,"plain":1,"size":9}
      """
    try expectEqual(json(job), text)
    try expectEqual(read(Job.self, text), job)
    (job.optionalMode, job.optionalSize, job.mode) = (nil, nil, .fax)
    job.none = .low
    let other = try json(job)
    expectTrue(other.contains(#""optionalMode":null"#) && other.contains(#""optionalSize":null"#))
    expectTrue(other.contains(#""none":1"#))
    try expectEqual(read(Job.self, other), job)
    try expectEqual(read(Job.self, #"{"id":1,"plain":1,"byte":1}"#).optionalMode, .print)
    let error = #expect(throws: DecodingError.self) {
      try read(Job.self, #"{"id":1,"plain":1,"byte":7}"#)
    }
    expectEqual(error.map { "\($0)" }?.contains("7 is no raw value of"), true)
    #expect(throws: DecodingError.self) { try read(Job.self, #"{"id":1,"plain":1,"byte":-1}"#) }
    #expect(throws: DecodingError.self) { try read(Job.self, #"{"id":1,"plain":1}"#) }
    // The type's own form counts.
    try expectEqual(read(Job.self, #"{"id":1,"plain":1,"byte":1,"coded":"low"}"#).coded, .low)
  }

  @Test("Entities are nested in types and extensions of any visibility")
  func nesting() throws {
    expectTrue(Hidden.Plain(id: 1).kind == 1 && Hidden.Inner.Deep(id: 1).kind == 1)
    expectEqual(Hidden.Spot(row: 1, column: 2).id, Hidden.Spot.ID(row: 1, column: 2))
    expectTrue(Visible.Open(id: 1).kind == 1 && Visible.Inner.Closed(id: 1).kind == 1)
    expectEqual(Visible.Added(id: 1).kind, 1)
    expectEqual(GenericHolder<Int>.Row(id: 1).entityID, .init(1))
    var storage = Hidden.Storage()
    storage.performBatchUpdates { $0.modifying.plains.insert(Hidden.Plain(id: 1)) }
    expectEqual(storage.plains.count, 1)
  }

  @Test("An ID of several members is encoded under their stored names and read under old ones")
  func idNames() throws {
    let id = Berth.ID(row: "a", number: 1, level: 2)
    try expectEqual(json(id), #"{"level":2,"line":"a","number":1}"#)
    try expectEqual(json(Berth(row: "a", number: 1, level: 2)), try json(id))
    for text in [
      #"{"level":2,"line":"a","number":1}"#, #"{"floor":2,"line":"a","number":1}"#,
      #"{"storey":2,"line":"a","number":1}"#, #"{"floor":7,"level":2,"line":"a","number":1}"#,
    ] {
      try expectEqual(read(Berth.ID.self, text), id)
      try expectEqual(read(Berth.EntityID.self, text), .init(id))
    }
    for text in [#"{"level":2,"line":"a"}"#, #"{"level":2,"number":1}"#] {
      #expect(throws: DecodingError.self) { try read(Berth.ID.self, text) }
    }
    let keyed = [Berth.EntityID(id): true]
    try expectEqual(read([Berth.EntityID: Bool].self, try json(keyed)), keyed)
  }

  @Test("Self in an entity and in a part of a storage is the entity and the storage")
  func selfTypes() throws {
    var harbor = Harbor()
    let ship = Harbor.Ship(kind: .sail, number: 3)
    try harbor.performBatchUpdates { $0.modifying.ships.insert(ship) }
    expectEqual(harbor.ships.find(by: .init(.init(kind: .sail, number: 3))), ship)
    expectTrue(ship.flags == [.motor])
    #expect(throws: BatchError.self) {
      try harbor.performBatchUpdates {
        $0.modifying.ships.insert(Harbor.Ship(kind: .sail, number: 99))
      }
    }
  }

  @Test("Messages name each member once, as the property is named")
  func names() throws {
    var base = Desktop()
    base.performBatchUpdates { batch in
      batch.modifying.pages.insert(Desktop.Page(id: 1, title: "t"))
      batch.modifying.memos.insert(Desktop.Memo(id: 1, title: "t"))
    }
    func edited(_ title: String, _ number: Int) -> Desktop {
      var copy = base
      copy.performBatchUpdates { batch in
        batch.modifying.pages.updateIfExists(id: 1) { ($0.title, $0.number) = (title, number) }
        batch.modifying.memos.updateIfExists(id: 1) { ($0.title, $0.number) = (title, number) }
        batch.modifying.pages.insert(Desktop.Page(id: 2, title: title, number: number))
      }
      return copy
    }
    let error = #expect(throws: MergeError.self) {
      try edited("a", 1).merging(edited("bb", 2), base: base)
    }
    let fields = #"(title: base "t", mine "a", theirs "bb"; number: base 0, mine 1, theirs 2)"#
    let new = #"(title: mine "a", theirs "bb"; number: mine 1, theirs 2)"#
    expectEqual(
      error?.description,
      """
      the versions cannot be merged: Page 1 was edited by both \(fields): nothing is merged; \
      Page 2 was inserted by both \(new): nothing is merged; \
      Memo 1 was edited by both \(fields): nothing is merged
      """)
    expectEqual(error?.conflicts.first?.fields.map(\.name), ["title", "number"])
    let names = ["heading", "number"]
    expectEqual(error?.conflicts.map(\.members), [names, names, ["number", "heading"]])
    let changes = edited("a", 1).changes(since: base)
    expectTrue(changes.debugDescription.contains(#"~ Page 1: title "t" -> "a", number 0 -> 1"#))
  }
}

@Entity
struct Job: Equatable {
  enum Mode: String { case print, fax }
  enum Plain: Int {
    case low = 1
    case high = 9
  }
  enum Byte: UInt8 {
    case low = 1
    case high = 9
  }
  enum Long: Int64 {
    case low = 1
    case high = 9
  }
  struct Size: RawRepresentable, Equatable {
    var rawValue: UInt16
  }
  /// A type whose encoded form is not its raw value.
  enum Coded: UInt8, Codable {
    case low = 1
    case high = 9

    init(from decoder: any Decoder) throws {
      self = try decoder.singleValueContainer().decode(String.self) == "low" ? .low : .high
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self == .low ? "low" : "high")
    }
  }

  let id: Int
  var plain: Plain
  var byte: Byte
  var byteWithValue: Byte = .high
  var mode: Mode = .print
  var optionalMode: Mode? = .print
  var optionalSize: Size? = Size(rawValue: 9)
  var size = Size(rawValue: 9)
  var long = Long.high
  var none: Byte?
  var coded = Coded.high
}

enum Hidden {
  /// Visible here.
  @Entity public struct Plain {
    /// The ID.
    public let id: Int
    var kind = 1
  }
  struct Inner {
    /// Visible here.
    @Entity public struct Deep {
      /// The ID.
      public let id: Int
      /// Its kind.
      public var kind = 1
    }
  }
  /// Visible here.
  @Entity(id: "row", "column") public struct Spot {
    /// A part of the ID.
    public let row: Int
    /// A part of the ID.
    public let column: Int
    /// Another one.
    public var next: Spot.EntityID?
  }
  /// Visible here.
  @NormalizedStorage public struct Storage {
    /// The rows.
    @Table public var plains: Tables.Hash<Plain> = .init()
  }
}

/// Visible everywhere.
public enum Visible {
  /// Visible everywhere.
  @Entity public struct Open {
    /// The ID.
    public let id: Int
    var kind = 1
  }
  struct Inner {
    /// Visible here.
    @Entity public struct Closed {
      /// The ID.
      public let id: Int
      var kind = 1
    }
  }
}

extension Visible {
  /// Visible everywhere.
  @Entity public struct Added {
    /// The ID.
    public let id: Int
    var kind = 1
  }
}

struct GenericHolder<Value: Sendable> {
  /// Visible here.
  @Entity public struct Row {
    /// The ID.
    public let id: Int
    var kind = 1
  }
}

@Entity(id: "row", "number", "level")
struct Berth {
  @Stored("line") private(set) var row: String
  let number: Int
  @Stored(renamedFrom: "floor", "storey") let level: Int
}

@NormalizedStorage
struct Desktop {
  @Table var pages: Tables.Hash<Page> = .init()
  @Table var memos: Tables.Hash<Memo> = .init()

  @Entity struct Page {
    let id: Int
    @Stored("heading") var title: String
    @Transient var number = 0
  }

  struct Memo: EntityType, Identifiable, Codable, Equatable {
    enum CodingKeys: String, CodingKey {
      case id, number
      case title = "heading"
    }
    let id: Int
    var title: String
    var number = 0
  }
}

/// A storage and an entity that refer to themselves by `Self`.
@NormalizedStorage
private struct Harbor {
  @Entity(id: "kind", "number")
  struct Ship {
    enum Kind: String, Codable { case sail, motor }

    let kind: Self.Kind
    let number: Int
    @Transient var flags: [Self.Kind] = [.motor]
    /// No warning of generated code refers to it.
    @available(*, deprecated) var flag = "none"
  }

  static let berths = 9

  @Table var ships: Tables.Hash<Self.Ship> = .init()
  @Check var numbers: Checks.Entity<Self.Ship> = .init("there is a berth") {
    $0.number <= Self.berths
  }
}
