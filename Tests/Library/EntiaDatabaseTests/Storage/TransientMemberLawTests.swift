import EntiaCollections
import EntiaDatabase
import EntiaLaws
import Foundation
import Testing

/// The model of a row.
private struct Row: Equatable {
  var title: Int
  var note: Int
  var flag: Int

  func hasSameValue(as other: Row?) -> Bool { title == other?.title && note == other?.note }
}

private func haveSameValue(_ lhs: Row?, _ rhs: Row?) -> Bool {
  guard let lhs else { return rhs == nil }
  return lhs.hasSameValue(as: rhs)
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
    #expect(
      Dictionary(uniqueKeysWithValues: deck.cards.map { ($0.id, $0.row) }) == cards, "\(context)")
    #expect(
      Dictionary(uniqueKeysWithValues: deck.pile.map { ($0.id, $0.row) }) == pile, "\(context)")
    #expect(deck.verify().isEmpty, "\(context)")
  }

  /// Checks that changes and equality do not depend on transient members.
  func check(since old: Version, _ context: String) {
    let changes = deck.changes(since: old.deck)
    let updated = Set(
      cards.filter { old.cards[$0] != nil && !$1.hasSameValue(as: old.cards[$0]) }.keys)
    #expect(
      Set(changes.changes(of: Card<Hashed>.self).updated.map(\.new.id)) == updated, "\(context)")
    let isEqual = Self.plain(deck) == Self.plain(old.deck)
    #expect((deck == old.deck) == isEqual && changes.isEmpty == isEqual, "\(context)")
  }

  private static func plain(_ deck: Deck) -> [[Int]] {
    deck.cards.map { [$0.id, $0.title, $0.note] }.sorted { $0[0] < $1[0] } + [[-1]]
      + deck.pile.map { [$0.id, $0.title, $0.note] }
  }
}

