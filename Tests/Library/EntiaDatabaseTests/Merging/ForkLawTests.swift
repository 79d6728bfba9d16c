import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@Suite("Forks of databases")
struct ForkLawTests {
  static let laws: [StorageLaw] = [.foreignWritesAreSound, .mergesBringBothTogether]

  @Test(
    "Laws 40, 41: ordered tables, held IDs, every delete rule, constraints", arguments: Self.laws)
  func jukebox(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 4 : 0, steps: 40, corpus: Corpus.storages)
    try StorageLaws(JukeboxSubject.self, runs: runs).check(law)
    try StorageLaws(FewSpinsSubject.self, runs: runs).check(law)
  }

  @Test(
    "Law 40: merges whose conflicts are resolved by rows that neither side has, also in an undo",
    arguments: [false, true])
  func resolvers(isUndo: Bool) throws {
    let runs = LawRuns(count: isScaled ? 4 : 0, steps: 40, corpus: Corpus.storages)
    var laws = StorageLaws(JukeboxSubject.self, runs: runs)
    laws.operations.merge = { mine, theirs, base, choice in
      var merge = ThreeWayMerge<Jukebox>(otherwise: choice)
      merge.isUndo = isUndo
      merge.resolve(Spin.self) { conflict in
        guard var row = conflict.mine, let other = conflict.theirs else { return .theirs }
        (row.discID, row.side) = (other.lostID, other.code)
        return .entity(row)
      }
      merge.resolve(Vinyl.self) { conflict in
        guard var row = conflict.theirs, let other = conflict.mine else { return .mine }
        (row.makerID, row.coverID) = (other.coverID ?? other.makerID, row.makerID)
        return .entity(row)
      }
      return try mine.merging(theirs, base: base, by: merge)
    }
    try laws.check(.foreignWritesAreSound)
  }

  @Test("Laws 2, 3, 5, 8–17 on a storage with held IDs", arguments: StorageLaw.allCases)
  func heldIDs(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 1 : 0, steps: 25, corpus: Corpus.storages)
    try StorageLaws(JukeboxSubject.self, runs: runs).check(law)
  }

  @Test("Law 41: a list of held IDs is merged as the table of its entities is")
  func lists() throws {
    for seed in LawRuns(count: 33).seeds {
      var random = SeededGenerator(seed: seed)
      func letters() -> String {
        let count = random.number(in: 0..<7)
        return String("abcdefgh".shuffled(using: &random).prefix(count))
      }
      let base = Recipe(letters())
      let (mine, theirs) = (base.arranged(letters()), base.arranged(letters()))
      let merged = try mine.merging(theirs, base: base).storage
      expectEqual(merged.pins, merged.order, "seed \(seed)")
      var applied = mine
      try applied.apply(theirs.changes(since: base))
      expectEqual(Set(applied.pins), Set(applied.order), "seed \(seed)")
      var exact = base
      try exact.apply(theirs.changes(since: base))
      expectTrue(exact.order == theirs.order && exact.pins == theirs.pins, "seed \(seed)")
    }
  }

  @Test("Law 40: a decoded change set has the same effect on any version as the encoded one")
  func decodedChanges() throws {
    for seed in LawRuns(count: 33).seeds {
      var random = SeededGenerator(seed: seed)
      func letters() -> String {
        let count = random.number(in: 0..<9)
        return String("abcdefghij".shuffled(using: &random).prefix(count))
      }
      let base = Recipe(letters())
      let (mine, theirs) = (base.arranged(letters()), base.arranged(letters()))
      for changes in [
        theirs.changes(since: base), theirs.changes(since: base).inverted,
        mine.changes(since: base).inverted.composed(with: theirs.changes(since: base)),
      ] {
        let data = try JSONEncoder().encode(changes)
        let decoded = try JSONDecoder().decode(Recipe.ChangeSet.self, from: data)
        expectEqual(decoded, changes, "seed \(seed)")
        for version in [base, mine, theirs] {
          expectEqual(
            outcome(of: decoded, on: version), outcome(of: changes, on: version), "seed \(seed)")
        }
      }
    }
  }

  /// The orders after applying a change set, or the error.
  private func outcome(of changes: Recipe.ChangeSet, on version: Recipe) -> [String] {
    var copy = version
    do {
      try copy.apply(changes)
      return [copy.order, copy.pins]
    } catch {
      return ["\(error)"]
    }
  }

  @Test("Placing a row in a large ordered table copies and visits only changed nodes")
  func bounded() throws {
    func nodes(rows: Int) throws -> Int {
      var base = Recipe()
      base.performBatchUpdates { context in
        _ = context.modifying.steps.insert((0..<rows).map { Step(id: "\($0)") })
      }
      let mine = base.changed { $0.modifying.steps.insert(Step(id: "n"), at: 0) }
      let theirs = base.changed { context in
        context.modifying.steps.move("17", to: rows - 9)
        context.modifying.steps.insert(Step(id: "t"), at: rows / 2)
      }
      var merged: Recipe?
      var applied = mine
      let work = try TableWork.counting {
        merged = try mine.merging(theirs, base: base).storage
        try applied.apply(theirs.changes(since: base))
      }
      expectEqual(merged, applied)
      return work.copiedNodes + work.visitedNodes
    }
    let small = try nodes(rows: 1000)
    let large = try nodes(rows: 32_000)
    expectTrue(small > 0 && large < 160, "of about 1,200 leaves: \(small) and \(large)")
  }
}
