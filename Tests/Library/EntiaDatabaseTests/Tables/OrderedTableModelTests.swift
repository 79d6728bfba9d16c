import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// A table in an order of its own, and the plain array that it must equal.
private struct OrderedHistory {
  var table = Tables.Ordered<Author>()
  var model: [Author] = []
  var random: SeededGenerator
  let ids: Int

  struct Oops: Error {}

  mutating func author() -> Author {
    Author(id: "a\(random.number(in: 0..<ids))", name: "name \(random.number(in: 0..<3))")
  }

  mutating func position(_ count: Int) -> Int { random.number(in: 0..<count) }

  func index(of author: Author) -> Int? { model.firstIndex { $0.id == author.id } }

  mutating func insert(_ author: Author, at position: Int) {
    if let index = index(of: author) {
      model[index] = author
    } else {
      model.insert(author, at: position)
    }
  }

  /// Does one random thing to both; returns whether they said the same of it.
  mutating func step() -> Bool {
    let (one, two) = (author(), author())
    let (first, second) = (index(of: one), index(of: two))
    let inserting = random.oneIn(2)
    switch inserting ? 0 : random.number(in: 1..<12) {
    case 0:
      let position = random.oneIn(3) ? model.count : position(model.count + 1)
      insert(one, at: position)
      return table.insert(one, at: position).entity == one
    case 1:
      insert(one, at: model.count)
      table.insert(one)
    case 2:
      if let first { model[first].name = "updated" }
      return (table.updateIfExists(id: one.entityID) { $0.name = "updated" } == nil)
        == (first == nil)
    case 3:
      _ = try? table.updateIfExists(id: one.entityID) {
        $0.name = "?"
        throw Oops()
      }
      return table.updateIfExists(id: one.entityID) { $0 = Author(id: "other", name: "") } == nil
    case 4:
      return table.remove(one.entityID) == first.map { model.remove(at: $0) }
    case 5 where !model.isEmpty:
      let position = position(model.count)
      return table.remove(at: position) == model.remove(at: position)
    case 6:
      guard let first else { return !table.move(one.entityID, to: 0) }
      let position = position(model.count)
      model.insert(model.remove(at: first), at: position)
      return table.move(one.entityID, to: position)
    case 7, 8:
      let isBefore = random.oneIn(2)
      let isDone =
        isBefore
        ? table.move(one.entityID, before: two.entityID)
        : table.move(one.entityID, after: two.entityID)
      guard let first, let second else { return !isDone }
      if first == second { return isDone }
      let moved = model.remove(at: first)
      model.insert(moved, at: (index(of: two) ?? 0) + (isBefore ? 0 : 1))
      return isDone
    case 9:
      let isDone = table.swap(one.entityID, two.entityID)
      if let first, let second { model.swapAt(first, second) }
      return isDone == (first != nil && second != nil)
    case 10 where random.oneIn(8):
      table.sort { $0.id < $1.id }
      model.sort { $0.id < $1.id }
    case 11 where random.oneIn(40):
      table.removeAll()
      model = []
    case 11 where random.oneIn(8):
      return table.remove { $0.name == "name 1" } == model.filter { $0.name == "name 1" }
        && { model.removeAll { $0.name == "name 1" } }() == ()
    default: break
    }
    return true
  }

  /// What differs between the table and its model, or `nil`.
  func difference() -> String? {
    if table.allEntities() != model { return "\(table) instead of \(model)" }
    if table.count != model.count || table.isEmpty != model.isEmpty { return "count" }
    if !table.rows.invariantViolations().isEmpty { return "\(table.rows.invariantViolations())" }
    for (index, author) in model.enumerated() {
      if table.index(of: author.entityID) != index { return "index(of: \(author.id))" }
      if table[position: index] != author { return "[position: \(index)]" }
      if table.find(by: author.entityID) != author { return "find(by: \(author.id))" }
    }
    return nil
  }
}

extension Tables.Ordered {
  /// This version with the changes, made by hand.
  fileprivate func applying(_ changes: TableChanges<Entity>) -> Self {
    var result = self
    for entity in changes.removed { result.remove(entity.entityID) }
    for update in changes.updated { result.replace(update.new) }
    for entity in changes.inserted { result.insert(entity) }
    result.arrange(changes.order)
    return result
  }
}

@Suite("Tables.Ordered against an array")
struct OrderedTableModelTests {
  typealias Version = (table: Tables.Ordered<Author>, model: [Author])

