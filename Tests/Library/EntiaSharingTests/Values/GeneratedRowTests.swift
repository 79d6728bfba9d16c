import EntiaCoding
import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Rows of generated code, in a log")
struct GeneratedRowTests {
  private let coded: PartCoding<Sheet>
  private let generated: PartCoding<GeneratedSheet>

  init() throws {
    coded = try .rows(in: "", space: "")
    generated = try .rows(in: "", space: "")
  }

  private func decoded(_ value: JSONValue) throws -> Sheet {
    try generated.decode(try FormText(value), 0).sheet
  }

  @Test("Rows have the form of synthesized Codable, and are read in any order of members")
  func sameForm() throws {
    for seed in LawRuns(count: 70).seeds {
      var random = SeededGenerator(seed: seed)
      var sheet = Sheet(id: 1)
      for edit in Sheet.edits.dropLast() where random.oneIn(2) {
        edit(&sheet, random.number(in: 0..<12))
      }
      // Two dictionaries with a NaN are not the same value.
      sheet.scores["b"] = nil
      let form = try coded.encode(sheet)
      try expectEqual(generated.encode(GeneratedSheet(sheet)), form, "seed \(seed)")
      guard case .object(let members) = form else { continue }
      let shuffled = JSONValue.object(members.shuffled(using: &random))
      try expectEqual(coded.encode(try decoded(shuffled)), form, "seed \(seed)")
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
    try expectEqual(decoded(replacing("count", nil)).count, 3)
    try expectEqual(decoded(replacing("count", .null)).count, 3)
    try expectEqual(decoded(replacing("title", nil)).title, "untitled")
    let renamed = members.map { $0.name == "title" ? .init("name", .string("old")) : $0 }
    try expectEqual(decoded(.object(renamed)).title, "old")
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

  @Test("Rows have the forms of Fixtures/forms/sheets.log.json, which are read again")
  func goldenForm() throws {
    let forms = try Sheet.golden.map { try generated.encode(GeneratedSheet($0)) }
    let text = forms.map { "\(JSONText($0))\n" }.joined()
    expectEqual(text, try GoldenText.of("sheets.log.json", recording: text))
    for (sheet, form) in zip(Sheet.golden, forms) {
      try expectEqual(coded.encode(sheet), form)
      try expectEqual(coded.encode(try decoded(form)), form)
    }
  }

  @Test("Law 42: generated code and Codable refuse the same forms, at the same members")
  func mutatedForms() throws {
    var (accepted, refused) = (0, 0)
    for seed in LawRuns(count: 600).seeds {
      var random = SeededGenerator(seed: seed)
      var sheet = Sheet(id: 1)
      for edit in Sheet.edits.dropLast() where random.oneIn(2) {
        edit(&sheet, random.number(in: 0..<12))
      }
      sheet.scores["b"] = nil
      let form = mutated(try coded.encode(sheet), using: &random)
      let text = try FormText(form)
      let rows = (
        Result { try coded.decode(text, 0) }, Result { try generated.decode(text, 0).sheet }
      )
      switch rows {
      case (.success(let first), .success(let second)):
        accepted += 1
        try expectEqual(
          coded.encode(first), coded.encode(second), "seed \(seed): \(JSONText(form))")
      case (.failure(let first), .failure(let second)):
        refused += 1
        expectEqual(
          SharedDatabaseError.place(of: first).column, SharedDatabaseError.place(of: second).column,
          "seed \(seed): \(JSONText(form)): \(first) \(second)")
      default: Issue.record("seed \(seed): \(JSONText(form)): \(rows)")
      }
    }
    expectTrue(min(accepted, refused) * 10 >= accepted + refused || accepted + refused == 1)
  }

  /// Returns a form with some members that are missing or have another value. Only generated code
  /// accepts that a member with a declared value is missing or null, so such members are not.
  private func mutated(_ form: JSONValue, using random: inout SeededGenerator) -> JSONValue {
    guard case .object(var members) = form else { return form }
    for _ in 0..<random.number(in: 0..<4) {
      let place = random.number(in: 0..<members.count)
      let name = members[place].name
      let isDeclared = ["title", "count", "tags"].contains(name)
      if !isDeclared, random.oneIn(4) {
        members.remove(at: place)
        continue
      }
      let other = random.number(in: 0..<members.count)
      var values: [JSONValue] = [
        members[other].value, .bool(true), .number(JSONNumber(random.number(in: -1..<300))),
        .string(["", "1", "$NaN", "$text:$a", "text", "a"][random.number(in: 0..<6)]),
        .array([.null, .string("x")]), .array([.array([])]), .object([]),
        .object([.init("id", .number(JSONNumber(3))), .init("name", .string("n"))]),
        .object([.init("closed", .object([.init("_0", .number(JSONNumber(1)))]))]),
      ]
      if !isDeclared { values.append(.null) }
      members[place] = .init(name, values[random.number(in: values.indices)])
    }
    return .object(members)
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
    expectEqual(adapted.map(\.old.sheet.scroll), [7])
    expectTrue(adapted.map(\.new.sheet.scroll) == [7] && adapted.map(\.new.sheet.title) == ["new"])
    shown.scroll = 8
    let scrolled = store.replacing([GeneratedSheet(shown)]).changes(since: store)
    expectTrue(scrolled.keepingTransientMembers(of: store, types: &types).isEmpty)
  }

  @Test("A row that has both is written and read by generated code")
  func both() throws {
    let coding = try PartCoding<Both>.rows(in: "", space: "")
    let form = try coding.encode(Both(id: 1))
    expectEqual(form, .object([.init("key", .number(JSONNumber(1)))]))
    try expectEqual(coding.decode(try FormText(form), 0), Both(id: 1))
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