@Suite("Law 3: transient members")
struct TransientMemberLawTests {
  @Test(
    "Law 3: Every write stores them, nothing else changes them, and they are no change",
    arguments: (0..<60).map { UInt64($0) &* 7919 &+ 1 })
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
      case 8: take(from: pick(kept, &random), into: &now)
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
    #expect(decoded == now.deck && decoded.cards.allSatisfy { $0.flag == 0 })
    #expect(!String(decoding: data, as: UTF8.self).contains("lag"))
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
      #expect(error is Stop)
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
      let changed = rows.filter { $1.title == 1 && $1.note != new.note }
      #expect(Set(updated.map(\.id)) == Set(changed.keys))
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
      for id in Set(old.keys).union(new.keys) where !haveSameValue(old[id], new[id]) {
        if haveSameValue(rows[id], new[id]) { continue }
        guard haveSameValue(rows[id], old[id]) else { return nil }
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
      for id in Set(base.keys).union(theirs.keys) where !haveSameValue(base[id], theirs[id]) {
        if haveSameValue(mine[id], theirs[id]) { continue }
        if haveSameValue(mine[id], base[id]) {
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
    for member in [\Row.title, \Row.note] where theirs[keyPath: member] != base[keyPath: member] {
      guard [base[keyPath: member], theirs[keyPath: member]].contains(mine[keyPath: member]) else {
        return nil
      }
      result[keyPath: member] = theirs[keyPath: member]
    }
    return result
  }

  private func take(from other: Version, into version: inout Version) {
    version.deck.takeTransientMembers(from: other.deck)
    func taken(_ rows: Rows, _ other: Rows) -> Rows {
      rows.reduce(into: [:]) { result, row in
        let source = other[row.key]
        result[row.key] = haveSameValue(row.value, source) ? source : row.value
      }
    }
    version.cards = taken(version.cards, other.cards)
    version.pile = taken(version.pile, other.pile)
  }

  @Test(
    "Law 4: Taking them over visits only what two versions do not share", arguments: [40, 5000])
  func taking(count: Int) {
    var deck = Deck()
    deck.performBatchUpdates { context in
      context.modifying.cards.insert((0..<count).map { Card(id: $0, title: 0) })
      context.modifying.pile.insert((0..<count).map { Card(id: $0, title: 0) })
    }
    var later = deck
    later.performBatchUpdates { context in
      for id in [3, 17, count - 1] {
        context.modifying.cards[Card.EntityID(id)]?.flag = id
        context.modifying.pile[Card.EntityID(id)]?.flag = id
      }
      context.modifying.cards.insert((count..<count * 3).map { Card(id: $0, title: 1) })
      context.modifying.cards[5]?.title = 1
      context.modifying.cards[5]?.flag = 1
      context.modifying.pile.move(17, to: 0)
    }
    var visited = 0
    later.cards.rows.visitUnshared(with: deck.cards.rows) { if $0.title == 0 { visited += 1 } }
    #expect(visited <= 4 * 64)
    for _ in 0..<2 {
      var earlier = deck
      earlier.takeTransientMembers(from: later)
      #expect(!earlier.snapshot.isIdentical(to: deck.snapshot))
      #expect(earlier == deck && earlier.verify().isEmpty)
      for row in earlier.cards {
        #expect(row.flag == ([3, 17, count - 1].contains(row.id) ? row.id : 0))
      }
      for row in earlier.pile {
        #expect(row.flag == ([3, 17, count - 1].contains(row.id) ? row.id : 0))
      }
      let taken = earlier.snapshot
      earlier.takeTransientMembers(from: later)
      #expect(earlier.snapshot.isIdentical(to: taken))
      // The other way, a table of more levels takes from one of fewer.
      var last = later
      last.takeTransientMembers(from: deck)
      #expect(last.cards.allSatisfy { $0.flag == (($0.id == 5) ? 1 : 0) })
      #expect(last == later)
    }
  }
}

@Suite("Tables with transient members")
struct TransientTableTests {
  @Test("Every write of a table stores the row, also on shared storage", arguments: [true, false])
  func tables(isShared: Bool) throws {
    var hash = Tables.Hash([Card<Hashed>(id: 1, title: 1)])
    var ordered = Tables.Ordered([Card<Piled>(id: 1, title: 1)])
    let held = isShared ? (hash, ordered) : nil
    func check(_ flag: Int) {
      #expect(hash[1]?.flag == flag && ordered[1]?.flag == flag)
      if let held { #expect(hash.changes(since: held.0).isEmpty && ordered == held.1) }
    }
    #expect(hash.insert(Card(id: 1, title: 1, flag: 1)).outcome == .unchanged)
    #expect(ordered.insert(Card(id: 1, title: 1, flag: 1)).outcome == .unchanged)
    check(1)
    #expect(hash.updateIfExists(id: 1) { $0.flag = 2 }?.flag == 2)
    #expect(ordered.updateIfExists(id: 1) { $0.flag = 2 }?.flag == 2)
    check(2)
    #expect(try hash.updateExists(id: 1) { $0.flag = 3 }.flag == 3)
    #expect(try ordered.updateExists(id: 1) { $0.flag = 3 }.flag == 3)
    check(3)
    #expect(hash.update(where: { _ in true }, { $0.flag = 4 }).isEmpty)
    #expect(ordered.update(where: { _ in true }, { $0.flag = 4 }).isEmpty)
    check(4)
    hash.replace(Card(id: 1, title: 1, flag: 5))
    ordered.replace(Card(id: 1, title: 1, flag: 5))
    check(5)
    if let held { #expect(held.0[1]?.flag == 0 && held.1[1]?.flag == 0) }
  }

  struct Undeclared: EntityType, Identifiable {
    let id: Int
    var flag = TransientMember<Card<Hashed>.FlagDefault>(0)
  }

  @Test("A transient member of an entity that does not declare it is reported in debug builds")
  func undeclared() {
    let receiver = EqualityAudit.Receiver()
    EqualityAudit.$receiver.withValue(receiver) {
      var table = Tables.Hash([Undeclared(id: 1)])
      table.insert(Undeclared(id: 1, flag: .init(1)))
    }
    #if DEBUG
      #expect(
        receiver.messages == [
          "Undeclared has the transient member flag, whose writes are lost. Declare Undeclared as a "
            + "TransientEntityType"
        ])
    #endif
  }
}
