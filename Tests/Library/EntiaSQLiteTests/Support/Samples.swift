import EntiaDatabase
import EntiaLaws
import Foundation

struct Writer: EntityType, Identifiable { let id: Int }
struct Named: EntityType, Identifiable { let id: String }
struct Device: EntityType, Identifiable { let id: UUID }

/// The members of a sample: one of each kind.
struct SampleMembers: Codable, Equatable, Sendable {
  enum Kind: String, Codable, CaseIterable, Sendable { case text, link, other }
  enum Level: Int, Codable, CaseIterable, Sendable { case low, high }
  struct Code: RawRepresentable, Codable, Hashable, Sendable { let rawValue: Int }
  struct Place: Codable, Hashable, Sendable {
    var city: String
    var height: Double?
    var names: Set<String>
  }
  enum Choice: Codable, Hashable, Sendable {
    case none
    case number(Int)
    case words(Set<String>)
  }

  var id: String
  var text: String?
  var count: Int
  var small: Int8
  var big: UInt64
  var number: Double
  var single: Float?
  var flag: Bool
  var maybe: Bool?
  var date: Date
  var end: Date?
  var data: Data
  var uuid: UUID
  var link: URL?
  var price: Decimal
  var fee: Decimal?
  var writerID: Writer.EntityID
  var otherWriterID: Writer.EntityID?
  var namedID: Named.EntityID
  var otherNamedID: Named.EntityID?
  var deviceID: Device.EntityID?
  var kind: Kind
  var otherKind: Kind?
  var level: Level
  var otherLevel: Level?
  var code: Code
  var place: Place
  var places: [Place]
  var tags: Set<String>
  var namedIDs: Set<Named.EntityID>
  var weights: [String: Double]
  var kinds: [Kind: Set<Int>]
  var choice: Choice
  var twice: Int??
}

/// A row with the members of a sample.
protocol SampleRow: EntityType, Identifiable where EntityIDRawType == String {
  var members: SampleMembers { get set }
  init(_ members: SampleMembers)
}

/// A sample that is `Codable` by synthesized code.
struct CodableSample: SampleRow, Codable {
  var members: SampleMembers
  var id: String { members.id }

  init(_ members: SampleMembers) { self.members = members }
  init(from decoder: any Decoder) throws { members = try SampleMembers(from: decoder) }
  func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

/// A sample that reads and writes its members by code as `@Entity` generates it, and that is not
/// `Codable`.
struct GeneratedSample: SampleRow, RowCodable {
  var members: SampleMembers
  var id: String { members.id }

  init(_ members: SampleMembers) { self.members = members }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    members = SampleMembers(
      id: try row.member("id"), text: try row.memberIfPresent("text"),
      count: try row.member("count"), small: try row.member("small"), big: try row.member("big"),
      number: try row.member("number"), single: try row.memberIfPresent("single"),
      flag: try row.member("flag"), maybe: try row.memberIfPresent("maybe"),
      date: try row.member("date"), end: try row.memberIfPresent("end"),
      data: try row.member("data"), uuid: try row.member("uuid"),
      link: try row.memberIfPresent("link"), price: try row.member("price"),
      fee: try row.memberIfPresent("fee"), writerID: try row.member("writerID"),
      otherWriterID: try row.memberIfPresent("otherWriterID"), namedID: try row.member("namedID"),
      otherNamedID: try row.memberIfPresent("otherNamedID"),
      deviceID: try row.memberIfPresent("deviceID"), kind: try row.member("kind"),
      otherKind: try row.memberIfPresent("otherKind"), level: try row.member("level"),
      otherLevel: try row.memberIfPresent("otherLevel"), code: try row.member("code"),
      place: try row.member("place"), places: try row.member("places"),
      tags: try row.member("tags"), namedIDs: try row.member("namedIDs"),
      weights: try row.member("weights"), kinds: try row.member("kinds"),
      choice: try row.member("choice"), twice: try row.valueIfPresent("twice"))
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: members.id)
    try row.setMember("text", to: members.text)
    try row.setMember("count", to: members.count)
    try row.setMember("small", to: members.small)
    try row.setMember("big", to: members.big)
    try row.setMember("number", to: members.number)
    try row.setMember("single", to: members.single)
    try row.setMember("flag", to: members.flag)
    try row.setMember("maybe", to: members.maybe)
    try row.setMember("date", to: members.date)
    try row.setMember("end", to: members.end)
    try row.setMember("data", to: members.data)
    try row.setMember("uuid", to: members.uuid)
    try row.setMember("link", to: members.link)
    try row.setMember("price", to: members.price)
    try row.setMember("fee", to: members.fee)
    try row.setMember("writerID", to: members.writerID)
    try row.setMember("otherWriterID", to: members.otherWriterID)
    try row.setMember("namedID", to: members.namedID)
    try row.setMember("otherNamedID", to: members.otherNamedID)
    try row.setMember("deviceID", to: members.deviceID)
    try row.setMember("kind", to: members.kind)
    try row.setMember("otherKind", to: members.otherKind)
    try row.setMember("level", to: members.level)
    try row.setMember("otherLevel", to: members.otherLevel)
    try row.setMember("code", to: members.code)
    try row.setMember("place", to: members.place)
    try row.setMember("places", to: members.places)
    try row.setMember("tags", to: members.tags)
    try row.setMember("namedIDs", to: members.namedIDs)
    try row.setMember("weights", to: members.weights)
    try row.setMember("kinds", to: members.kinds)
    try row.setMember("choice", to: members.choice)
    try row.setMember("twice", to: members.twice)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self = mine
  }
}

