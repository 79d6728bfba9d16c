import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

private enum Kind: Codable, Equatable {
  case plain
  case dated(Int)
}

private struct Place: Codable, Equatable {
  var city: String
  var code: Int
}

/// A row with members of every sort that coding could change.
private struct Sheet: EntityType, Identifiable, Codable {
  let id: Int
  var title = ""
  var isRead = false
  var ratio = 0.0
  var small = Float(0)
  var count = Int64(0)
  var mask = UInt64(0)
  var data = Data()
  var day = Date(timeIntervalSinceReferenceDate: 0)
  var price = Decimal(0)
  var note: String?
  var tags: [String] = []
  var place = Place(city: "", code: 0)
  var kind = Kind.plain
  var scores: [String: Double] = [:]
  var nextID: EntityID?
}

/// A field of a sheet, as the model of a merge has it.
private struct Field: Sendable {
  /// Sets the field to one of a few values.
  let edit: @Sendable (inout Sheet, inout SeededGenerator) -> Void
  /// Merges the field; `false` if both sides changed it, each in its own way.
  let merge: @Sendable (_ base: Sheet, _ mine: Sheet, _ theirs: Sheet, inout Sheet) -> Bool

  init<Value: Equatable & Sendable>(
    _ path: any WritableKeyPath<Sheet, Value> & Sendable, _ values: [Value],
    areEqual: @escaping @Sendable (Value, Value) -> Bool = { $0 == $1 }
  ) {
    edit = { sheet, random in
      sheet[keyPath: path] = values[random.number(in: 0..<values.count)]
    }
    merge = { base, mine, theirs, result in
      let (old, first, second) = (base[keyPath: path], mine[keyPath: path], theirs[keyPath: path])
      if areEqual(first, old) {
        result[keyPath: path] = second
      } else if areEqual(second, old) || areEqual(first, second) {
        result[keyPath: path] = first
      } else {
        return false
      }
      return true
    }
  }

  static let all: [Field] = [
    Field(\.title, ["", "a", "é"]), Field(\.isRead, [false, true]),
    Field(
      \.ratio, [0, .nan, 0.1 + 0.2, -.infinity], areEqual: { $0 == $1 || $0 != $0 && $1 != $1 }),
    Field(\.small, [0, .nan, 0.1], areEqual: { $0 == $1 || $0 != $0 && $1 != $1 }),
    Field(\.count, [0, .max, .min]), Field(\.mask, [0, .max, 1 << 63]),
    Field(\.data, [Data(), Data([0, 255]), Data(repeating: 7, count: 99)]),
    Field(\.day, [0, 0.1, -1e-9].map { Date(timeIntervalSinceReferenceDate: $0) }),
    Field(
      \.price,
      [0, Decimal(string: "0.1") ?? 1, Decimal(sign: .minus, exponent: -9, significand: 7)]),
    Field(\.note, [nil, "", "n"]), Field(\.tags, [[], ["x"], ["x", "y"]]),
    Field(
      \.place, [Place(city: "", code: 0), Place(city: "A", code: 0), Place(city: "", code: 1)]),
    Field(\.kind, [.plain, .dated(1), .dated(2)]),
    Field(
      \.scores, [[:], ["a": 1, "b": .nan], ["a": 2]],
      areEqual: { first, second in
        first.count == second.count
          && first.allSatisfy { key, value in
            second[key].map { $0 == value || $0 != $0 && value != value } ?? false
          }
      }),
    Field(\.nextID, [nil, 1, 2]),
  ]
}

private struct Binder: NormalizedStorageType {
  struct Contents: StorageContents {
    var sheets = Tables.Hash<Sheet>()
    var pages = Tables.Ordered<Page>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("sheets", \.sheets)
      visitor.table("pages", \.pages)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var sheets: Tables.Hash<Sheet> { snapshot.contents.sheets }
  var pages: Tables.Ordered<Page> { snapshot.contents.pages }

  func changed(_ body: (inout BatchContext<Self>) throws -> Void) throws -> Self {
    var copy = self
    try copy.performBatchUpdates(body)
    return copy
  }
}

/// A row in an order of the user's, which encodes itself by hand: with other names, as other types,
/// and in a nested container.
private struct Page: EntityType, Identifiable, Codable {
  let id: String
  var text: String
  var day: Date
  var width: Int
  var height: Int

  enum Keys: String, CodingKey { case key, text, day, size }
  enum SizeKeys: CodingKey { case width, height }