  @Test(
    "Laws 1, 2, 5, 6: equals an array, on unique and on shared storage", arguments: [6, 40, 400])
  func model(ids: Int) {
    for seed in Corpus.tables + (0..<scaled(1)).map({ UInt64($0) * 7919 + 1 }) {
      for isShared in [false, true] {
        var history = OrderedHistory(random: SeededGenerator(seed: seed), ids: ids)
        var kept: [Version] = []
        for step in 0..<(ids < 400 ? 150 : 700) {
          if isShared {
            if kept.count == 6 { kept.remove(at: step % 6) }
            kept.append((history.table, history.model))
          }
          let agreed = history.step()
          expectTrue(agreed, "seed \(seed), step \(step), shared: \(isShared)")
          if ids == 400, step % 20 != 0 { continue }
          let difference = history.difference()
          expectNil(difference, "seed \(seed), step \(step), shared: \(isShared)")
          if difference != nil { return }
          for version in kept {
            expectEqual(version.table.allEntities(), version.model, "seed \(seed), step \(step)")
            expectEqual(
              version.table == history.table, version.model == history.model,
              "seed \(seed), step \(step)")
          }
        }
        expectEqual(Tables.Ordered(history.model), history.table, "seed \(seed)")
      }
    }
  }

  @Test(
    "Law 3: changes lead to the new version and back, and compose", arguments: [6, 40, 400])
  func changes(ids: Int) {
    for seed in Corpus.tables + (0..<scaled(1)).map({ UInt64($0) * 7919 + 1 }) {
      var history = OrderedHistory(random: SeededGenerator(seed: seed), ids: ids)
      var kept: [Version] = []
      for step in 0..<shortened(120) {
        if kept.count == 4 { kept.remove(at: history.random.number(in: 0..<4)) }
        kept.append((history.table, history.model))
        // Histories fork: sometimes an old version goes on.
        if history.random.oneIn(12) { (history.table, history.model) = kept[0] }
        for _ in 0...history.random.number(in: 0..<(ids == 400 ? 12 : 4)) { _ = history.step() }
        // Comparing many rows takes long: of the many, the newest version and one of the others.
        let others = ids < 400 ? kept.dropLast() : [kept[step % kept.count]]
        for version in others + kept.suffix(1) {
          if let problem = problem(version, (history.table, history.model), kept[0]) {
            Issue.record("\(problem), seed \(seed), step \(step)")
            return
          }
        }
      }
    }
  }

  /// What is wrong with the changes between two versions, or `nil`.
  private func problem(_ old: Version, _ new: Version, _ oldest: Version) -> String? {
    let changes = new.table.changes(since: old.table)
    if changes.isEmpty != (old.model == new.model) { return "isEmpty" }
    if old.table.applying(changes) != new.table { return "they do not lead to the new version" }
    if new.table.applying(changes) != new.table { return "applied twice they do more" }
    let back = changes.inverted
    if new.table.applying(back) != old.table { return "their inverse does not lead back" }
    if !changes.composed(with: back).isEmpty { return "composed with their inverse: \(changes)" }
    if back != old.table.changes(since: new.table) { return "the inverse is not the way back" }
    let ids = Set(old.model.map(\.id)).intersection(new.model.map(\.id))
    if !changes.moved.allSatisfy({ ids.contains($0.entityID.raw) }) { return "moved" }
    if changes.inserted.map(\.id) != new.model.map(\.id).filter({ !ids.contains($0) }) {
      return "inserted"
    }
    if changes.removed.map(\.id) != old.model.map(\.id).filter({ !ids.contains($0) }) {
      return "removed"
    }
    let whole = new.table.changes(since: oldest.table)
    let composed = old.table.changes(since: oldest.table).composed(with: changes)
    if composed != whole || whole != composed { return "composed are not those over both" }
    if oldest.table.applying(composed) != new.table { return "composed do not lead there" }
    if composed.isEmpty != whole.isEmpty { return "composed say nothing as something" }
    return nil
  }

  @Test("Law 4: a move among many, its changes and sorting it back touch little")
  func work() {
    var table = Tables.Ordered((0..<20_000).map { Author(id: "a\($0)", name: "\($0 + 100_000)") })
    let old = table
    let moving = TableWork.counting {
      table.move("a17", to: 15_000)
      table.swap("a3", "a19990")
    }
    var changes = TableChanges<Author>()
    let comparing = TableWork.counting { changes = table.changes(since: old) }
    expectEqual(changes.moved.map(\.entityID), ["a19990", "a17", "a3"])
    expectTrue(
      changes.order.taken.count == 3 && changes.inserted.isEmpty && changes.updated.isEmpty)
    expectEqual(old.applying(changes), table)
    let moved = table
    let sorting = TableWork.counting { table.sort { $0.name < $1.name } }
    expectTrue(table == old && moved != old)
    for work in [moving, comparing, sorting] {
      #expect(work.copiedNodes < 120, "of about 700 leaves")
      #expect(work.visitedNodes < 200, "of about 700 leaves")
    }
    expectTrue(moving.copiedNodes > 0 && comparing.visitedNodes > 0 && sorting.copiedNodes > 0)
  }
}
