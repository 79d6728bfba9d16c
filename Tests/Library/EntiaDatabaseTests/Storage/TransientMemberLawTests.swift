import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

/// The model of a row.
private struct Row: Equatable {
  var title: Int
  var note: Int
  var flag: Int
}

private typealias Rows = [Int: Row]

extension Card {
  fileprivate init(_ id: Int, _ row: Row) {
    self.init(id: id, title: row.title, note: row.note, flag: row.flag)
  }

  fileprivate var row: Row { Row(title: title, note: note, flag: flag) }
}

/// The tables of a deck, with the model of both.
private struct Version {
  var deck = Deck()
  var cards: Rows = [:]
  var pile: Rows = [:]

  func check(_ context: String) {
    expectEqual(
      Dictionary(uniqueKeysWithValues: deck.cards.map { ($0.id, $0.row) }), cards, "\(context)")
    expectEqual(
      Dictionary(uniqueKeysWithValues: deck.pile.map { ($0.id, $0.row) }), pile, "\(context)")
    expectTrue(deck.verify().isEmpty, "\(context)")
  }

  /// Checks that changes and equality have transient members like all others.
  func check(since old: Version, _ context: String) {
    let changes = deck.changes(since: old.deck)
    let updated = Set(
      cards.filter { old.cards[$0] != nil && old.cards[$0] != $1 }.keys)
    expectEqual(
      Set(changes.changes(of: Card<Hashed>.self).updated.map(\.new.id)), updated, "\(context)")
    let isEqual = Self.plain(deck) == Self.plain(old.deck)
    expectTrue((deck == old.deck) == isEqual && changes.isEmpty == isEqual, "\(context)")
  }

  private static func plain(_ deck: Deck) -> [[Int]] {
    deck.cards.map { [$0.id, $0.title, $0.note, $0.flag] }.sorted { $0[0] < $1[0] } + [[-1]]
      + deck.pile.map { [$0.id, $0.title, $0.note, $0.flag] }
  }
}