  init(id: String, text: String = "", day: Date = Date(timeIntervalSince1970: 0)) {
    (self.id, self.text, self.day, width, height) = (id, text, day, 0, 0)
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Keys.self)
    id = try members.decode(EntityID.self, forKey: .key).raw
    text = try members.decodeIfPresent(String.self, forKey: .text) ?? ""
    day = Date(timeIntervalSince1970: try members.decode(Double.self, forKey: .day))
    let size = try members.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    width = try size.decode(Int.self, forKey: .width)
    height = try Int(size.decode(Int64.self, forKey: .height))
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Keys.self)
    try members.encode(id, forKey: .key)
    try members.encodeIfPresent(text.isEmpty ? nil : text, forKey: .text)
    try members.encode(day.timeIntervalSince1970, forKey: .day)
    var size = members.nestedContainer(keyedBy: SizeKeys.self, forKey: .size)
    try size.encode(width, forKey: .width)
    try size.encode(height, forKey: .height)
  }
}

/// A row with a member that is not encoded.
private struct Draft: EntityType, Identifiable, Codable {
  let id: Int
  var title = ""
  var text = ""
  var scroll = 0

  private enum CodingKeys: CodingKey { case id, title, text }

  init(id: Int) { self.id = id }
}

private struct Desk: NormalizedStorageType {
  struct Contents: StorageContents {
    var drafts = Tables.Hash<Draft>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("drafts", \.drafts) }
  }

  var snapshot = Snapshot(Contents())
  var drafts: Tables.Hash<Draft> { snapshot.contents.drafts }

  func changed(_ body: (inout Draft) -> Void) -> Self {
    var copy = self
    copy.performBatchUpdates { _ = $0.modifying.drafts.updateIfExists(id: 1, body) }
    return copy
  }
}

@Suite("Merges of encoded members")
struct MemberMergeTests {
  @Test("mine changed isRead, theirs changed the title: both are kept, without listing fields")
  func disjoint() throws {
    let base = try Binder().changed { $0.modifying.sheets.insert(Sheet(id: 1, title: "t")) }
    let mine = try base.changed {
      _ = $0.modifying.sheets.updateIfExists(id: 1) { $0.isRead = true }
    }
    let theirs = try base.changed {
      _ = $0.modifying.sheets.updateIfExists(id: 1) { $0.title = "T" }
    }
    let result = try mine.merging(theirs, base: base)
    expectEqual(result.conflicts, [])
    expectEqual(result.storage.sheets.find(by: 1), Sheet(id: 1, title: "T", isRead: true))
    expectEqual(mine.sheets.find(by: 1)?.title, "t")
    let other = try mine.changed {
      _ = $0.modifying.sheets.updateIfExists(id: 1) { $0.title = "U" }
    }
    let error = #expect(throws: MergeError.self) { try other.merging(theirs, base: base) }
    expectEqual(error?.conflicts.first?.fields.map(\.name), ["title"])
  }

  @Test("Law 41: a merge has each field that one side changed, and refuses one that both changed")
  func model() throws {
    var merges = 0
    var conflicts = 0
    for seed in LawRuns(count: 50).seeds {
      var random = SeededGenerator(seed: seed)
      func edit(_ sheet: inout Sheet, _ count: Int) {
        for _ in 0..<count {
          Field.all[random.number(in: 0..<Field.all.count)].edit(&sheet, &random)
        }
      }
      var base = Binder()
      for id in 0..<3 {
        var sheet = Sheet(id: id)
        edit(&sheet, 8)
        base = try base.changed { $0.modifying.sheets.insert(sheet) }
      }
      func fork() throws -> Binder {
        try base.changed { context in
          for id in 0..<3 {
            _ = context.modifying.sheets.updateIfExists(id: .init(id)) { edit(&$0, 3 * id) }
          }
        }
      }
      let (mine, theirs) = (try fork(), try fork())
      var expected: [Sheet]? = []
      for sheet in base.sheets {
        guard let first = mine.sheets.find(by: sheet.entityID),
          let second = theirs.sheets.find(by: sheet.entityID)
        else { continue }
        var merged = sheet
        let isWhole = Field.all.allSatisfy { $0.merge(sheet, first, second, &merged) }
        if isWhole { expected?.append(merged) } else { expected = nil }
        if !isWhole { break }
      }
      let found = merged(mine, theirs, base)
      let backwards = merged(theirs, mine, base)
      expectEqual(text(found), text(expected), "seed \(seed)")
      expectEqual(text(backwards), text(expected), "seed \(seed)")
      if expected == nil { conflicts += 1 } else { merges += 1 }
    }
    expectTrue(merges > 20 && conflicts > 20)
  }

  private func merged(_ mine: Binder, _ theirs: Binder, _ base: Binder) -> [Sheet]? {
    do {
      let result = try mine.merging(theirs, base: base).storage
      expectEqual(result.verify(), [])
      return Array(result.sheets)
    } catch {
      return nil
    }
  }

