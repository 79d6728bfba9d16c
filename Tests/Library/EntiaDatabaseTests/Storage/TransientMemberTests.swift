import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// A member that is not stored: left out of the coding keys, with a default.
@Suite("Members that are only left out of the coding keys")
struct TransientMemberTests {
  struct Note: EntityType, Identifiable, Codable {
    let id: Int
    var text: String
    var isExpanded = true

    enum CodingKeys: CodingKey { case id, text }
  }

  @Test("Decoding gives the declared default, and a change is a change")
  func coding() throws {
    var table = Tables.Hash([Note(id: 1, text: "a"), Note(id: 2, text: "b")])
    let before = table
    table.updateIfExists(id: 1) { $0.isExpanded = false }
    expectEqual(table.changes(since: before).updated.map(\.new.isExpanded), [false])
    let data = try JSONEncoder().encode(table)
    expectFalse(String(decoding: data, as: UTF8.self).contains("isExpanded"))
    try expectEqual(JSONDecoder().decode(Tables.Hash<Note>.self, from: data), before)
  }

  @Test("The fields of a row, which a shared space compares, are those without transient members")
  func fields() {
    let fields = StorageSchema.fields(of: Card<Hashed>(id: 1, title: 2))
    expectEqual(fields.map(\.name), ["id", "title", "note"])
  }
}

/// A row with a transient member that is compared, and with one that may be forgotten: the second
/// one is not transient, and only left out of the coding.
private struct Slip<Coding: SlipCoding>: EntityType, Identifiable, Equatable, RowCodable {
  enum FlagDefault: TransientMemberDefault {
    static var value: Int { 0 }
  }

  let id: Int
  var title: String
  var count = 0
  private var storedFlag = TransientMember<FlagDefault>(0)
  var flag: Int {
    get { storedFlag.value }
    set { storedFlag.value = newValue }
  }

  /// The members that are encoded.
  var text: String { "\(id) \(title) \(count)" }

  init(id: Int, title: String) { (self.id, self.title) = (id, title) }

  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    id = try row.member("id")
    title = try row.member("title")
    if !Coding.forgetsCounts { count = try row.member("count") }
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: id)
    try row.setMember("title", to: title)
    if !Coding.forgetsCounts { try row.setMember("count", to: count) }
  }

  init(
    merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,
    by merger: inout RowMerger
  ) {
    id = merger.merged("id", mine.id, theirs.id, base: base.id)
    title = merger.merged("title", mine.title, theirs.title, base: base.title)
    count = merger.merged("count", mine.count, theirs.count, base: base.count)
    storedFlag = merger.merged("flag", mine.storedFlag, theirs.storedFlag, base: base.storedFlag)
  }
}

private protocol SlipCoding: Sendable {
  static var forgetsCounts: Bool { get }
}

private enum WholeCoding: SlipCoding {
  static let forgetsCounts = false
}

private enum ForgetfulCoding: SlipCoding {
  static let forgetsCounts = true
}

private enum SlipSubject<Coding: SlipCoding>: LawSubject {
  static func edit(
    _ context: inout BatchContext<Binder<Slip<Coding>>>, using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<6)
    var slip = Slip<Coding>(id: id, title: "t\(random.number(in: 0..<2))")
    (slip.count, slip.flag) = (random.number(in: 0..<3), random.number(in: 0..<3))
    if random.oneIn(4) {
      context.modifying.sheets.remove(.init(id))
    } else {
      context.modifying.sheets.insert(slip)
    }
  }
}

/// Rows whose transient members are written by hand, indexed, and in an ordered table.
private enum DeckSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Deck>, using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<6)
    let (title, flag) = (random.number(in: 0..<2), random.number(in: 0..<3))
    switch random.number(in: 0..<5) {
    case 0, 1: context.modifying.cards.insert(Card(id: id, title: title, flag: flag))
    case 2, 3: context.modifying.pile.insert(Card(id: id, title: title, flag: flag))
    default:
      context.modifying.cards.remove(.init(id))
      context.modifying.pile.remove(.init(id))
    }
  }
}

extension TransientMemberTests {
  @Test("Law 5: transient members are not encoded, and are no difference of a decoded database")
  func codingLaw() throws {
    try StorageLaws(DeckSubject.self, runs: LawRuns(count: 4)).checkCoding()
    try StorageLaws(SlipSubject<WholeCoding>.self, runs: LawRuns(count: 4)).checkCoding()
  }

  @Test("A decoded change set applies to rows with transient members, and keeps these members")
  func decodedChanges() throws {
    typealias Database = Binder<Slip<WholeCoding>>
    for seed in LawRuns(count: 10).seeds {
      var random = SeededGenerator(seed: seed)
      var old = Database()
      for _ in 0..<60 {
        var new = old
        try new.performBatchUpdates { context in
          for _ in 0..<3 { try SlipSubject<WholeCoding>.edit(&context, using: &random) }
        }
        let changes = new.changes(since: old)
        let decoded = try JSONDecoder().decode(
          Database.ChangeSet.self, from: JSONEncoder().encode(changes))
        expectTrue(decoded.sheets.updated.allSatisfy { $0.old.text != $0.new.text })
        for (changes, start, end) in [(decoded, old, new), (decoded.inverted, new, old)] {
          var applied = start
          try applied.apply(changes)
          expectEqual(Set(applied.sheets.map(\.text)), Set(end.sheets.map(\.text)), "seed \(seed)")
          for slip in applied.sheets {
            let flag = start.sheets.find(by: slip.entityID)?.flag ?? 0
            expectEqual(slip.flag, flag, "seed \(seed)")
          }
          // Applied again, it finds the new values, and changes nothing.
          let once = applied
          try applied.apply(changes)
          expectTrue(applied.changes(since: once).isEmpty, "seed \(seed)")
        }
        old = new
      }
    }
  }

  @Test("Law 5 finds a member that is not transient and is lost beside one that is")
  func lostMember() throws {
    let error = #expect(throws: LawViolation.self) {
      try StorageLaws(SlipSubject<ForgetfulCoding>.self, runs: LawRuns(count: 4)).checkCoding()
    }
    expectTrue("\(try #require(error))".contains("the decoded one is not equal"))
  }
}
