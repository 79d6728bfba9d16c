import EntiaCoding
import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Testing

@testable import EntiaSharing

@Suite("Rows of generated code, in a log")
struct GeneratedRowTests {
  private let coded: PartCoding<Sheet>
  private let generated: PartCoding<GeneratedSheet>

  init() throws { (coded, generated) = (try .rows(), try .rows()) }

  private func decoded(_ value: JSONValue) throws -> Sheet {
    try generated.decode(try FormText(value), 0).sheet
  }

  @Test("Rows have the form of synthesized Codable, and are read in any order of members")
  func sameForm() throws {
    for seed in LawRuns(count: 200).seeds {
      var random = SeededGenerator(seed: seed)
      var sheet = Sheet(id: 1)
      for edit in Sheet.edits.dropLast() where random.oneIn(2) {
        edit(&sheet, random.number(in: 0..<12))
      }
      // Two dictionaries with a NaN are not the same value.
      sheet.scores["b"] = nil
      let form = try coded.encode(sheet)
      #expect(try generated.encode(GeneratedSheet(sheet)) == form, "seed \(seed)")
      guard case .object(let members) = form else { continue }
      let shuffled = JSONValue.object(members.shuffled(using: &random))
      #expect(try coded.encode(try decoded(shuffled)) == form, "seed \(seed)")
      sheet.scroll = 5
      try generated.verify(GeneratedSheet(sheet), form)
      var other = sheet
      other.title += "x"
      #expect(throws: LossyCoding.self) { try generated.verify(GeneratedSheet(other), form) }
    }
  }

  @Test("A member without a value gets its default; errors name the member as with Codable")
  func errors() throws {
    var sheet = Sheet(id: 1)
    (sheet.summary, sheet.level) = ("s", .low)
    let form = try coded.encode(sheet)
    guard case .object(let members) = form else { return }
    func replacing(_ name: String, _ value: JSONValue?) -> JSONValue {
      .object(
        members.compactMap { member in
          member.name == name ? value.map { .init(name, $0) } : member
        })
    }
    #expect(try decoded(replacing("count", nil)).count == 3)
    #expect(try decoded(replacing("count", .null)).count == 3)
    #expect(try decoded(replacing("title", nil)).title == "untitled")
    let renamed = members.map { $0.name == "title" ? .init("name", .string("old")) : $0 }
    #expect(try decoded(.object(renamed)).title == "old")
    for (name, value) in [
      ("id", nil), ("id", .null), ("id", .string("1")), ("author", .number(JSONNumber(1))),
      ("author", nil), ("isRead", .string("yes")), ("ratio", .string("1")),
      ("summary", .bool(true)), ("level", .string("low")), ("date", .string("now")),
      ("reader", .object([])), ("tags", .array([.null])), ("words", nil),
    ] as [(String, JSONValue?)] {
      let text = try FormText(replacing(name, value))
      let expected = SharedDatabaseError.place(
        of: try #require(throws: (any Error).self) { try coded.decode(text, 0) })
      let found = SharedDatabaseError.place(
        of: try #require(throws: (any Error).self) { try generated.decode(text, 0) })
      #expect(found == expected, "\(name)")
    }
    let texts = (try FormText(.array([])), try FormText(.null))
    for text in [texts.0, texts.1] {
      #expect(
        SharedDatabaseError.place(
          of: try #require(throws: (any Error).self) { try generated.decode(text, 0) })
          == SharedDatabaseError.place(
            of: try #require(throws: (any Error).self) { try coded.decode(text, 0) }))
    }
  }

  @Test("Transient members of the store stay when changes of others arrive")
  func transients() throws {
    var sheet = Sheet(id: 1)
    let base = Binder([GeneratedSheet(sheet)])
    (sheet.title, sheet.scroll) = ("new", 3)
    let changes = base.replacing([GeneratedSheet(sheet)]).changes(since: base)
    var shown = Sheet(id: 1)
    shown.scroll = 7
    let store = Binder([GeneratedSheet(shown)])
    var types = TransientTypes()
    let adapted = changes.keepingTransientMembers(of: store, types: &types).sheets.updated
    #expect(adapted.map(\.old.sheet.scroll) == [7])
    #expect(adapted.map(\.new.sheet.scroll) == [7] && adapted.map(\.new.sheet.title) == ["new"])
    shown.scroll = 8
    let scrolled = store.replacing([GeneratedSheet(shown)]).changes(since: store)
    #expect(scrolled.keepingTransientMembers(of: store, types: &types).isEmpty)
  }

  @Test("A row that has both is written and read by generated code")
  func both() throws {
    let coding = try PartCoding<Both>.rows()
    let form = try coding.encode(Both(id: 1))
    #expect(form == .object([.init("key", .number(JSONNumber(1)))]))
    #expect(try coding.decode(try FormText(form), 0) == Both(id: 1))
  }
}

/// A row whose generated code differs from its `Codable`.
private struct Both: EntityType, Identifiable, Codable, Equatable, RowCodable {
  let id: Int

  init(id: Int) { self.id = id }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws { id = try row.member("key") }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("key", to: id)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    id = merger.merged("key", mine.id, theirs.id, base: base.id)
  }
}