  /// Rows as text, in which NaN equals itself.
  private func text(_ sheets: [Sheet]?) -> [String]? {
    sheets?.map { sheet in
      var copy = sheet
      copy.scores = [:]
      return "\(copy) \(sheet.scores.sorted { $0.key < $1.key })"
    }
  }

  @Test("Negative zero, 64-bit integers and the bits of dates survive a merge of another member")
  func exact() throws {
    var sheet = Sheet(id: 1)
    (sheet.ratio, sheet.small) = (-0.0, -0.0)
    (sheet.count, sheet.mask) = (.min + 1, .max - 1)
    sheet.day = Date(timeIntervalSinceReferenceDate: Double(bitPattern: 0x41C7_FFFF_FFFF_FFFF))
    let base = try Binder().changed { $0.modifying.sheets.insert(sheet) }
    let mine = try base.changed {
      _ = $0.modifying.sheets.updateIfExists(id: 1) { $0.isRead = true }
    }
    let theirs = try base.changed {
      _ = $0.modifying.sheets.updateIfExists(id: 1) { $0.note = "n" }
    }
    let merged = try #require(try mine.merging(theirs, base: base).storage.sheets.find(by: 1))
    expectTrue(merged.isRead && merged.note == "n")
    expectTrue(merged.ratio.sign == .minus && merged.small.sign == .minus)
    expectTrue(merged.count == .min + 1 && merged.mask == .max - 1 && merged.day == sheet.day)
  }

  @Test("Rows that code themselves by hand are merged by the members that they encode")
  func handWritten() throws {
    let base = try Binder().changed { context in
      _ = context.modifying.pages.insert(["a", "b", "c"].map { Page(id: $0) })
    }
    func fork(_ body: (inout Page) -> Void) throws -> Binder {
      try base.changed { _ = $0.modifying.pages.updateIfExists(id: "b", body) }
    }
    let mine = try fork { $0.text = "mine" }.changed {
      _ = $0.modifying.pages.move("a", to: 2)
    }
    let theirs = try fork { ($0.width, $0.height, $0.day) = (3, 4, Date(timeIntervalSince1970: 9)) }
    let result = try mine.merging(theirs, base: base).storage
    var expected = Page(id: "b", text: "mine", day: Date(timeIntervalSince1970: 9))
    (expected.width, expected.height) = (3, 4)
    expectEqual(result.pages.find(by: "b"), expected)
    expectEqual(result.pages.map(\.id), ["b", "c", "a"])
    // A nested container is one member.
    #expect(throws: MergeError.self) {
      try fork { $0.width = 1 }.merging(try fork { $0.height = 1 }, base: base)
    }
  }

  @Test("Rows that decoding does not give back are one value each")
  func notRestored() throws {
    var base = Desk()
    base.performBatchUpdates { _ = $0.modifying.drafts.insert(Draft(id: 1)) }
    let result = try base.changed { $0.title = "T" }
      .merging(base.changed { $0.text = "t" }, base: base)
    expectEqual(result.storage.drafts.find(by: 1)?.title, "T")
    expectEqual(result.storage.drafts.find(by: 1)?.text, "t")
    let scrolled = base.changed { ($0.title, $0.scroll) = ("T", 7) }
    for (mine, theirs) in [
      (scrolled, base.changed { $0.text = "t" }), (base.changed { $0.text = "t" }, scrolled),
    ] {
      let error = #expect(throws: MergeError.self) { try mine.merging(theirs, base: base) }
      expectEqual(error?.conflicts.map(\.reason), [.edited])
    }
  }

  @Test("mergeFields decides instead: by listed fields, or without any each row is one value")
  func overridden() throws {
    var base = Desk()
    base.performBatchUpdates { _ = $0.modifying.drafts.insert(Draft(id: 1)) }
    let (mine, theirs) = (base.changed { $0.title = "T" }, base.changed { $0.text = "t" })
    var whole = ThreeWayMerge<Desk>()
    whole.mergeFields(of: Draft.self)
    #expect(throws: MergeError.self) { try mine.merging(theirs, base: base, by: whole) }
    var listed = ThreeWayMerge<Desk>()
    listed.mergeFields(of: Draft.self, \.text, \.scroll)
    let scrolled = base.changed { ($0.text, $0.scroll) = ("t", 7) }
    let merged = try mine.merging(scrolled, base: base, by: listed).storage.drafts.find(by: 1)
    expectTrue(merged?.title == "T" && merged?.text == "t" && merged?.scroll == 7)
  }
}
