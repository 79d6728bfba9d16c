import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("Storages and changes with rows of generated code, through coders")
struct GeneratedCodingTests {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init() {
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  /// Returns two versions of rows.
  private func sheets(_ seed: UInt64) -> (old: [Sheet], new: [Sheet]) {
    var random = SeededGenerator(seed: seed)
    func edited(_ sheet: Sheet) -> Sheet {
      var copy = sheet
      // Transient members are not encoded. The order of sets differs between equal ones.
      for edit in Sheet.edits.dropLast() where random.oneIn(3) {
        edit(&copy, random.number(in: 0..<12))
      }
      (copy.words, copy.readers) = ([], [])
      return copy
    }
    let old = (0..<4).map { edited(Sheet(id: $0)) }
    return (old, [edited(old[0]), old[1], edited(old[2]), edited(Sheet(id: 9))])
  }

  @Test("Storages, change sets and nestings have the bytes of synthesized Codable")
  func sameBytes() throws {
    for seed in LawRuns(count: 25).seeds {
      let (old, new) = sheets(seed)
      let coded = Binder(old)
      let generated = Binder(old.map(GeneratedSheet.init))
      let data = try encoder.encode(coded)
      try expectEqual(encoder.encode(generated), data, "seed \(seed)")
      let decoded = try decoder.decode(Binder<GeneratedSheet>.self, from: data)
      try expectEqual(encoder.encode(decoded), data, "seed \(seed)")
      expectEqual(decoded.sheets.map(\.sheet.id), old.map(\.id))
      let changes = Binder(new).changes(since: coded)
      let bytes = try encoder.encode(changes)
      let others = Binder(new.map(GeneratedSheet.init)).changes(since: generated)
      try expectEqual(encoder.encode(others), bytes, "seed \(seed)")
      let again = try decoder.decode(Binder<GeneratedSheet>.ChangeSet.self, from: bytes)
      try expectEqual(encoder.encode(again), bytes, "seed \(seed)")
      try expectEqual(
        encoder.encode(coded.denormalized(Sheet.EntityID(1))),
        encoder.encode(generated.denormalized(GeneratedSheet.EntityID(1))))
    }
  }

  @Test("A table alone can be coded, and a member without a value gets its default")
  func defaults() throws {
    let table = Tables.Hash([GeneratedSheet(Sheet(id: 1))])
    let text = String(decoding: try encoder.encode(table), as: UTF8.self)
    try expectEqual(encoder.encode(Tables.Hash([Sheet(id: 1)])), Data(text.utf8))
    for (from, to, title, count) in [
      (#""count":0"#, #""count":null"#, "", 3), (#""count":0,"#, "", "", 3),
      (#""title":"""#, #""name":"old""#, "old", 0), (#","title":"""#, "", "untitled", 0),
    ] {
      let older = text.replacing(from, with: to)
      expectTrue(older != text)
      let row = try #require(
        try decoder.decode(Tables.Hash<GeneratedSheet>.self, from: Data(older.utf8)).find(by: 1))
      expectTrue(row.sheet.title == title && row.sheet.count == count)
    }
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(
        Tables.Hash<GeneratedSheet>.self,
        from: Data(text.replacing(#""isRead":false,"#, with: "").utf8))
    }
    expectTrue(
      "\(try #require(error))".contains(
        "GeneratedSheet has no member isRead. Where files may lack it, give it a default: "
          + "var isRead = …"))
  }
}

/// Edits rows of generated code.
private enum BinderSubject<Row: EntityType>: LawSubject where Row.EntityIDRawType == Int {
  static func edit(
    _ context: inout BatchContext<Binder<Row>>, using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<6)
    if random.oneIn(3) {
      context.modifying.sheets.remove(.init(id))
    } else {
      var sheet = Sheet(id: id)
      for edit in Sheet.edits where random.oneIn(3) { edit(&sheet, random.number(in: 0..<12)) }
      (sheet.words, sheet.readers, sheet.scroll) = ([], [], 0)
      // Two dictionaries with a NaN are not the same value.
      sheet.scores["b"] = nil
      if let row = GeneratedSheet(sheet) as? Row ?? (Defective(sheet) as? Row) {
        context.modifying.sheets.insert(row)
      }
    }
  }
}

/// A row whose generated code differs from its `Codable`, and does not merge one member.
private struct Defective: EntityType, Identifiable, Codable, Equatable, RowCodable {
  @TaskLocal static var defect = 0

  let id: Int
  var title: String
  var count: Int

  init(_ sheet: Sheet) { (id, title, count) = (sheet.id, sheet.title, sheet.count) }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    id = try row.member("id")
    title = try row.member("title")
    count = Self.defect == 1 ? 0 : try row.member(Self.defect == 2 ? "number" : "count")
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: id)
    try row.setMember("title", to: title)
    try row.setMember(Self.defect == 2 ? "number" : "count", to: count)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    id = merger.merged("id", mine.id, theirs.id, base: base.id)
    title = merger.merged("title", mine.title, theirs.title, base: base.title)
    count =
      Self.defect == 3
      ? mine.count : merger.merged("count", mine.count, theirs.count, base: base.count)
  }
}

extension GeneratedCodingTests {
  @Test("Laws hold for rows of generated code", arguments: StorageLaw.allCases)
  func laws(_ law: StorageLaw) throws {
    try StorageLaws(BinderSubject<GeneratedSheet>.self, runs: LawRuns(count: 2)).check(law)
  }

