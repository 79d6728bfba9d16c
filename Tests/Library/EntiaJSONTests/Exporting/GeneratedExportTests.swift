import EntiaDatabase
import EntiaJSON
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// What is exported, and how.
private struct Request {
  enum Kind { case sheets, authors, tables }

  let kind: Kind
  let depth: Int
  let options: TypedExportOptions
  /// The depth of each inverse, or 0 for none.
  let inverses: (sheets: Int, edited: Int)
  /// The name of an inverse, which may be that of a member.
  let name: String

  init(using random: inout SeededGenerator) {
    kind = random.one(of: [.sheets, .authors, .tables])
    depth = random.number(in: 0..<4)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy"
    options = TypedExportOptions(
      keys: random.one(of: [.same, .same, .snakeCase, .kebabCase, .custom { "x \($0)" }]),
      dates: random.one(of: [
        .plain, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted(formatter),
        .custom(
          decoding: { _ in Date(timeIntervalSinceReferenceDate: 0) },
          encoding: { date, encoder in
            var container = encoder.container(keyedBy: DateKey.self)
            try container.encode(date.timeIntervalSinceReferenceDate > 0, forKey: .isLate)
          }),
      ]))
    inverses = (random.number(in: 0..<3), random.number(in: 0..<3))
    name = random.one(of: ["edited", "tags", "editorID"])
  }

  private enum DateKey: CodingKey { case isLate }

  /// Returns the exported bytes as text, or the reason why there are none.
  func text<Row: SheetRow>(_ desk: Desk<Row>) -> String {
    var following: [InverseNesting<Desk<Row>>] = []
    if inverses.sheets > 0 {
      following.append(.inverse(\.sheetAuthor, as: "sheets", depth: inverses.sheets))
    }
    if inverses.edited > 0 {
      following.append(.inverse(\.sheetEditor, as: name, depth: inverses.edited))
    }
    do {
      let bytes =
        switch kind {
        case .sheets:
          try desk.exportJSON(Row.self, depth: depth, following: following, options: options)
        case .authors:
          try desk.exportJSON(Author.self, depth: depth, following: following, options: options)
        case .tables: try desk.exportTables(options: options)
        }
      return String(decoding: bytes, as: UTF8.self)
    } catch EncodingError.invalidValue(let value, let context) {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return "\(value) at \(path): \(context.debugDescription)"
    } catch {
      return "\(error)"
    }
  }
}

@Suite("Exported rows of generated code")
struct GeneratedExportTests {
  @Test("Law 42: generated code and Codable agree on the bytes of equal rows, and on errors")
  func sameBytes() {
    for seed in LawRuns(count: 20).seeds {
      var random = SeededGenerator(seed: seed)
      let isFinite = !random.oneIn(4)
      let sheets = (0..<4).map { Sheet.random(id: $0, isFinite: isFinite, using: &random) }
      let (coded, generated) = (Desk<Sheet>(sheets), Desk<GeneratedSheet>(sheets))
      for _ in 0..<6 {
        let request = Request(using: &random)
        let text = request.text(coded)
        expectEqual(request.text(generated), text, "seed \(seed): \(request)")
        if isFinite { expectTrue(text.hasSuffix("\n"), "seed \(seed): \(request)") }
      }
    }
  }

  @Test("Rows have the bytes of Fixtures/forms/sheets.json, which are read again")
  func goldenText() throws {
    let (coded, generated) = (Desk<Sheet>(Sheet.golden), Desk<GeneratedSheet>(Sheet.golden))
    let text = String(decoding: try generated.exportTables(), as: UTF8.self)
    expectEqual(text, try GoldenText.of("sheets.json", recording: text))
    expectEqual(String(decoding: try coded.exportTables(), as: UTF8.self), text)
    let again = Importer.importingTables([source(text)], into: Desk<GeneratedSheet>())
    expectEqual(again.database?.sheets.map(\.sheet), Sheet.golden)
  }

  @Test("Rows with a Codable of their own are exported by generated code, also with inverses")
  func ownCodable() throws {
    let rows = OwnRows([OwnRow(id: 1, ownerID: nil), OwnRow(id: 2, ownerID: 1)])
    func text(_ inverses: [InverseNesting<OwnRows>], depth: Int = 0) throws -> String {
      String(
        decoding: try rows.exportJSON(OwnRow.self, depth: depth, following: inverses),
        as: UTF8.self)
    }
    try expectEqual(text([]), "[\n  {\"id\":1},\n  {\"id\":2,\"owner\":1}\n]\n")
    try expectEqual(text([], depth: 1), "[\n  {\"id\":1},\n  {\"id\":2,\"owner\":{\"id\":1}}\n]\n")
    try expectEqual(
      text([.inverse(\.owner, as: "owned")]),
      """
      [
        {"id":1,"owned":[{"id":2,"owner":1}]},
        {"id":2,"owner":1,"owned":[]}
      ]

      """)
    var again = OwnRows()
    try again.importJSON(source(try text([])), of: OwnRow.self)
    expectEqual(again, rows)
  }
}

/// A row whose own `Codable` is for other coders.
private struct OwnRow: EntityType, Identifiable, Equatable, RowCodable {
  let id: Int
  var ownerID: EntityID?

  init(id: Int, ownerID: EntityID?) { (self.id, self.ownerID) = (id, ownerID) }

  init(from decoder: any Decoder) throws {
    self.init(id: try decoder.singleValueContainer().decode(Int.self), ownerID: nil)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.init(id: try row.member("id"), ownerID: try row.memberIfPresent("owner"))
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: id)
    try row.setMember("owner", to: ownerID)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self.init(
      id: merger.merged("id", mine.id, theirs.id, base: base.id),
      ownerID: merger.merged("owner", mine.ownerID, theirs.ownerID, base: base.ownerID))
  }
}

private struct OwnRows: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Ordered<OwnRow>()
    var owner = ToOne<OwnRow, OwnRow>(\.ownerID, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("rows", \.rows)
      visitor.relationship("owner", \.owner)
    }
  }

  var snapshot = Snapshot(Contents())

  init() {}
  init(_ rows: [OwnRow]) { performBatchUpdates { $0.modifying.rows.insert(rows) } }
}
