import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

struct Step: EntityType, Identifiable, Codable {
  let id: String
  var note = ""
}

/// A list of rows in an order of its own, and IDs of theirs that the user holds.
struct Recipe: NormalizedStorageType {
  struct Contents: StorageContents {
    var steps = Tables.Ordered<Step>()
    var pinned = Indexes.OrderedID<Step>()
    var done = Indexes.Set<Step>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("steps", \.steps)
      visitor.index("pinned", \.pinned)
      visitor.index("done", \.done)
    }
  }

  var snapshot = Snapshot(Contents())

  init() {}

  /// A row a letter, all of them pinned in the same order.
  init(_ letters: String) {
    performBatchUpdates { context in
      for letter in letters { context.modifying.steps.insert(Step(id: "\(letter)")) }
      for letter in letters { context.modifying.pinned.append(.init("\(letter)")) }
    }
  }

  var order: String { snapshot.contents.steps.map(\.id).joined() }
  var pins: String { snapshot.contents.pinned.map(\.raw).joined() }

  func changed(_ edit: (inout BatchContext<Recipe>) -> Void) -> Recipe {
    var copy = self
    copy.performBatchUpdates(edit)
    return copy
  }

  /// The same rows in another order, inserted or removed as the letters require; pins alike.
  func arranged(_ letters: String) -> Recipe {
    changed { context in
      for id in context.modifying.steps.allIDs() where !letters.contains(id.raw) {
        context.modifying.steps.remove(id)
      }
      for (position, letter) in letters.enumerated() {
        let id = Step.EntityID("\(letter)")
        if !context.modifying.steps.contains(id) {
          context.modifying.steps.insert(Step(id: id.raw), at: position)
        }
        context.modifying.steps.move(id, to: position)
        context.modifying.pinned.append(id)
        context.modifying.pinned.move(id, to: position)
      }
    }
  }
}

@Suite("The order of merged tables and lists")
struct MergeOrderTests {
  @Test(
    "Law 41: rows of either side are placed beside their neighbors, whichever side is merged",
    arguments: [
      // Inserted at the beginning by one, at the end by the other.
      ("abc", "nabc", "abcd", "nabcd"),
      ("abc", "abxc", "aybc", "aybxc"),
      // Moved by one, inserted by the other.
      ("abcd", "dabc", "abcdx", "dabcx"),
      ("abcd", "bcda", "abxcd", "bxcda"),
      // Neighbors removed by one, rows inserted between them by the other.
      ("abcd", "ad", "abtcd", "atd"),
      ("abcd", "cd", "nabcd", "ncd"),
      ("abcd", "ab", "abcde", "abe"),
      ("abcd", "", "abtcd", "t"),
      // Neighbors moved away by one, rows inserted behind them by the other.
      ("abcd", "bcda", "atbcd", "tbcda"),
      ("abcdef", "cdefab", "abxcdef", "xcdefab"),
      // Several by each.
      ("abcdef", "1abc2def", "ab3cdef4", "1ab3c2def4"),
      ("abcdef", "fabcde", "abdcef", "fabdce"),
    ])
  func bothWays(base: String, mine: String, theirs: String, expected: String) throws {
    let start = Recipe(base)
    let (one, other) = (start.arranged(mine), start.arranged(theirs))
    expectTrue(
      one.order == mine && one.pins == mine && other.order == theirs && other.pins == theirs)
    for merged in [
      try one.merging(other, base: start).storage, try other.merging(one, base: start).storage,
    ] {
      expectEqual(merged.order, expected)
      expectEqual(merged.pins, expected)
      expectEqual(merged.verify(), [])
    }
  }

  @Test("Of rows that both sides put between the same two rows, mine are first")
  func sameGap() throws {
    let start = Recipe("ab")
    let (one, other) = (start.arranged("a12b3"), start.arranged("a45b6"))
    let forward = try one.merging(other, base: start).storage
    expectTrue(forward.order == "a1245b36" && forward.pins == "a1245b36")
    let backward = try other.merging(one, base: start).storage
    expectTrue(backward.order == "a4512b63" && backward.pins == "a4512b63")
  }