  @Test("A row that has both is coded, merged and compared by generated code")
  func both() throws {
    func row(_ title: String, _ count: Int) -> Defective {
      var sheet = Sheet(id: 1)
      (sheet.title, sheet.count) = (title, count)
      return Defective(sheet)
    }
    func text(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
    let base = Binder([row("a", 0)])
    let (mine, theirs) = (base.replacing([row("b", 0)]), base.replacing([row("a", 1)]))
    let changes = theirs.changes(since: base)
    try Defective.$defect.withValue(2) {
      try expectTrue(text(base).contains(#""number":0"#))
      try expectTrue(text(changes).contains(#""number":1"#))
      try expectTrue(text(base.denormalized(Defective.EntityID(1))).contains(#""number":0"#))
      let data = Data(try text(base).utf8)
      try expectEqual(JSONDecoder().decode(Binder<Defective>.self, from: data), base)
    }
    expectEqual(changes.sheets.updated.map(\.differingMembers), [["count"]])
    try expectEqual(Array(mine.merging(theirs, base: base).storage.sheets), [row("b", 1)])
    try Defective.$defect.withValue(3) {
      let merged = try mine.merging(theirs, base: base).storage
      expectEqual(Array(merged.sheets), [row("b", 0)])
      expectEqual(changes.sheets.updated.map(\.differingMembers), [[]])
    }
  }

  @Test("Law 5 finds generated code that differs from Codable, or loses a member in a merge")
  func defects() throws {
    let runs = LawRuns(count: 5)
    try StorageLaws(BinderSubject<GeneratedSheet>.self, runs: runs).checkCoding()
    try StorageLaws(BinderSubject<Defective>.self, runs: runs).checkCoding()
    for (defect, reason) in [(2, "by Codable as"), (3, "merged with its unchanged version")] {
      let error = #expect(throws: LawViolation.self) {
        try Defective.$defect.withValue(defect) {
          try StorageLaws(BinderSubject<Defective>.self, runs: runs).checkCoding()
        }
      }
      expectTrue("\(try #require(error))".contains(reason))
    }
    #expect(throws: LawViolation.self) {
      try Defective.$defect.withValue(1) {
        try StorageLaws(BinderSubject<Defective>.self, runs: runs).checkCoding()
      }
    }
  }
}