/// A table of samples.
struct Samples<Row: SampleRow>: NormalizedStorageType {
  struct Contents: StorageContents {
    var samples = Tables.Hash<Row>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("samples", \.samples) }
  }

  var snapshot = Snapshot(Contents())
  var samples: Tables.Hash<Row> { snapshot.contents.samples }
}

extension SampleMembers {
  /// Creates the members of a random sample.
  init(id: String, _ random: inout SeededGenerator) {
    func any<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
      values[random.number(in: 0..<values.count)]
    }
    func some<Value>(_ value: Value, _ random: inout SeededGenerator) -> Value? {
      random.oneIn(3) ? nil : value
    }
    let texts = ["", "a", "é", "e\u{301}", "x\0y", "[1]", "{}", "entia:null", "\"\\/\u{1}"]
    let numbers = [0, -0.0, 1, 1.5, -7e300, .nan, -.nan, .infinity, -.infinity]
    func text(_ random: inout SeededGenerator) -> String { any(texts, &random) }
    func number(_ random: inout SeededGenerator) -> Double { any(numbers, &random) }
    func words(_ random: inout SeededGenerator) -> Set<String> {
      Set((0..<random.number(in: 0..<9)).map { "w\($0)" } + [text(&random)])
    }
    func place(_ random: inout SeededGenerator) -> Place {
      Place(
        city: text(&random), height: some(any([0, -0.0, 1.5], &random), &random),
        names: words(&random))
    }
    let links = ["https://a.example/b?c=d#e", "é", "mailto:a@b.example"].map {
      URL(string: $0)
    }
    let link = any(
      links + [URL(string: "b/c", relativeTo: URL(string: "https://a.example"))], &random)
    let decimals = ["0", "12.50", "-1234567890.12345678901", "1e30"].map { Decimal(string: $0) }
    self.init(
      id: id, text: some(text(&random), &random), count: any([0, .min, .max, 7], &random),
      small: any([0, .min, .max], &random), big: any([0, .max, 1 << 63], &random),
      number: number(&random), single: some(Float(number(&random)), &random),
      flag: random.oneIn(2), maybe: some(random.oneIn(2), &random),
      date: Date(timeIntervalSinceReferenceDate: any([0, 1.25, -7e9], &random)),
      end: some(Date(timeIntervalSinceReferenceDate: any([0, 1.25, -7e9], &random)), &random),
      data: Data(text(&random).utf8), uuid: any([UUID(), UUID()], &random),
      link: link, price: any(decimals, &random) ?? 0,
      fee: some(any([Decimal.nan, 1.5, -3], &random), &random),
      writerID: Writer.EntityID(any([1, -1, .max], &random)),
      otherWriterID: some(Writer.EntityID(3), &random), namedID: Named.EntityID(text(&random)),
      otherNamedID: some(Named.EntityID(text(&random)), &random),
      deviceID: some(Device.EntityID(UUID()), &random), kind: any(Kind.allCases, &random),
      otherKind: some(any(Kind.allCases, &random), &random),
      level: any(Level.allCases, &random),
      otherLevel: some(any(Level.allCases, &random), &random),
      code: Code(rawValue: any([0, .max], &random)), place: place(&random),
      places: (0..<random.number(in: 0..<3)).map { _ in place(&random) }, tags: words(&random),
      namedIDs: Set(words(&random).map { Named.EntityID($0) }),
      // Values with a NaN in a dictionary are never the same.
      weights: ["é": any([0, -0.0, .infinity], &random), "a": 1.5],
      kinds: Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { ($0, Set((0..<9).shuffled(using: &random))) }),
      choice: any([.none, .number(7), .words(words(&random))], &random),
      twice: any([nil, .some(nil), 7], &random))
  }
}