@Suite("Law 3: transient members")
struct TransientMemberLawTests {
  @Test(
    "Law 3: They are members like all others, and are not encoded",
    arguments: (0..<scaled(20)).map { UInt64($0) &* 7919 &+ 1 })
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var now = Version()
    var kept = [now]
    for step in 0..<40 {
      let context = "seed \(seed), step \(step)"
      let before = random.oneIn(2) ? now : nil
      switch random.number(in: 0..<10) {
      case 0..<6: write(&now, &random)
      case 6: try apply(pick(kept, &random), since: pick(kept, &random), to: &now)
      case 7: try merge(pick(kept, &random), base: pick(kept, &random), into: &now)
      default: kept.append(now)
      }
      now.check(context)
      for old in kept {
        old.check(context)
        now.check(since: old, context)
      }
      before?.check(context)
      if kept.count > 5 { kept.remove(at: random.number(in: 0..<kept.count)) }
    }
    let data = try JSONEncoder().encode(now.deck)
    let decoded = try JSONDecoder().decode(Deck.self, from: data)
    var plain = now.deck
    plain.performBatchUpdates { context in
      context.modifying.cards.update(where: { _ in true }) { $0.flag = 0 }
      context.modifying.pile.update(where: { _ in true }) { $0.flag = 0 }
    }
    expectEqual(decoded, plain)
    expectFalse(String(decoding: data, as: UTF8.self).contains("lag"))
  }

  private func pick(_ versions: [Version], _ random: inout SeededGenerator) -> Version {
    versions[random.number(in: 0..<versions.count)]
  }

  private func write(_ version: inout Version, _ random: inout SeededGenerator) {
    let count = random.number(in: 1..<4)
    var (cards, pile) = (version.cards, version.pile)
    let isThrown = random.oneIn(8)
    struct Stop: Error {}
    do {
      try version.deck.performBatchUpdates { context in
        for _ in 0..<count {
          if random.oneIn(2) {
            write(&context.modifying.cards, &cards, &random)
          } else {
            write(&context.modifying.pile, &pile, &random)
          }
        }
        if isThrown { throw Stop() }
      }
      (version.cards, version.pile) = (cards, pile)
    } catch {
      expectTrue(error is Stop)
    }
  }

  private func write<Table: TableType, Kind>(
    _ table: inout TableEditor<Deck, Table>, _ rows: inout Rows, _ random: inout SeededGenerator
  ) where Table.Entity == Card<Kind> {
    let id = random.number(in: 0..<5)
    let key = Card<Kind>.EntityID(id)
    let new = Row(
      title: random.number(in: 0..<2), note: random.number(in: 0..<2),
      flag: random.number(in: 1..<100))
    switch random.number(in: 0..<8) {
    case 0, 1:
      table.insert(Card(id, new))
      rows[id] = new
    case 2:
      table.updateIfExists(id: key) { $0.flag = new.flag }
      rows[id]?.flag = new.flag
    case 3:
      table[key]?.flag = new.flag
      rows[id]?.flag = new.flag
    case 4:
      table[key]?.title = new.title
      rows[id]?.title = new.title
    case 5:
      let edit = { (card: inout Card<Kind>) in (card.flag, card.note) = (new.flag, new.note) }
      let updated = table.update(where: { $0.title == 1 }, edit)
      let changed = rows.filter { $1.title == 1 && ($1.note, $1.flag) != (new.note, new.flag) }
      expectEqual(Set(updated.map(\.id)), Set(changed.keys))
      for (id, row) in rows where row.title == 1 {
        rows[id]?.flag = new.flag
        rows[id]?.note = new.note
      }
    case 6:
      table.insert(Card(id, new), merging: .keeping(\.flag))
      rows[id] = Row(title: new.title, note: new.note, flag: rows[id]?.flag ?? new.flag)
    default:
      table.remove(key)
      rows[id] = nil
    }
  }

  private func apply(_ new: Version, since old: Version, to version: inout Version) throws {
    let changes = new.deck.changes(since: old.deck)
    func applied(_ rows: Rows, _ old: Rows, _ new: Rows) -> Rows? {
      var result = rows
      for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
        if rows[id] == new[id] { continue }
        guard rows[id] == old[id] else { return nil }
        result[id] = new[id]
      }
      return result
    }
    let cards = applied(version.cards, old.cards, new.cards)
    let pile = applied(version.pile, old.pile, new.pile)
    if let cards, let pile {
      try version.deck.apply(changes)
      (version.cards, version.pile) = (cards, pile)
    } else {
      #expect(throws: ChangeSetError.self) { try version.deck.apply(changes) }
    }
  }

  private func merge(_ theirs: Version, base: Version, into version: inout Version) throws {
    version.deck = try version.deck.merging(
      theirs.deck, base: base.deck, by: ThreeWayMerge(otherwise: .mine)
    ).storage
    func merged(_ mine: Rows, _ theirs: Rows, _ base: Rows) -> Rows {
      var result = mine
      for id in Set(base.keys).union(theirs.keys) where base[id] != theirs[id] {
        if mine[id] == theirs[id] { continue }
        if mine[id] == base[id] {
          result[id] = theirs[id]
        } else if let mine = mine[id], let theirs = theirs[id], let base = base[id] {
          result[id] = byMember(base, mine, theirs) ?? mine
        }
      }
      return result
    }
    version.cards = merged(version.cards, theirs.cards, base.cards)
    version.pile = merged(version.pile, theirs.pile, base.pile)
  }

  private func byMember(_ base: Row, _ mine: Row, _ theirs: Row) -> Row? {
    var result = mine
    for member in [\Row.title, \Row.note, \Row.flag]
    where theirs[keyPath: member] != base[keyPath: member] {
      guard [base[keyPath: member], theirs[keyPath: member]].contains(mine[keyPath: member]) else {
        return nil
      }
      result[keyPath: member] = theirs[keyPath: member]
    }
    return result
  }
}