  @Test("A row that both moved is where theirs has it; one that mine removed stays removed")
  func movedByBoth() throws {
    let start = Recipe("abcd")
    let merged = try start.arranged("bcda").merging(start.arranged("bcad"), base: start).storage
    expectTrue(merged.order == "bcad" && merged.pins == "bcad")
    let removed = try start.arranged("bcd").merging(start.arranged("bcda"), base: start).storage
    expectTrue(removed.order == "bcd" && removed.pins == "bcd")
  }

  @Test("A row that a conflict brings back stands beside its neighbors")
  func broughtBack() throws {
    let start = Recipe("abcd")
    let mine = start.arranged("acd")
    let theirs = start.changed { context in
      context.modifying.steps.updateIfExists(id: "b") { $0.note = "edited" }
    }
    let taken = try mine.merging(theirs, base: start, by: ThreeWayMerge(otherwise: .theirs))
    expectEqual(taken.storage.order, "abcd")
  }

  @Test("Law 41: a row that a conflict keeps from mine is no neighbor of rows that theirs placed")
  func keptFromMine() throws {
    func note(_ recipe: Recipe, _ id: Step.EntityID, _ text: String) -> Recipe {
      recipe.changed { $0.modifying.steps.updateIfExists(id: id) { $0.note = text } }
    }
    func merged(_ mine: Recipe, _ theirs: Recipe, _ base: Recipe) throws -> String {
      try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: .mine)).storage.order
    }
    let base = Recipe("abc")
    let inserted = note(base.arranged("abyxc"), "x", "theirs")
    try expectEqual(merged(base.arranged("xabc"), inserted, base), "xabyc")
    let long = Recipe("abcpqr")
    let moved = note(long.arranged("prqabc"), "r", "theirs")
    try expectEqual(merged(note(long, "r", "mine"), moved, long), "pqabcr")
  }

  @Test(
    "Changes applied to another version place rows beside their neighbors",
    arguments: [
      ("abc", "nabc", "abcd", "nabcd"), ("abc", "abcd", "nabc", "nabcd"),
      ("abcd", "abxcd", "acd", "axcd"), ("abcd", "abxcd", "abd", "abxd"),
      ("abcd", "dabc", "zabcd", "zdabc"), ("abcd", "acd", "bxacd", "xacd"),
      // Nothing of its surroundings is left: the position counts.
      ("abcd", "abxcd", "ade", "adxe"), ("abcd", "abxcd", "", "x"),
    ])
  func applying(base: String, changed: String, other: String, expected: String) throws {
    let start = Recipe(base)
    let changes = start.arranged(changed).changes(since: start)
    var target = start.arranged(other)
    try target.apply(changes)
    expectEqual(target.order, expected)
    let once = target
    try target.apply(changes)
    expectEqual(target.order, once.order)
    var exact = start
    try exact.apply(changes)
    expectTrue(exact.order == changed && exact.pins == changed)
    try exact.apply(changes.inverted)
    expectTrue(exact.order == base && exact.pins == base)
  }

  @Test("Composed changes place rows beside the neighbors that the last version has")
  func composed() throws {
    let start = Recipe("abcdef")
    let middle = start.arranged("abxcdef")
    let end = middle.arranged("bxyadef")
    let changes = middle.changes(since: start).composed(with: end.changes(since: middle))
    var exact = start
    try exact.apply(changes)
    expectTrue(exact.order == "bxyadef" && exact.pins == "bxyadef")
    var longer = start.arranged("1234abcdef")
    try longer.apply(changes)
    expectEqual(longer.order, "1234bxyadef")
    try longer.apply(changes.inverted)
    expectEqual(longer.order, "1234abcdef")
  }
}
